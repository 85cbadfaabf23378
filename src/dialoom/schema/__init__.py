"""Tasks as values: replies, slots, APIs and the flow graph; typed values and templates."""
