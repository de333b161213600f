"""Another machine's arithmetic, as far as one machine can show it."""

import os
import subprocess
import sys

import pytest

from conftest import ROOT
from epochbandits.release.verify import TOLERANCE
from patience import PATIENCE  # tests/patience.py

# An x86-64 processor of the first kind: no fused multiply-add and no wide registers, so that the C
# library, NumPy, the linear algebra and compiled loops all take other routes through their sums.
OLD = {
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F,-FMA4",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Prescott",
    "NUMBA_CPU_NAME": "x86-64",
    "NUMBA_CPU_FEATURES": "",
}


@pytest.mark.skipif(
    not (ROOT / "figures" / "published" / "data" / "paper").is_dir(),
    reason="published before the tables of the verdicts were a part of it: make publish",
)
def test_the_published_results_hold_on_an_old_processor(tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "epochbandits", "verify"],
        cwd=ROOT,
        env={**os.environ, **OLD, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    largest = float(done.stdout.split("largest difference: ")[1].split(",")[0])
    assert largest <= TOLERANCE
