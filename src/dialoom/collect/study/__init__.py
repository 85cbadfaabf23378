"""The study at work: people let in, paired, watched and paid; what the admin sees and does."""
