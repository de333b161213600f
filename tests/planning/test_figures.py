"""The inputs and tasks of figures."""

import pytest
from plans import CAPTIONS, paper_plan

from epochbandits.figures.registry import FIGURES


@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_has_inputs_and_a_task(figure):
    paper = paper_plan()
    inputs, task = paper.figures.inputs(figure), paper.figures.task(figure, CAPTIONS)
    assert inputs
    assert all(inputs.values())
    assert len(task["metadata"]["caption"]) > 100
    assert task["settings"]["late"] == paper.config.claims.late
