"""The page in a real browser: filter, links, zoom, keyboard, widths, light and dark."""

import os

import pytest
from browsers import browser_only  # tests/report/browsers.py
from playwright.sync_api import expect

pytestmark = browser_only


def shown(page):
    return page.locator("tr.claim:visible").count()


def test_it_loads_alone_and_runs_no_text(visit):
    page = visit()
    assert page.evaluate("typeof window.broken") == "undefined"
    page.evaluate(
        "document.querySelectorAll('details').forEach(part => { part.open = true }); "
        "[...document.images].forEach(image => { image.loading = 'eager' })"
    )
    page.wait_for_function("[...document.images].every(i => !i.src || i.naturalWidth > 0)")
    page = visit()
    assert shown(page) == 17
    # the first screen has the model, what came out, and a chart
    for part in (
        page.locator(".draw").first,
        page.locator(".outcome"),
        page.locator(".draw").nth(1),
    ):
        box = part.bounding_box()
        assert box["y"] + box["height"] < 900


def test_filter_with_the_mouse(visit):
    page = visit()
    page.get_by_role("button", name="4 undetermined").click()
    assert shown(page) == 4
    assert page.locator("tr.claim:visible .chip").all_inner_texts() == ["undetermined"] * 4
    assert page.locator('.filter[aria-pressed="true"]').inner_text().split() == [
        "4",
        "undetermined",
    ]
    assert page.locator("#status").inner_text() == "4 of 17 claims are shown"
    assert page.evaluate("location.hash") == "#claims?verdict=undetermined"
    page.get_by_role("button", name="4 undetermined").click()
    assert shown(page) == 17
    assert page.evaluate("location.hash") == "#claims"


def test_filter_and_details_with_the_keyboard(visit):
    page = visit()
    page.locator(".filter").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert shown(page) == 4
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert (
        page.locator('.filter[aria-pressed="true"]').get_attribute("data-verdict")
        == "not reproduced"
    )
    toggle = page.locator("tr.claim:visible .toggle").first
    toggle.focus()
    page.keyboard.press("Enter")
    assert toggle.get_attribute("aria-expanded") == "true"
    detail = page.locator("tr.detail:visible")
    assert detail.count() == 1
    assert detail.locator(".tried tbody tr").count() == 8
    page.keyboard.press("Enter")
    assert detail.count() == 0


def test_search(visit):
    page = visit()
    page.keyboard.press("/")
    page.keyboard.type("number 12")
    assert shown(page) == 1
    assert page.evaluate("location.hash") == "#claims?search=number+12"
    page.keyboard.type(" nowhere")
    assert shown(page) == 0
    page.get_by_role("button", name="Show all claims").click()
    assert shown(page) == 17


def test_links_lead_to_what_they_name(visit):
    page = visit()
    row = page.locator("tr.claim").nth(1)
    row.get_by_role("link", name="Fig. 1b", exact=True).click()
    expect(page.locator("#fig1b-failure-regret:target")).to_be_visible()
    # a link back to a claim shows it, even if it is filtered out
    page.locator("#fig1b-failure-regret .rests summary").click()
    page.get_by_role("button", name="4 undetermined").click()
    page.locator("#fig1b-failure-regret .mini").first.click()
    expect(page.locator("#detail-claim-1")).to_be_visible()
    assert row.is_visible()


def test_a_view_of_the_ledger_has_an_address(visit):
    page = visit(fragment="#claims?verdict=undetermined&search=number+14")
    assert shown(page) == 1
    assert page.locator("#search").input_value() == "number 14"
    assert visit(fragment="#claims?verdict=nonsense").locator("tr.claim:visible").count() == 17


def test_a_link_from_outside_opens_its_claim(visit):
    page = visit(fragment="#claim-claim-3")
    assert page.locator("#detail-claim-3").is_visible()


def test_zoom_with_the_keyboard(visit):
    page = visit()
    button = page.get_by_role("button", name="Enlarge Fig. 1a")
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.locator("#zoom")
    assert dialog.is_visible()
    before = page.locator("#zoom-image").bounding_box()["width"]
    page.keyboard.press("+")
    assert page.locator("#zoom-image").bounding_box()["width"] > 1.4 * before
    page.keyboard.press("0")
    page.keyboard.press("ArrowRight")
    assert page.locator("#zoom-title").inner_text() == "Fig. 1b"
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert button.evaluate("e => e === document.activeElement")


def test_zoom_with_the_mouse(visit):
    page = visit()
    page.get_by_role("button", name="Enlarge Fig. 4a").click()
    assert page.locator("#zoom").is_visible()
    page.get_by_role("button", name="Close").click()
    assert not page.locator("#zoom").is_visible()


@pytest.mark.parametrize("width", [390, 1400])
def test_a_study_is_closed_and_opens_to_its_figure(visit, width):
    page = visit(width)
    studies = page.locator(".study")
    assert studies.count() == 9
    picture = studies.nth(7).locator(".picture")
    assert not picture.is_visible()
    studies.nth(7).locator("summary").click()
    page.wait_for_function(
        "image => image.naturalWidth > 0", arg=picture.locator("img").element_handle()
    )
    assert picture.locator("img").bounding_box()["width"] >= 600  # on a phone it scrolls sideways
    assert picture.bounding_box()["width"] <= width
    picture.click()
    expect(page.locator("#zoom-title")).to_have_text("What about other people's problems?")


def test_a_link_from_outside_opens_a_study(visit):
    assert visit(fragment="#study3-ucb-map").locator("#study3-ucb-map .picture").is_visible()


@pytest.mark.parametrize("width", [390, 820, 1400, 700])
def test_both_verdicts_and_the_counts_are_visible(visit, width):
    """700 is 1400 at a zoom of 200%."""
    page = visit(width)
    row = page.locator("tr.claim").nth(1)
    for text in ("not reproduced", "0 of 2 conditions", "of 6 conditions", "claimed: below 1"):
        expect(row.get_by_text(text).first).to_be_visible()
    # a phone has drawings of its own
    assert page.locator("img.slim").is_visible() is (width < 640)
    assert page.locator("img.broad").is_visible() is (width >= 640)


def test_print_has_verdicts_and_counts_but_no_tools(visit):
    page = visit(scheme="dark")
    page.emulate_media(media="print")
    row = page.locator("tr.claim").nth(1)
    for text in ("not reproduced", "0 of 2 conditions", "of 6 conditions"):
        assert row.get_by_text(text).first.is_visible()
    assert page.locator("img.broad").is_visible()
    assert not page.locator(".bar").is_visible()
    assert not page.get_by_text("Press a figure").is_visible()
    ink = page.evaluate("getComputedStyle(document.querySelector('h1')).color")
    assert ink == "rgb(29, 32, 36)"  # dark on white, whatever the screen has


def test_pictures_are_no_slabs_in_the_dark(visit):
    look = "getComputedStyle(document.querySelector('.picture img'))"
    assert visit(scheme="dark").evaluate(f"{look}.mixBlendMode") == "screen"
    assert visit().evaluate(f"{look}.mixBlendMode") == "normal"


@pytest.mark.parametrize("width", [320, 390, 700, 1024, 1400])
def test_nothing_is_wider_than_the_screen(visit, width):
    page = visit(width)
    page.get_by_role("button", name="Open all").click()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # nor is anything of the claims cut off
    assert (
        page.evaluate("""Math.max(...[...document.querySelectorAll(".claims > tbody *")]
        .map(e => e.getBoundingClientRect().right))""")
        <= width
    )


def test_the_head_stays_in_sight(visit):
    page = visit()
    page.get_by_role("button", name="Open all").click()
    page.evaluate("document.querySelector('#claim-claim-9').scrollIntoView()")
    head = page.locator(".claims > thead th").first.bounding_box()
    bar = page.locator(".bar").bounding_box()
    assert bar["y"] == 0
    assert abs(head["y"] - bar["height"]) <= 1
    assert page.locator("#claim-claim-9").bounding_box()["y"] >= head["y"] + head["height"] - 1


NAMED = {
    "button", "combobox", "columnheader", "dialog", "figure", "form", "image", "link", "region",
    "rowheader", "searchbox", "slider", "spinbutton", "table",
}  # fmt: skip


def test_a_screen_reader_finds_a_name_for_everything(visit):
    page = visit(390)
    page.get_by_role("button", name="Open all").click()
    session = page.context.new_cdp_session(page)
    nodes = [node for node in session.send("Accessibility.getFullAXTree")["nodes"]
             if not node["ignored"]]  # fmt: skip
    names = {}
    for node in nodes:
        names.setdefault(node["role"]["value"], []).append(node["name"]["value"].strip()
                                                           if "name" in node else "")  # fmt: skip
    assert names.keys() >= NAMED - {"dialog"}
    assert {role for role in NAMED & names.keys() if not all(names[role])} == set()
    assert len(set(names["image"])) == len(names["image"])  # each figure has words of its own
    # what changes is said once: the ledger's count, and what the playground has done
    assert len(names["status"]) == 2
    page.get_by_role("button", name="Step").click()
    expect(page.get_by_role("status").nth(0)).to_contain_text("UCB: decision 1 played arm 1")
    slider = page.get_by_role("slider", name="horizon, iterations")
    assert slider.get_attribute("aria-valuetext") == "20,000"


CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgb = (colours) => {
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour) => colour.map(c => c / 255)
    .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const behind = (e) => e ? [...behind(e.parentElement), getComputedStyle(e).backgroundColor] : [];
  const faint = [];
  for (const e of document.querySelectorAll("body *")) {
    const text = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!text || !e.checkVisibility() || e.closest("script, style")) continue;
    const [a, b] = [rgb([getComputedStyle(e).color]), rgb(behind(e))].map(light);
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) faint.push([e.className, e.textContent.slice(0, 40), ratio]);
  }
  return faint;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_contrast(visit, scheme):
    page = visit(scheme=scheme)
    page.get_by_role("button", name="Open all").click()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    for verdict in (
        "reproduced",
        "not reproduced",
        "undetermined",
        "not assessable",
        "not assessed",
    ):
        page.locator(f'.filter[data-verdict="{verdict}"]').click()
        assert page.evaluate(CONTRAST) == []


def test_dark_and_light_differ(visit):
    colours = {visit(scheme=s).evaluate("getComputedStyle(document.body).backgroundColor")
               for s in ("light", "dark")}  # fmt: skip
    assert len(colours) == 2


def test_without_scripts_everything_is_open(visit):
    page = visit(scripts=False)
    assert page.locator("tr.detail:visible").count() == 17
    assert page.locator(".bar:visible").count() == 0


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_screenshots(visit, tmp_path, width, scheme):
    """Kept where PAGE_SCREENSHOTS says, to be looked at."""
    folder = os.environ.get("PAGE_SCREENSHOTS", tmp_path)
    picture = visit(width, scheme).screenshot(path=f"{folder}/page-{width}-{scheme}.png")
    assert len(picture) > 20_000
