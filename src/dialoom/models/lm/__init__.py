"""Language models that answer every kind of question, by prompts.

    dialoom bench star-next-action --corpus corpora --model openai:small@http://localhost:8000/v1
    dialoom bench sgd-tracking --corpus corpora --model transformers:models/small --limit 100

model     the models: `openai` behind chat completions, `transformers` of a local folder
asking    one question: request, repair, what is kept of it on disk
prompt    what all prompts have in common: schema, visible history, examples of training
text      schemas and histories as text
similar   the examples of training that are most like a question
options   questions with listed answers, and log-probabilities as their ranking
kinds/    a module for each kind of question

The digest of these files is the version of the prompts in the signature of every score.
"""
