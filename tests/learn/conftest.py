"""The tiny encoder of the tests of neural models, for those of encodings."""

from __future__ import annotations

from tests.models.neural.conftest import weights

__all__ = ["weights"]
