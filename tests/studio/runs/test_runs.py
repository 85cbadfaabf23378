"""Runs and results in the studio: scores, failures, dialogues, and the lines of tasks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from dialoom.bench.core.results import Result
from dialoom.collect.log.store import Store
from dialoom.play.results.paired import compare
from dialoom.play.results.run import read_run
from dialoom.play.running.plan import make_run, plan_of
from dialoom.schema import pack
from dialoom.studio.runs.recognising import recognise
from dialoom.studio.runs.task_lines import places
from tests.bench.test_report import result as made_result

Get = Callable[..., Any]
