"""Runs a file of cases of another program: ``python -m tests.peer CASES.json``.

Prints a line for each failing case and ends with ``N passed, M failed``; the exit
code is 0 only if none failed.
"""

import argparse
import json
import sys
from pathlib import Path

from tests.peer.kinds import check
from tests.peer.tables import Data


def main(arguments: list[str] | None = None) -> int:
    """Run all cases; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.peer", description=__doc__)
    parser.add_argument("cases", type=Path, help="file of cases (JSON)")
    parser.add_argument(
        "--data",
        type=Path,
        help="folder with the data and hierarchies (default: ../data beside the file)",
    )
    options = parser.parse_args(arguments)
    stored = json.loads(options.cases.read_text(encoding="utf-8"))
    folder = options.data or options.cases.resolve().parent.parent / "data"
    data = Data(folder, stored.get("delimiter", ";"))
    n_failed = 0
    for case in stored["cases"]:
        if problem := check(case, data):
            n_failed += 1
            print(f"FAILED {case['id']}: {problem}")
    print(f"{len(stored['cases']) - n_failed} passed, {n_failed} failed")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
