"""Prediction of knowledge-base calls: parameters with operators and values."""
