"""Fuzzes everything that is read from strangers.

``python -m tests.fuzz --cases 100000 --seed 1``; the same seed makes the same cases.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from tests.fuzz.running import Outcome, Runner, summary
from tests.fuzz.targets import TARGETS


def main() -> int:
    """Run cases in turn; 1 if one ended as it must not."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--only", choices=sorted(TARGETS), help="one kind of file")
    parser.add_argument(
        "--keep", type=Path, help="folder for the files of failed cases"
    )
    parser.add_argument("--most", type=int, default=20, help="failures until it stops")
    given = parser.parse_args()
    names = [given.only] if given.only else list(TARGETS)
    outcomes: dict[str, list[Outcome]] = defaultdict(list)
    n_wrong, started = 0, time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        runner = Runner(Path(folder))
        for at in range(given.cases):
            target = names[at % len(names)]
            number = given.first + at // len(names)
            outcome = runner.run(target, number, given.seed, given.keep)
            outcomes[target].append(outcome)
            if outcome.wrong:
                n_wrong += 1
                again = (
                    f"--cases 1 --seed {given.seed} --first {number} --only {target}"
                )
                print(f"{again}\n{outcome.wrong}", flush=True)
                if n_wrong >= given.most:
                    break
    for target, found in outcomes.items():
        print(f"{target}: {summary(found)}")
    print(f"{n_wrong} wrong, {time.monotonic() - started:.0f} s, seed {given.seed}")
    return int(n_wrong > 0)


sys.exit(main())
