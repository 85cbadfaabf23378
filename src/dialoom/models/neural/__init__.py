"""Models that are trained with torch, some from weights that lie on this machine.

weights            networks and their tokenizers, from a folder or from the package of MiniLM
encodings          vectors of texts under weights that are not trained, kept on disk
inputs             what schema attention reads: histories, nodes, numbers about nodes
network            its network
schema_attention   the STAR paper's BERT and BERT + schema, with MiniLM in BERT's place
writers            what writers of replies read, and how they are trained
copying            a small copy transformer
language_model     the causal language model of a folder
copy_transformer   the STAR paper's GPT-2 and GPT-2 + schema, with one of these in its place
"""
