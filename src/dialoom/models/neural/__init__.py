"""Models that are trained with torch, some from weights stored on this machine.

weights            pretrained networks and their tokenizers, from a folder or MiniLM's package
encodings          vectors of texts by a frozen encoder, cached in the process
inputs             inputs of schema attention: histories, nodes, features of nodes
network            the network of schema attention
schema_attention   the STAR paper's BERT and BERT + schema, with MiniLM in place of BERT
"""
