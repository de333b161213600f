"""Figures at a phone's width: stacked panels, nothing outside, and no effect on the wide ones."""

from pathlib import Path

import pandas as pd
import pytest

from epochbandits.figures import narrow, render, style
from epochbandits.io import parquet

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "data" / "golden" / "quick" / "data"
STUDIES = ROOT / "figures" / "published" / "studies" / "data"


@pytest.mark.parametrize(
    ("figure", "columns"),
    [
        ("fig6a_baselines_4x4", 1),
        ("finding1_ucb_failure", 1),
        ("finding7_window", 2),
        ("tab2_classes", 1),
    ],
)
def test_panels_are_stacked_inside_the_width(figure, columns):
    data = pd.DataFrame(parquet.read_any(GOLDEN / f"{figure}.parquet").columns)
    with narrow.applied():
        drawn = render.draw(figure, data)
    assert not narrow.is_applied()
    width, height = drawn.get_size_inches()
    assert width == style.COLUMN
    with style.applied():
        box = drawn.get_tightbbox()
    assert box.x0 > -0.03
    assert box.y0 > -0.03
    assert box.x1 < width + 0.03
    assert box.y1 < height + 0.03
    frames = [ax.get_position() for ax in drawn.axes]
    for i, frame in enumerate(frames):
        for other in frames[i + 1 :]:
            beside = frame.x1 <= other.x0 or other.x1 <= frame.x0
            assert beside or frame.y1 <= other.y0 or other.y1 <= frame.y0
    assert len({round(frame.x0, 3) for frame in frames}) == columns


@pytest.mark.parametrize("path", sorted(STUDIES.glob("*.parquet")), ids=lambda path: path.stem)
def test_studies_fit_a_phone(path):
    data = pd.DataFrame(parquet.read_any(path).columns)
    assert render.narrow_svg(path.stem, data).startswith("<?xml")
