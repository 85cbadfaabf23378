"""Models that are trained with torch, some from weights stored on this machine.

weights            pretrained networks and their tokenizers, from a folder or MiniLM's package
encodings          vectors of texts by a frozen encoder, cached on disk
inputs             inputs of schema attention: histories, nodes, features of nodes
network            the network of schema attention
schema_attention   the STAR paper's BERT and BERT + schema, with MiniLM in place of BERT
writers            inputs and training of reply writers
copying            a writer: a small transformer with a copy mechanism
language_model     a writer: a pretrained causal language model of a folder
copy_transformer   the STAR paper's GPT-2 and GPT-2 + schema, with a writer in place of GPT-2
"""
