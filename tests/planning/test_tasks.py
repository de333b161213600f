"""The text of a task, which Snakemake compares and prints."""

import pickle

from plans import CAPTIONS, quick_plan

from epochbandits.planning.tasks import Task


def test_the_reason_of_a_rerun_is_a_short_line():
    quick = quick_plan()
    tasks = [
        *(
            quick.simulations.task(e, b)
            for e in quick.config.experiments
            for b in quick.simulations.bundles(e)
        ),
        *(quick.simulations.aggregation(e) for e in quick.config.experiments),
        *(quick.figures.task(f, CAPTIONS) for f in quick.config.figures),
        *(quick.theory.task("bounds", name) for name in quick.config.bounds),
        *(quick.instances.task(name) for name in quick.config.instances),
        quick.ledger,
        quick.page(CAPTIONS),
    ]
    assert max(len(repr(task)) for task in tasks) <= 160
    assert all(isinstance(task, Task) for task in tasks)


def test_the_text_of_a_task_changes_with_each_part():
    base = {"grids": {"a": 1}, "metadata": {"key": "k", "code": "c"}}
    texts = {
        repr(Task(task))
        for task in (
            base,
            {**base, "grids": {"a": 2}},
            {**base, "metadata": {"key": "l", "code": "c"}},
            {**base, "metadata": {"key": "k", "code": "d"}},
        )
    }
    assert len(texts) == 4
    assert repr(Task(base)) == repr(Task(dict(reversed(base.items()))))
    assert type(pickle.loads(pickle.dumps(Task(base)))) is dict
