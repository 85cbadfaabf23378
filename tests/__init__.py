"""Tests of dialoom; importing them fixes the kernels of linear algebra before NumPy is loaded.

What models learn depends on the last digits of sums. OpenBLAS chooses kernels by processor, so that
two machines would learn different models from the same dialogues.
"""

import os

os.environ["OPENBLAS_CORETYPE"] = "Haswell"  # any x86-64 processor with AVX2 has these
