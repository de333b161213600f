"""Sets of instances, from files as well."""

from small_run import EXPERIMENT, plan_of

from epochbandits.model.generators import failure_example


def test_an_edited_file_of_instances_is_another_set(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failure_example(0.1).to_json("mine.json")
    changes = {"instances": {"main_4x4": None, "mine": {"files": ["mine.json"]}}}
    changes["experiments"] = {EXPERIMENT: {"instances": ["mine"]}}
    changes |= {"bounds": {"time_average": None}, "inequalities": {"theorem1": None}}

    def keys():
        plan = plan_of(changes)
        return plan.instances.task("mine").key, plan.simulations.shards(EXPERIMENT)

    before = keys()
    assert keys() == before
    failure_example(0.2).to_json("mine.json")
    assert all(new != old for new, old in zip(keys(), before, strict=True))
