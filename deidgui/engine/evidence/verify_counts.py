"""Verifies a release of tables of counts from its files alone.

Shares no code with reading, drawing or estimating: tables are read with the csv module,
the noise is integrated anew, and what is left of it is computed by another formula.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import TypeAlias

import numpy as np

from deidgui.engine.arrays import FloatArray
from deidgui.engine.evidence.checks import Check
from deidgui.engine.evidence.counts_document import (
    PLACES,
    UNCERTAINTY,
    UNCERTAINTY_HEADER,
    CountsEvidence,
    NoiseFacts,
    Redundancy,
)
from deidgui.engine.evidence.folder import (
    MAX_MAPPING_BYTES,
    REPORTS,
    ReleaseFolder,
    read_counts_evidence,
)
from deidgui.engine.evidence.verify import Verification, check_files, check_form
from deidgui.engine.evidence.verify_excel import check_excel
from deidgui.engine.evidence.verify_validity import check_validity
from deidgui.errors import InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

_HALF = 0.5 * 10**-PLACES + 1e-9
_MOST_TOGETHER = 1_000
"""More counts in one system of equations are not measured again."""

_Cell: TypeAlias = tuple[int, int, int]
_MASKED = "T"
_NOTHING = 1e-9
_MOST_ROUNDS = 200
"""Of equations that contradict each other, bounds may be narrowed without end."""

_LARGEST = 10**15
_ENOUGH = 0.8
_UNLIKELY = 6.5
"""Standard deviations that the differences of equations may be off at most."""


def verify_counts_release(
    path: Path,
    *,
    staged: Mapping[str, Path] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Verification:
    """Read a release of tables of counts back and measure it again.

    Parameters
    ----------
    path : Path
        Folder of the release.
    staged : mapping of str to Path, optional
        See `ReleaseFolder`.

    Raises
    ------
    InputError, ConfigError
        As `verify_release`.
    """
    folder = ReleaseFolder(path, staged)
    evidence = read_counts_evidence(folder)
    step = SubMonitor(monitor, 0.0, 0.2)
    required = {*REPORTS, *([UNCERTAINTY] if evidence.noise else [])}
    checks = list(check_files(folder, evidence, step, required))
    reasons: dict[str, str] = {}
    if all(check.ok for check in checks):
        monitor.report(0.2, "verify")
        checks.extend(_check_content(folder, evidence, reasons))
    checks.extend(check_form(folder, evidence))
    monitor.report(1.0, "verify")
    ok = all(check.ok for check in checks)
    return Verification(ok, tuple(checks), evidence, reasons)


def _check_content(
    folder: ReleaseFolder, evidence: CountsEvidence, reasons: dict[str, str]
) -> Iterator[Check]:
    grids = [_grid(folder, each.path) for each in evidence.outputs]
    for stated, grid in zip(evidence.outputs, grids, strict=True):
        shape = (len(grid), max(map(len, grid), default=0))
        fits = shape == (stated.rows, stated.columns) and all(
            len(row) == stated.columns for row in grid
        )
        yield Check("counts_shape", fits, {"file": stated.path})
        if not fits:
            return
    yield from check_validity(evidence)
    yield Check("counts_fit", _tables_fit(evidence))
    yield Check("equations_once", _equations_once(evidence))
    yield from check_excel(folder, evidence, grids)
    noise = evidence.noise
    left = evidence.redundancy
    yield Check("redundancy_stated", (noise is None) == (left is None))
    if noise is None:
        yield from _check_masked(grids, evidence)
    if noise is None or left is None:
        return
    lines = _lines(folder)
    yield from _check_lines(lines, grids, evidence)
    yield from _check_noise(noise)
    yield from _check_redundancy(lines, evidence, left, reasons)


# -- tables ----------------------------------------------------------------------------


def _tables_fit(evidence: CountsEvidence) -> bool:
    """Whether tables are those that were read, and files stand in their order."""
    outputs = evidence.outputs
    paths = [each.path for each in outputs]
    files = [each.excel for each in outputs if each.excel]
    files += [UNCERTAINTY] if evidence.noise else []
    return (
        len(set(paths)) == len(paths)
        and [each.name for each in outputs] == [each.name for each in evidence.inputs]
        and [each.path for each in evidence.files] == [*files, *REPORTS]
    )


def _equations_once(evidence: CountsEvidence) -> bool:
    """Whether no equation is stated twice, and none has a count twice."""
    found = {
        (each.form, each.cells[: each.form == "sum"], frozenset(each.cells))
        for each in evidence.equations
    }
    return len(found) == len(evidence.equations) and all(
        len(set(each.cells)) == len(each.cells) for each in evidence.equations
    )


@dataclass(frozen=True)
class _Line:
    """A line of the file of uncertainties: a released count."""

    cell: tuple[int, int, int]
    count: int
    sd: float
    low: float
    high: float
    effective: float


def _grid(folder: ReleaseFolder, relative: str) -> list[list[str]]:
    try:
        text = folder.read(relative, MAX_MAPPING_BYTES).decode()
        return list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error):
        raise InputError("release_malformed", file=relative, line=0) from None


def _lines(folder: ReleaseFolder) -> list[_Line]:
    header, *rows = _grid(folder, UNCERTAINTY) or [[]]
    if tuple(header) != UNCERTAINTY_HEADER:
        raise InputError("release_malformed", file=UNCERTAINTY, line=1)
    found = []
    for at, row in enumerate(rows, start=2):
        try:
            table, line, column, _row, _column, count, *numbers = row
            sd, low, high, effective = map(float, numbers)
            cell = (int(table) - 1, int(line) - 1, int(column) - 1)
            n = int(count)
            is_sound = abs(n) < _LARGEST and 0 <= effective < math.inf
        except ValueError:
            is_sound = False
        if not is_sound:
            raise InputError("release_malformed", file=UNCERTAINTY, line=at)
        found.append(_Line(cell, n, sd, low, high, effective))
    return found


_COUNT = re.compile(r"-?\d[\d.,'\u2019\u00a0\u2007\u2009\u202f ]*")


def _count_in(text: str) -> int | None:
    """Count at the beginning of a cell, however its thousands are separated."""
    # A quote stands before a negative count with a percentage beside it.
    shown = text.partition("(")[0].strip().removeprefix("'")
    found = _COUNT.match(shown)
    if found is None:
        return None
    digits = "".join(each for each in found.group() if each.isdigit())
    return -int(digits) if shown.startswith("-") else int(digits)


def _check_lines(
    lines: Sequence[_Line], grids: Sequence[list[list[str]]], evidence: CountsEvidence
) -> Iterator[Check]:
    """Compare the uncertainties with the tables."""
    noise = evidence.noise
    assert noise is not None, "read only then"
    cells = [each.cell for each in lines]
    is_there = all(
        0 <= t < len(grids) and 0 <= r < len(grids[t]) and 0 <= c < len(grids[t][r])
        for t, r, c in cells
    )
    yield Check("counts_once", is_there and cells == sorted(set(cells)))
    if not is_there:
        return
    for place, stated in enumerate(evidence.outputs):
        own = [each for each in lines if each.cell[0] == place]
        shown = [_count_in(grids[place][e.cell[1]][e.cell[2]]) for e in own]
        about = {"file": stated.path}
        fits = all(a == e.count for a, e in zip(shown, own, strict=True))
        yield Check("counts_as_stated", fits and len(own) == stated.counts, about)
        n_below = sum(each.count < 0 for each in own)
        yield Check("negative_as_stated", n_below == stated.negative, about)
    sd = noise.standard_deviation
    fits = all(
        abs(e.sd - sd) <= _HALF
        and abs(e.low - (e.count - 1.96 * sd)) <= _HALF
        and abs(e.high - (e.count + 1.96 * sd)) <= _HALF
        and 0 <= e.effective <= sd + _HALF
        for e in lines
    )
    yield Check("uncertainty_as_stated", fits)


def _check_masked(
    grids: Sequence[list[list[str]]], evidence: CountsEvidence
) -> Iterator[Check]:
    """Look for small counts that are shown, and add up the sums without a mark."""
    audit = evidence.audit
    yield Check("audit_stated", audit is not None)
    if audit is None:
        return
    is_weak = audit.exact + audit.tight + len(audit.inconsistent) > 0
    yield Check("inferable_reasoned", bool(audit.because) == is_weak)
    n_marks = sum(each.masked for each in evidence.outputs)
    yield Check("audit_complete", audit.masked <= n_marks)
    used = {each.cells for each in evidence.equations}
    left_out = {each.cells for each in audit.left_out}
    cells = {cell for each in used | left_out for cell in each} | {*audit.inconsistent}
    if any(t >= len(grids) or r >= len(grids[t]) for t, r, _c in cells):
        yield Check("equations_fit", ok=False)
        return
    counts = {
        (t, r, c): _count_in("".join(grids[t][r][c : c + 1])) for t, r, c in cells
    }
    yield Check(
        "left_out_stated",
        all(counts[cell] is None for cell in audit.inconsistent)
        and bool(left_out) >= bool(audit.inconsistent)
        and used.isdisjoint(left_out),
    )
    small = [each for each in counts.values() if each is not None]
    yield Check("no_small_counts", not any(0 < n < audit.threshold for n in small))
    yield Check(
        "sums_agree",
        all(
            _agrees(each.form, [counts[cell] for cell in each.cells])
            for each in evidence.equations
        ),
    )
    masked = [
        (t, r, c)
        for t, r, c in sorted(cells - {*audit.inconsistent})
        if c < len(grids[t][r]) and grids[t][r][c].strip() == _MASKED
    ]
    n_exact, n_tight = _inferred(evidence, counts, masked)
    figures = {"exact": n_exact, "tight": n_tight - n_exact}
    is_enough = audit.exact >= n_exact and audit.exact + audit.tight >= n_tight
    yield Check("inferable_stated", is_enough, figures)


def _inferred(
    evidence: CountsEvidence,
    counts: Mapping[_Cell, int | None],
    masked: Sequence[_Cell],
) -> tuple[int, int]:
    """Masked counts that anybody can infer exactly, and exactly or nearly.

    At least so many: of a masked count only that it is no negative one is used, bounds
    are passed on equation by equation, and what equations fix together is found by
    linear algebra.
    """
    assert evidence.audit is not None
    bounds: dict[_Cell, tuple[float, float]] = {
        c: (n, n) if n is not None else (0, math.inf) for c, n in counts.items()
    }
    terms = [each for one in evidence.equations for each in _sums(one.form, one.cells)]
    for _round in range(_MOST_ROUNDS):
        changed = [_narrowed(bounds, *each) for each in terms]
        if not any(changed):
            break
    fixed = _fixed(terms, counts)
    widths = {c: 0 if c in fixed else bounds[c][1] - bounds[c][0] for c in masked}
    n_exact = sum(each == 0 for each in widths.values())
    return n_exact, sum(0 <= each < evidence.audit.width for each in widths.values())


def _sums(form: str, cells: Sequence[_Cell]) -> list[tuple[_Cell, Sequence[_Cell]]]:
    """An equation as wholes with their parts; equal counts are parts of each other."""
    first, *others = cells
    return [(first, others)] if form == "sum" else [(first, [each]) for each in others]


def _narrowed(
    bounds: dict[_Cell, tuple[float, float]], whole: _Cell, parts: Sequence[_Cell]
) -> bool:
    """Narrow the bounds of an equation's counts once; return whether one became so."""
    before = [bounds[cell] for cell in (whole, *parts)]
    low = sum(bounds[part][0] for part in parts)
    highs = [bounds[part][1] for part in parts]
    high, n_open = sum(each for each in highs if each < math.inf), highs.count(math.inf)
    most = math.inf if n_open else high
    bounds[whole] = max(bounds[whole][0], low), min(bounds[whole][1], most)
    for part, (own_low, own_high) in zip(parts, before[1:], strict=True):
        is_open = own_high == math.inf
        least = bounds[whole][0] - (high if is_open else high - own_high)
        has_least = n_open == is_open
        bounds[part] = (
            max(own_low, least) if has_least else own_low,
            min(own_high, bounds[whole][1] - (low - own_low)),
        )
    after = [bounds[cell] for cell in (whole, *parts)]
    # Of counts that contradict each other nothing follows, and nothing would end.
    return after != before and all(low <= high for low, high in after)


def _fixed(
    terms: Sequence[tuple[_Cell, Sequence[_Cell]]], counts: Mapping[_Cell, int | None]
) -> set[_Cell]:
    """Hidden counts that all equations together leave no choice."""
    order = sorted(cell for cell, count in counts.items() if count is None)
    number = {cell: at for at, cell in enumerate(order)}
    rows = []
    for whole, parts in terms:
        row = {number[each]: -1.0 for each in parts if each in number}
        if whole in number:
            row[number[whole]] = 1.0
        if row:
            rows.append(row)
    fixed = set[_Cell]()
    for cells, matrix in _systems(len(order), rows):
        if matrix is not None:
            free, _ = _spaces(matrix)
            is_fixed = np.square(free).sum(axis=1) < _NOTHING
            fixed |= {order[cells[at]] for at in np.flatnonzero(is_fixed).tolist()}
    return fixed


def _agrees(form: str, counts: Sequence[int | None]) -> bool:
    """Whether counts that are shown meet an equation; marks may stand for any."""
    known = [each for each in counts if each is not None]
    if form == "same":
        return len(set(known)) <= 1
    whole, *parts = counts
    if whole is None:
        return True
    total = sum(each for each in parts if each is not None)
    return total == whole if None not in parts else total <= whole


# -- noise -----------------------------------------------------------------------------


def _check_noise(noise: NoiseFacts) -> Iterator[Check]:
    """Compute mean and variance of the noise, and its guarantee, once more."""
    if noise.kind not in _MOMENTS:
        yield Check("noise_known", ok=False)
        return
    mean, variance = _MOMENTS[noise.kind](noise.sigma)
    fits = math.isclose(math.sqrt(variance), noise.standard_deviation, rel_tol=1e-6)
    yield Check("noise_spread", fits and abs(mean - noise.mean) < 1e-6)
    fits = (noise.kind == "discrete_gaussian") == (noise.rho is not None)
    fits = fits and (noise.rho is None) == (noise.epsilon is None)
    if noise.rho is not None and noise.epsilon is not None:
        found = _guarantee(noise)
        fits = fits and found is not None
        fits = fits and _are_close(found or (0.0, 0.0), (noise.rho, noise.epsilon))
    yield Check("guarantee_as_stated", fits)


def _guarantee(noise: NoiseFacts) -> tuple[float, float] | None:
    """Rho and epsilon of the stated parameters; None if they are no such numbers."""
    extra = noise.model_extra or {}
    known, delta = extra.get("counts_per_person"), extra.get("delta")
    if not isinstance(known, int) or not 0 < known < _LARGEST:
        return None
    if not isinstance(delta, float) or not 1e-100 < delta < 1:
        return None
    rho = known / (2 * noise.sigma**2)
    return rho, _epsilon(rho, delta)


def _are_close(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(
        math.isclose(a, b, rel_tol=1e-3) for a, b in zip(one, other, strict=True)
    )


def _rounded_moments(sigma: float) -> tuple[float, float]:
    normal, reach = NormalDist(0, sigma), math.ceil(9 * sigma) + 2
    chances = [
        (k, normal.cdf(k + 0.5) - normal.cdf(k - 0.5)) for k in range(-reach, reach + 1)
    ]
    return 0.0, math.fsum(k * k * chance for k, chance in chances)


def _floored_moments(sigma: float) -> tuple[float, float]:
    """Of floor(Z), then rounded to 5 over all last digits alike: 24/12 more."""
    normal, reach = NormalDist(0, sigma), math.ceil(9 * sigma) + 2
    chances = [(k, normal.cdf(k + 1) - normal.cdf(k)) for k in range(-reach, reach + 1)]
    mean = math.fsum(k * chance for k, chance in chances)
    spread = math.fsum((k - mean) ** 2 * chance for k, chance in chances)
    return mean, spread + 2.0


def _discrete_moments(sigma: float) -> tuple[float, float]:
    reach = math.ceil(10 * sigma) + 1
    weights = [
        (k, math.exp(-(k**2) / (2 * sigma**2))) for k in range(-reach, reach + 1)
    ]
    whole = math.fsum(weight for _, weight in weights)
    return 0.0, math.fsum(k * k * weight for k, weight in weights) / whole


_MOMENTS = {
    "rounded_gaussian": _rounded_moments,
    "discrete_gaussian": _discrete_moments,
    "sas_compatible": _floored_moments,
}


def _epsilon(rho: float, delta: float) -> float:
    """Smallest epsilon over a fine grid of orders of Rényi's divergence."""
    order = 1 + np.logspace(-6, 6, 40_001)
    bound = order * rho + (
        np.log(1 / (order * delta)) + (order - 1) * np.log1p(-1 / order)
    ) / (order - 1)
    return max(0.0, float(bound.min()))


# -- what is left of the noise ---------------------------------------------------------


def _check_redundancy(
    lines: Sequence[_Line],
    evidence: CountsEvidence,
    stated: Redundancy,
    reasons: dict[str, str],
) -> Iterator[Check]:
    """Compute what the equations leave of the noise, and look for the noise in them."""
    number = {each.cell: at for at, each in enumerate(lines)}
    noise = evidence.noise
    assert noise is not None, "goes with it"
    fits = all(cell in number for each in evidence.equations for cell in each.cells)
    yield Check("equations_fit", fits)
    if not fits:
        return
    is_keyed = (noise.model_extra or {}).get("repeats") == "keyed"
    pairs = [
        (number[each.cells[0]], number[cell])
        for each in evidence.equations
        if each.form == "same"
        for cell in each.cells[1:]
    ]
    one = list(range(len(lines)))
    rows: list[dict[int, float]] = []
    if is_keyed:
        one = _joined(len(lines), pairs)
        same = all(lines[a].count == lines[b].count for a, b in pairs)
        yield Check("same_counts", same)
    else:
        rows = [{a: 1.0, b: -1.0} for a, b in pairs if a != b]
    for each in evidence.equations:
        if each.form == "sum":
            first, *others = (one[number[cell]] for cell in each.cells)
            rows.append({first: 1.0, **dict.fromkeys(others, -1.0)})
    effective = np.array([each.effective for each in lines])
    sd = noise.standard_deviation
    n_weak = int(np.count_nonzero(effective < _ENOUGH * sd - _HALF))
    n_maybe = int(np.count_nonzero(effective < _ENOUGH * sd + _HALF))
    least = float(effective.min()) if len(effective) else sd
    fits = (
        n_weak <= stated.weakened <= n_maybe and abs(stated.least - least) <= 2 * _HALF
    )
    yield Check("redundancy_counted", fits)
    yield from _check_systems(lines, rows, one, noise, reasons)


def _joined(n: int, links: Iterable[Sequence[int]]) -> list[int]:
    """For every number below n the first of those that links join it to."""
    one = list(range(n))

    def first(at: int) -> int:
        while one[at] != at:
            one[at] = at = one[one[at]]
        return at

    for each in links:
        for at in each[1:]:
            low, high = sorted((first(each[0]), first(at)))
            one[high] = low
    return [first(at) for at in range(n)]


def _check_systems(
    lines: Sequence[_Line],
    rows: Sequence[dict[int, float]],
    one: Sequence[int],
    noise: NoiseFacts,
    reasons: dict[str, str],
) -> Iterator[Check]:
    sd = noise.standard_deviation
    left = np.full(len(lines), sd)
    unknown = set[int]()
    score, n_differences = 0.0, 0
    for cells, matrix in _systems(len(lines), rows):
        if matrix is None:
            reasons["effective_sd"] = "counts_many"
            unknown.update(cells)
            continue
        basis, fixed = _spaces(matrix)
        left[cells] = sd * np.sqrt(np.square(basis).sum(axis=1))
        counts = np.array([lines[cell].count for cell in cells], np.float64)
        away = fixed.T @ (counts - noise.mean)
        score += float(away @ away) / sd**2
        n_differences += fixed.shape[1]
    fits = all(
        one[at] in unknown or abs(each.effective - left[one[at]]) <= 2 * _HALF
        for at, each in enumerate(lines)
    )
    yield Check("effective_as_stated", fits)
    if n_differences:
        # Where sums agree too well there is no noise; too badly, other noise.
        z = _normal_score(score, n_differences)
        has_quiet = noise.kind == "sas_compatible" or (
            (noise.model_extra or {}).get("zeros") == "kept"
        )
        fits = z < _UNLIKELY and (has_quiet or z > -_UNLIKELY)
        yield Check("noise_is_there", fits, {"sums": n_differences})


def _systems(
    n: int, rows: Sequence[dict[int, float]]
) -> Iterator[tuple[list[int], FloatArray | None]]:
    """Equations by groups that share no count, as matrices; None of large ones."""
    one = _joined(n, [tuple(row) for row in rows])
    groups: dict[int, list[dict[int, float]]] = {}
    for row in rows:
        groups.setdefault(one[next(iter(row))], []).append(row)
    for members in groups.values():
        order = sorted({cell for row in members for cell in row})
        if max(len(order), len(members)) > _MOST_TOGETHER:
            yield order, None
            continue
        place = {cell: at for at, cell in enumerate(order)}
        matrix = np.zeros((len(members), len(order)))
        for at, row in enumerate(members):
            for cell, factor in row.items():
                matrix[at, place[cell]] = factor
        yield order, matrix


def _spaces(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Orthonormal bases of what the equations leave free, and of what they fix."""
    _, singular, right = np.linalg.svd(matrix)
    rank = int(np.count_nonzero(singular > 1e-9))
    return right[rank:].T, right[:rank].T


def _normal_score(score: float, freedom: int) -> float:
    """Deviation of a chi-square statistic from its usual value (Wilson, Hilferty)."""
    spread = 2 / (9 * freedom)
    return (math.cbrt(score / freedom) - (1 - spread)) / math.sqrt(spread)
