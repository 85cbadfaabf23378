"""Tests of dialoom; importing them fixes the kernels of linear algebra before NumPy is loaded.

Fitted models depend on the last digits of sums, and OpenBLAS chooses its kernels by processor: two
machines would fit different models to the same dialogues. Each process keeps to one thread: tests
keep all cores busy, and threads of one process only wait for each other.
"""

import os

os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")  # for any x86-64 processor with AVX2
os.environ.setdefault("OMP_NUM_THREADS", "1")
