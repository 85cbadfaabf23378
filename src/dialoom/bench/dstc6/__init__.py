"""DSTC6 track 1: ranking the candidates for a bot's next turn, and scoring the rankings.

    rankings = by_tfidf(load(Path("dialog-task1API-….json")), "dialog-task1API-….json")
    scores(count(read_truth(Path("….answers.json")), rankings), {})

items       the candidates of each dialogue, and the right one where it is known
rankings    the challenge's two baselines (in random order, by TF-IDF likeness), and its scores
validity    what is wrong with a result file
histories   items made of the bot turns within histories, which have known answers
knowledge   lists of facts as task schemas
lookup      the bot's next act by a lookup, as a table and as a model
comparing   simulated items and published ones
distractors a challenge set: users who mention values that they do not want
walking     a dialogue file as plain text, and its counts

The challenge is described by Boureau et al. (2017).
"""
