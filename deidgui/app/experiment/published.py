"""What did the paper measure on its own data and machine?

Benitez, Loukides and Malin (2010), *Beyond Safe Harbor*, section 3; methods.md A.8. The
population there was Tennessee by the census of 2000; "van" are 2,984 patients of their
hospital, "adult" the 32,561 records of UCI Adult. Seconds are those of a machine of
2010: only ratios compare.
"""

from __future__ import annotations

from typing import Any

PAPER: dict[str, Any] = {
    "title": "Beyond Safe Harbor: automatic discovery of health information "
    "de-identification policy alternatives (2010)",
    "iterations": 100,
    "table2_seconds_per_iteration": {
        "directed": {
            "van": {"mean": 47.52, "sd": 2.03},
            "adult": {"mean": 109.53, "sd": 8.94},
        },
        "bps": {
            "van": {"mean": 4.01, "sd": 1.85},
            "adult": {"mean": 16.36, "sd": 2.00},
        },
    },
    "table3_van": [
        {"kind": "safe_harbor", "generalizes": "age [90-120]", "risk": 0.90917},
        {"kind": "alternative", "generalizes": "gender [M,F]", "risk": 0.47628},
        {"kind": "alternative", "generalizes": "race [Asian,Other]", "risk": 0.85703},
        {"kind": "alternative", "generalizes": "age [52-53]", "risk": 0.87498},
    ],
    "figure7_van_bps_r_squared": 0.16,
    "figure8_van_non_dominated": {"bps": 95, "directed": 83},
    "figure9_adult_evaluations": {"bps": 670, "directed": 5140},
}
