"""Every figure, drawn from the stored numbers of a quick run, against a baseline picture.

`make golden` draws new baselines. The tolerance is the root mean square difference of the grey
values (0 to 255). Versions of FreeType differ by less; a wrong curve differs by more, as the last
test shows.
"""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from matplotlib.testing.compare import compare_images

from epochbandits.figures.registry import FIGURES
from epochbandits.figures.render import draw

HERE = Path(__file__).parent
GOLDEN = HERE.parents[1] / "data" / "golden" / "quick" / "data"
TOLERANCE = 4.0
DPI = 80


def stored(figure):
    return pq.read_table(GOLDEN / f"{figure}.parquet").to_pandas()


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.mpl_image_compare(
    baseline_dir="baseline",
    tolerance=TOLERANCE,
    savefig_kwargs={"dpi": DPI, "metadata": {"Software": None}},
    style="default",
)
def test_picture(figure):
    return draw(figure, stored(figure), "quick")


@pytest.mark.parametrize(
    ("figure", "column"),
    [
        ("fig1b_failure_regret", "mean"),
        ("fig2a_stationary", "stationary"),
        ("fig3a_bounds", "bound"),
        ("fig4b_greedy_decay", "expected_regret"),
        ("fig6a_baselines_4x4", "expected_regret"),
        ("tab1_mixing", "lambda2"),
    ],
)
def test_a_wrong_curve_is_noticed(figure, column, tmp_path):
    """The comparison that the plugin makes fails when the numbers are a third too large."""
    data = stored(figure)
    baseline = HERE / "baseline" / f"test_picture_{figure}.png"
    for name, factor in (("right", 1.0), ("wrong", 4 / 3)):
        changed = data.assign(**{column: data[column] * factor})
        path = tmp_path / f"{name}.png"
        draw(figure, changed, "quick").savefig(path, dpi=DPI, metadata={"Software": None})
        differs = compare_images(str(baseline), str(path), tol=TOLERANCE) is not None
        assert differs == (name == "wrong"), name
