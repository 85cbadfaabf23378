"""Models that track frames, and that predict acts from texts (Frames; El Asri et al. 2017)."""
