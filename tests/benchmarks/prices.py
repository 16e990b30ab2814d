"""Seconds of what-ifs and prices on Adult: ``python -m tests.benchmarks.prices``."""

from __future__ import annotations

import json
import time

from deidgui.app.classes import Classes
from deidgui.app.policies.lattice import trade_offs as pricing
from deidgui.app.policies.lattice import what_if as exploring
from deidgui.app.policies.lattice.searching import search
from deidgui.app.project import Attribute, Privacy, Project, Quality
from deidgui.engine.data.class_table import build_class_table
from tests.engine.search.adult import adult_hierarchy, adult_table

ATTRIBUTES = (
    *("sex", "age", "race", "marital-status", "education"),
    *("native-country", "workclass", "occupation", "salary-class"),
)
DIVERSITY = {"kind": "distinct_l_diversity", "attribute": "occupation", "diversity": 5}
LIMITS = (0.0, 0.01, 0.03, 0.05, 0.2, 0.5, 1.0)


def main() -> None:
    """Print one line of JSON for every case."""
    table = adult_table()
    for name, others in (("k", ()), ("k and diversity", (DIVERSITY,))):
        quasi = [each for each in ATTRIBUTES if not others or each != "occupation"]
        sensitive = {"occupation": None} if others else {}
        hierarchies = [adult_hierarchy(each) for each in quasi]
        class_table = build_class_table(table, hierarchies, sensitive)
        classes = Classes(table, class_table, table)
        for measure in ("loss", "non_uniform_entropy", "ambiguity", "kl_divergence"):
            project = _project(quasi, others, measure)
            _measure(f"{name}, {measure}", project, classes)


def _project(quasi, others, measure) -> Project:
    return Project(
        attributes=(
            *(
                Attribute(
                    name=each,
                    role="quasi_identifier",
                    hierarchy={"rule": {"kind": "masking"}},
                )
                for each in quasi
            ),
            *(Attribute(name=each["attribute"], role="sensitive") for each in others),
        ),
        privacy=Privacy(
            models=({"kind": "k_anonymity", "k": 5}, *others), suppression_limit=0.02
        ),
        quality=Quality(measure={"kind": measure}),
    )


def _measure(name: str, project: Project, classes: Classes) -> None:
    start = time.perf_counter()
    found = search(project, classes)
    searched = time.perf_counter()
    found.warm()
    _ = found.layout, found.highest_risk
    prepared = time.perf_counter()
    moves = []
    for k in (2, 3, 7, 11, 25, 60, 100):
        for limit in LIMITS:
            began = time.perf_counter()
            models = exploring.with_group_size(found.models, k)
            answer = exploring.ask(found, models, limit)
            answer.warm()
            found.layout.with_values(answer.loss, answer.feasible)
            moves.append(1000 * (time.perf_counter() - began))
    moved = time.perf_counter()
    priced = pricing.find_trade_offs(found)
    done = time.perf_counter()
    figures = {
        "case": name,
        "nodes": found.n_nodes,
        "search_s": round(searched - start, 3),
        "prepare_s": round(prepared - searched, 3),
        "move_ms_median": round(sorted(moves)[len(moves) // 2], 1),
        "move_ms_most": round(max(moves), 1),
        "prices_s": round(done - moved, 3),
        "limits": len(priced.by_limit.at),
        "sizes": len(priced.by_size.at),
        "bounds": int((~priced.by_limit.exact).sum() + (~priced.by_size.exact).sum()),
    }
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
