"""Agreement of a corpus's annotators: coefficients beyond chance, F1, and where they disagree.

    ratings = Ratings(formats.get(corpus.format).traits)
    ratings.add_all(corpus.dialogues())
    found = compare(ratings, samples=1000, seed=0)      # JSON values

ratings     what each annotator says of each unit, of the annotation of each kind
prelabels   what annotators made of the marks that they started from
comparing   the coefficients, of all labels, of each, and of each pair of annotators
report      the result as tables
"""

from dialoom.quality.agreement.comparing import compare
from dialoom.quality.agreement.ratings import Ratings

__all__ = ["Ratings", "compare"]
