"""How many frames a second the lattice is moved and zoomed at (prints JSON)."""

from __future__ import annotations

import json
import os
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import deidgui  # noqa: F401, I001 - guards None/True/False before any Qt use

import numpy as np
from PySide6.QtWidgets import QApplication

from deidgui.app.charts.lattice import lattice_layout
from deidgui.engine.search.lattice import Lattice
from deidgui.qt.charts.lattice_view import LatticeView
from deidgui.qt.theme import Mode, apply_theme

LATTICES = {12_960: (1, 4, 1, 2, 3, 2, 2, 2, 1), 100_000: (9, 9, 9, 9, 9)}
N_FRAMES = 90


def measured(heights: tuple[int, ...]) -> dict[str, float]:
    """Seconds of layout, first picture and what-if; frames a second of moving."""
    rng = np.random.default_rng(0)
    lattice = Lattice(heights, (0,) * len(heights), heights)
    loss, feasible = rng.random(lattice.n_nodes), rng.random(lattice.n_nodes) < 0.4
    start = time.perf_counter()
    names = [f"a{place}" for place in range(len(heights))]
    layout = lattice_layout(names, lattice, loss=loss, feasible=feasible)
    laid_out = time.perf_counter()
    view = LatticeView()
    view.resize(1000, 700)
    view.show()
    view.set_chart(layout)
    view.grab()
    shown = time.perf_counter()
    view.set_values(loss[::-1].copy(), feasible[::-1].copy())
    view.grab()
    changed = time.perf_counter()
    frames = [frame(view, number) for number in range(N_FRAMES)]
    view.deleteLater()
    return {
        "layout_s": round(laid_out - start, 3),
        "first_picture_s": round(shown - laid_out, 3),
        "what_if_s": round(changed - shown, 3),
        "frames_per_second": round(N_FRAMES / sum(frames), 1),
        "slowest_frame_s": round(max(frames), 3),
    }


def frame(view: LatticeView, number: int) -> float:
    """Seconds for one step of a path that moves and zooms."""
    layout = view.chart
    assert layout is not None
    part = 1 - 0.6 * abs(np.sin(number / 14))
    width, height = np.ptp(layout.x) * part, np.ptp(layout.y) * part
    x = np.sin(number / 7) * 0.1 * np.ptp(layout.x)
    y = float(layout.y.mean())
    start = time.perf_counter()
    view.plot.getViewBox().setRange(
        xRange=(x - width / 2, x + width / 2),
        yRange=(y - height / 2, y + height / 2),
        padding=0,
    )
    QApplication.processEvents()
    view.plot.viewport().repaint()
    return time.perf_counter() - start


def main() -> None:
    """Print the figures of all lattices as one JSON object."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, Mode.LIGHT)
    print(json.dumps({str(n): measured(heights) for n, heights in LATTICES.items()}))


if __name__ == "__main__":
    main()
