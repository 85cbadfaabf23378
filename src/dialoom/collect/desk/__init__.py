"""The wizard's desk: forms, knowledge base, search, suggestions, and where the flow stands."""
