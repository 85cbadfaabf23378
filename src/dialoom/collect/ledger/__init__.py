"""Payments, reviews, measures of quality, and counts of workers by stage (the funnel)."""
