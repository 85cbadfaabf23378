"""Parts of models: a model is features, `fit` and `predict`."""
