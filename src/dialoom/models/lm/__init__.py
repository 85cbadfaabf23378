"""Language models that answer every kind of question, by prompts.

    dialoom bench star-next-action --corpus corpora --model openai:small@http://localhost:8000/v1
    dialoom bench sgd-tracking --corpus corpora --model transformers:models/small --limit 100

The digest of these files is the version of the prompts in the signature of every score.
"""
