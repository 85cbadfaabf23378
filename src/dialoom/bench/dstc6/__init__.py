"""What DSTC6 track 1 asks of its participants: ranking candidates, and scoring the rankings.

    rankings = by_tfidf(load(Path("dialog-task1API-….json")), "dialog-task1API-….json")
    scores(count(read_truth(Path("….answers.json")), rankings), {})

items       the candidates of each dialogue, and the right one where it is known
rankings    the challenge's two baselines (in random order, by TF-IDF likeness), and its scores
validity    what is wrong with a result file
histories   items made of the bot turns within histories, which have known answers
knowledge   lists of facts as task schemas
lookup      the bot's next act by a lookup, as a table and as a model
walking     a file for readers, and its figures

The challenge is described by Boureau et al. (2017).
"""
