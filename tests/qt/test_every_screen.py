"""Every page on every screen: sizes, scale factors and sizes of texts."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

PLACES = {
    "1": [
        "1280x720",
        "1280x720@1.5",
        "1280x720@2",
        "1280x720@2+help",
        "1920x1080@2",
    ],
    "1.5": ["1280x720", "1280x720@1.5"],
    "2": ["1280x720", "1280x720@1.5", "1920x1080"],
}
"""Pixels of screens, how much larger texts are, and whether the help is open, for
each scale factor."""


@pytest.mark.parametrize("factor", PLACES)
def test_nothing_is_cut_covered_or_out_of_reach(tmp_path, factor):
    screen = {"name": "one", "x": 0, "y": 0, "width": 1920, "height": 1080}
    file = tmp_path / "screens.json"
    file.write_text(json.dumps({"screens": [{**screen, "dpr": 1}]}))
    done = subprocess.run(
        [sys.executable, "-m", "tests.qt.geometry", *PLACES[factor]],
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "QT_SCALE_FACTOR": factor,
            "QT_QPA_PLATFORM": f"offscreen:configfile={file}",
        },
    )
    assert done.stdout.splitlines() == []
