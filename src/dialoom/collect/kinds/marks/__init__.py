"""What annotators mark in an utterance, layer by layer, and what comes of it in a dialogue.

marks       the marks of an utterance, as pages save them and the log keeps them
choices     what there is to choose from: labels, acts, slots, services, by the dialogue's schemas
layers      each layer of marks: checked, written into an annotation layer, read from one
frames      the frames that follow from acts and what they refer to, utterance by utterance
prelabels   the marks that annotators start from: published ones, or a model's
"""
