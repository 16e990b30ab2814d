"""Runs a benchmark by name: ``python -m tests.benchmarks NAME``; prints JSON.

A benchmark is a module of this folder with a function ``run(arguments)`` that
returns what is printed.
"""

import importlib
import json
import pkgutil
import sys
from pathlib import Path


def names() -> list[str]:
    """Benchmarks there are."""
    folder = str(Path(__file__).parent)
    return sorted(
        info.name
        for info in pkgutil.iter_modules([folder])
        if not info.name.startswith("_")
    )


def main(arguments: list[str]) -> int:
    """Run one benchmark; return the exit code."""
    if not arguments or arguments[0] not in names():
        print(
            f"usage: python -m tests.benchmarks {{{'|'.join(names())}}} [OPTIONS]",
            file=sys.stderr,
        )
        return 2
    module = importlib.import_module(f"tests.benchmarks.{arguments[0]}")
    print(json.dumps(module.run(arguments[1:]), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
