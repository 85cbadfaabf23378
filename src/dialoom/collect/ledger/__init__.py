"""What a study owes and counts: payments, reviews, measures of quality, and the funnel."""
