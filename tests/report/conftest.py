"""The page of an invented run in a real browser."""

import pytest
from browsers import BROWSER, FLAGS, LIMIT  # tests/report/browsers.py
from playwright.sync_api import expect, sync_playwright
from sample_run import make_run  # tests/report/sample_run.py

from epochbandits.report import write_page
from epochbandits.report.studies import published_digest


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as playwright:
        expect.set_options(timeout=LIMIT)
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS, timeout=LIMIT)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = make_run(tmp_path_factory.mktemp("page") / "made")
    write_page(folder / "index.html", folder, studies=published_digest())
    return (folder / "index.html").as_uri()


@pytest.fixture
def visit(chromium, address):
    """Open the page; whatever it asks for or complains about fails the test at its end."""
    contexts, wrong = [], []

    def open_page(width=1400, scheme="light", fragment="", scripts=True):
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            reduced_motion="reduce",
            java_script_enabled=scripts,
        )
        contexts.append(context)
        context.set_default_timeout(LIMIT)
        page = context.new_page()
        page.on("request", lambda request: request.url.startswith(("file:", "data:"))
                or wrong.append(request.url))  # fmt: skip
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address + fragment)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []
