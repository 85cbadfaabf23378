"""Reports on runs: one self-contained HTML page, from the files that `dialoom bench` writes.

    run = read_run(Path("run.json"))               # with predictions from run.jsonl
    html = page([run], corpus=load(Path("star")))

reading   run files and predictions
scores    scores of runs on the same questions, with published figures
figures   confusions, scores of labels, a sample of errors
corpus    statistics of the corpus, and errors with the dialogue before them
page      all of it as HTML, with the templates page.html.j2 and macros.html.j2
"""

from dialoom.bench.report.page import page
from dialoom.bench.report.reading import Run, check_corpus, read_run

__all__ = ["Run", "check_corpus", "page", "read_run"]
