"""Where the real files beside the checkout are."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def shared(*parts: str) -> Path:
    """Path of a real file beside the checkout; skips the test where it is absent."""
    path = ROOT.parent.joinpath("shared", *parts)
    if not path.exists():
        pytest.skip(f"real data not beside this checkout: {'/'.join(parts)}")
    return path
