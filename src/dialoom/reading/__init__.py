"""What an utterance says, for either speaker, given the schemas and the dialogue so far."""
