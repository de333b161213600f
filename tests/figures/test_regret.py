"""The figure of any experiment: labels name the swept parameter, the legend tells the truth."""

import pandas as pd
import pytest
from plotted import curves

from epochbandits.figures.render import draw


def texts(data):
    drawn = draw("regret_mine", data)
    return [text.get_text() for text in drawn.findobj(lambda artist: hasattr(artist, "get_text"))]


def table(instances, value=float("nan"), parameter=""):
    data = curves({"epoch-ucb": "EpochUCB", "ucb": "UCB"})
    data = data[(data["line"] == "mean") | (data["instance"] < instances)].copy()
    if instances == 1:
        data[["low", "high"]] = float("nan")
    data.insert(2, "parameter", parameter)
    data["value"] = value
    return data


def test_labels_name_the_swept_parameter():
    data = pd.concat([table(2, value, "tau0") for value in (10.0, 40.0)], ignore_index=True)
    shown = texts(data)
    assert {"EpochUCB, tau0 = 10", "UCB, tau0 = 40"} <= set(shown)


@pytest.mark.parametrize(("instances", "interval"), [(1, False), (2, True)])
def test_an_interval_is_explained_only_where_there_is_one(instances, interval):
    shown = texts(table(instances))
    assert ("95% t-interval over instances" in shown) == interval
    assert ("one instance" in shown) != interval
