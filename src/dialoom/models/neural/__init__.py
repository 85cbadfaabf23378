"""Models that are trained with torch, from weights that lie on this machine.

weights            an encoder and its tokenizer, from a folder or from the package that ships MiniLM
schema_attention   the STAR paper's BERT and BERT + schema, with MiniLM in BERT's place
"""
