"""The studio (`dialoom studio`): a local page for tasks, studies, corpora and runs of a folder.

app         the application: routes, errors as JSON, the built pages, the token for requests
folder      the folder: paths inside it, and the list of what it contains
routes      makes a route of a function that takes the folder and a message
watching    server-sent events about changed files and the progress of work
jobs        work in a process of its own that reports how far it is
tasks/      the view of task files
studies/    the view of study files
corpora/    the view of corpora
runs/       the view of runs

A view is a package with two names (web/src/studio/README.md describes its page):

    ROUTES = [reads("/api/runs/scores", ScoresOf, scores), acts("/api/runs/pair", Pair, pair)]
    def recognise(path: Path) -> Recognised | None: ...

`ROUTES` lists its routes, all below `/api/NAME/`. `recognise` returns the kind and name of a
file or folder that the view opens, or None. It is called for every entry of the
folder, so it reads at most the head of a file. A recognised folder is not searched further. The
first view whose `recognise` answers gets the entry, in the order of `app.VIEWS`.

A function of a route runs in a thread and raises `Refused` or any `DialoomError`; both reach the
page as `{"code": …, "what": …}`. A view takes paths only from `StudioFolder.inside`, and writes
files only in functions of `acts` routes that the page calls when it is asked to.
"""
