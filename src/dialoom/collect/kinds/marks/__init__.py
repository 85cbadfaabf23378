"""Annotators' marks: spans, acts, states and frames of an utterance, and their annotation layers.

marks       the marks of an utterance, as pages save them and the log keeps them
choices     the labels, acts, slots and services to choose from, by the dialogue's schemas
layers      each kind of marks: checked, written into an annotation layer, read from one
annotated   dialogues with layers of marks
frames      the frames that follow from the acts, utterance by utterance
prelabels   the marks that annotators start from: published ones, or a model's
"""
