"""Two thousand hostile files: each ends in time, with a sentence or done."""

import pytest

from tests.fuzz.running import Runner, summary
from tests.fuzz.targets import TARGETS

CASES = 400
"""Of each kind of file; ``python -m tests.fuzz`` runs as many as one likes."""

SEED = 1


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    return Runner(tmp_path_factory.mktemp("fuzz"))


@pytest.mark.parametrize("target", TARGETS)
def test_hostile_files_end_in_time_and_with_a_sentence(runner, target):
    outcomes = [runner.run(target, n, SEED, None) for n in range(CASES)]
    wrong = [(n, each.wrong) for n, each in enumerate(outcomes) if each.wrong]
    assert not wrong, wrong[:3]
    # Files that are all refused alike would show nothing.
    assert len({each.code for each in outcomes}) >= 4, summary(outcomes)
    assert any(each.code == "done" for each in outcomes), summary(outcomes)
