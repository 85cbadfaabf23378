"""What formats share: codecs that keep unknown keys, many dialogues a file, loss reports."""
