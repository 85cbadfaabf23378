"""Agreement of a corpus's annotators: coefficients beyond chance, F1, and where they disagree."""

from dialoom.quality.agreement.comparing import compare
from dialoom.quality.agreement.ratings import Ratings

__all__ = ["Ratings", "compare"]
