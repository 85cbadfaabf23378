"""Models that are trained with torch, some from weights stored on this machine.

encodings          vectors of texts by a frozen encoder: MiniLM, or that of a folder
network            the network of schema attention
schema_attention   the STAR paper's BERT and BERT + schema, with MiniLM in place of BERT
"""
