"""Parts of models: a model is features, `fit` and `predict`.

model        the interface of models
words        tokens, stems and normal forms of words
heard        an utterance in words, with the one before it
text         vectors and similarities of texts
crf          conditional random fields over the words of a text
trees        boosted trees
threads      numerical libraries in one thread
crossfit     folds of training examples
memory       a cache in memory, for the fits of a run
saved        model files
kept         a cache of fitted models in a folder
code_digest  the digest of the code that predictions depend on
"""
