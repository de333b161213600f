"""Which browser the tests of the page use."""

import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next((path for name in NAMES if (path := shutil.which(name))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# Milliseconds. By default an expectation fails after 5 s, which a busy machine may need.
LIMIT = 120_000

browser_only = pytest.mark.skipif(
    BROWSER is None, reason="there is no chromium: apt-get install chromium"
)
