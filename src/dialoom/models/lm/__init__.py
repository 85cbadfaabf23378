"""Language models that answer every kind of question, by prompts.

    dialoom bench star-next-action --corpus corpora --model openai:small@http://localhost:8000/v1
    dialoom bench sgd-tracking --corpus corpora --model transformers:models/small --limit 100

model     the models: `openai` behind chat completions, `transformers` of a local folder
tuned     the model `lm`: one of a local folder, fine-tuned on the training part
tuning    low-rank adapters, and training
asking    one question: requests, repair, and the answers that are kept on disk
prompt    what all prompts have in common: schema, visible history, examples, form of answers
text      schemas and histories as text
kinds/    the prompt and the answer of each kind of question

The digest of these files is the version of the prompts in the signature of every score.
"""
