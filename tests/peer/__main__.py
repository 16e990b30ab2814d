"""Runs a file of cases of another program: ``python -m tests.peer CASES.json``.

Prints a line for each failing case and ends with ``N passed, M failed``. Cases that
`tests.peer.differences` explains are listed, and are neither. The exit
code is 0 only if none failed.
"""

import argparse
import json
import sys
from pathlib import Path

from deidgui.errors import DeidError
from tests.peer.differences import ListedError
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
    n_failed, n_listed = 0, 0
    for place, case in enumerate(stored["cases"]):
        known = case if isinstance(case, dict) else {}
        name = known.get("id") or f"case {place + 1}, without an id"
        try:
            problem = check(case, data)
        except ListedError as difference:
            n_listed += 1
            print(f"LISTED {name}: {difference}")
            continue
        except DeidError as refused:
            problem = f"refused: {refused.code} {refused.params}"
        except Exception as error:
            problem = f"cannot be run: {type(error).__name__}: {error}"
        if problem:
            n_failed += 1
            print(f"FAILED {name}: {problem}")
    n_passed = len(stored["cases"]) - n_failed - n_listed
    if n_listed:
        print(f"{n_listed} listed: see tests/peer/differences.py")
    print(f"{n_passed} passed, {n_failed} failed")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
