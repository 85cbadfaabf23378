"""GEM's challenge sets over any corpus whose system utterances have acts."""
