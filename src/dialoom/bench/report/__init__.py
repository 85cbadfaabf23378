"""A report on runs: one self-contained page for people, from the files that `bench` writes.

    run = read_run(Path("run.json"))               # the predictions beside it: run.jsonl
    html = page([run], corpus=load(Path("star")))

reading   run files and predictions
scores    runs of one protocol side by side, and beside what was published
figures   confusions, scores of labels, errors worth a look
corpus    statistics of the corpus, and errors with what led to them
page      all of it as HTML, laid out by page.html.j2 and macros.html.j2
"""

from dialoom.bench.report.page import page
from dialoom.bench.report.reading import Run, check_corpus, read_run

__all__ = ["Run", "check_corpus", "page", "read_run"]
