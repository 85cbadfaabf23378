"""Downloads of the admin page: codes and payments as CSV, and the dialogues as a ZIP file."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from dialoom.collect.account import as_csv, table
from dialoom.collect.message import Refused
from dialoom.errors import DialoomError
from dialoom.serve.context import context_of
from dialoom.serve.responses import answer


async def accounts(request: Request) -> Response:
    """Answer with codes, payments and bonuses of all assignments as CSV."""
    text = as_csv(context_of(request).hub.study)
    headers = {"Content-Disposition": 'attachment; filename="accounts.csv"'}
    return Response(text, media_type="text/csv", headers=headers)


async def code(request: Request) -> Response:
    """Answer with the assignments that have a completion code; an outcome's code has many."""
    sought = request.path_params["code"].strip()
    rows = [row for row in table(context_of(request).hub.study) if row["code"] == sought]
    if not sought or not rows:
        raise Refused("unknown", "No assignment has this code.")
    return answer(rows)


async def prelabels(request: Request) -> Response:
    """Answer with counts of kept, changed, removed and added pre-labels, by kind and label."""
    from dialoom.collect.export import Collected  # deferred: it loads the formats
    from dialoom.quality.agreement.prelabels import Fates

    store = context_of(request).hub.store

    def counted() -> dict[str, dict[str, dict[str, int]]]:
        fates = Fates()
        for dialogue in Collected(store).dialogues():
            fates.add(dialogue)
        return fates.table()

    return answer(await asyncio.to_thread(counted))


async def signals(request: Request) -> Response:
    """Answer with signals by worker, wizards' consistency and agreement; viewers see numbers."""
    from dialoom.collect.signals import signals as of  # deferred: it loads the formats

    site = context_of(request)
    report = await asyncio.to_thread(of, site.hub.store)
    session = site.admin(request)
    if session is not None and session.role == "viewer":
        numbers = {worker: str(n) for n, worker in enumerate(site.hub.study.state.workers, start=1)}
        wizards = report["consistency"]["wizards"]
        report["consistency"]["wizards"] = {numbers[name]: row for name, row in wizards.items()}
        report["workers"] = [{**row, "worker": numbers[row["worker"]]} for row in report["workers"]]
    return answer(report)


async def export(request: Request) -> Response:
    """Answer with the dialogues collected so far, as a ZIP file."""
    format, store = request.path_params["format"], context_of(request).hub.store
    from dialoom import formats  # deferred, as it takes time
    from dialoom.collect.export import export as write

    offered = [name for name in formats.FORMATS if formats.traits(name).collected]
    if format not in offered:
        raise Refused("unknown", f"There is {', '.join(offered)}.")

    folder = Path(tempfile.mkdtemp(prefix="dialoom-export-"))

    def pack() -> str:
        write(store, format, folder / format)
        return shutil.make_archive(str(folder / format), "zip", folder, format)

    try:
        packed = await asyncio.to_thread(pack)
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, DialoomError):
            raise Refused("not_exported", str(error)) from error
        raise
    clean = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(packed, filename=f"{format}.zip", background=clean)
