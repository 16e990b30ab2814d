"""What was found, as JSON values for programs and words for people."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deidgui.app.text import sentence_for
from deidgui.app.text.release import CHECKS, NOT_CHECKED, UNMEASURED
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.attacks.results import AttackResults
    from deidgui.app.loaded import Loaded
    from deidgui.app.population.known import KnownPopulation
    from deidgui.engine.data import missing, texts
    from deidgui.engine.data.table import Column
    from deidgui.engine.detect.keys import KeyProposal
    from deidgui.engine.evidence import document, unchecked
    from deidgui.engine.evidence import signature as signing
    from deidgui.engine.evidence.signature import Signature
    from deidgui.engine.evidence.verify import Verification
else:
    # PERF: a search has nothing of evidence to describe.
    missing = LazyModule("deidgui.engine.data.missing")
    texts = LazyModule("deidgui.engine.data.texts")
    document = LazyModule("deidgui.engine.evidence.document")
    signing = LazyModule("deidgui.engine.evidence.signature")
    unchecked = LazyModule("deidgui.engine.evidence.unchecked")


def describe_inspection(loaded: Loaded) -> dict[str, Any]:
    """Return dialect, types and suggested roles of a file, with reasons.

    Returns
    -------
    dict
        JSON values; no cell's value.
    """
    inspection = loaded.inspection
    dialect = inspection.dialect
    evidence = (
        *inspection.guess.evidence,
        *inspection.report.notes,
        *loaded.shape_doubts,
        *loaded.totals,
    )
    country = inspection.country
    known = texts.together([each.values for each in loaded.table.columns])
    return {
        "file": loaded.path.name,
        "member": inspection.member,
        "bytes": inspection.n_bytes,
        "sha256": loaded.sha256,
        "rows": loaded.as_read.n_rows,
        "dialect": {
            "delimiter": dialect.delimiter,
            "quote": dialect.quote,
            "skip_blanks": dialect.skip_blanks,
            "header": dialect.header,
            "encoding": dialect.encoding,
            "skip_lines": dialect.skip_lines,
            "skip_ragged": dialect.skip_ragged,
        },
        "evidence": [sentence_for(each.code, dict(each.params)) for each in evidence],
        "country": {
            "code": country.country,
            "certainty": country.certainty.value if country.certainty else None,
            "reasons": [sentence_for(r.code, r.params) for r in country.reasons],
            "others": list(country.candidates),
        },
        "columns": [
            _describe_column(loaded, column, values)
            for column, values in zip(loaded.table.columns, known, strict=True)
        ],
        "keys": [_describe_key(each) for each in inspection.keys],
        **_describe_link(loaded),
    }


def _describe_link(loaded: Loaded) -> dict[str, Any]:
    """Return which files were read, and how they are linked if there are several."""
    people, events = loaded.people, {"name": "table", "of": loaded.path.name}
    if people is None:
        rows = {"rows": loaded.table.n_rows}
        return {"inputs": [{**events, **rows}], "link": None}
    others = [(people.file.name, people.alone)]
    others += [(each.name, each.alone) for each in people.further]
    first, *further = (
        {
            "table": each.name,
            "column": each.key,
            "orphans": each.linked.n_orphans,
            "keyless": each.linked.n_keyless,
            "without_events": each.linked.n_without_events,
        }
        for each in people.tables
    )
    del first["table"]
    return {
        "inputs": [
            {**events, "rows": people.events.table.n_rows},
            *(
                {"name": name, "of": each.path.name, "rows": each.table.n_rows}
                for name, each in others
            ),
        ],
        "link": {
            **first,
            "people_column": people.key,
            **({"further": further} if further else {}),
        },
    }


def _describe_key(key: KeyProposal) -> dict[str, Any]:
    """Return why a column may say to whom a row belongs."""
    names = ("one", "two_to_five", "six_to_twenty", "more")
    return {
        "column": key.column,
        "numbers": key.kind.value,
        "values": key.n_values,
        "missing": key.n_missing,
        "rows_per_value": dict(zip(names, key.rows_per_value, strict=True)),
        "most_rows": key.most_rows,
        "same_in_all_rows": list(key.constant_columns),
        "varying": dict(key.varying_columns),
        "band": key.certainty.value,
        "reasons": [sentence_for(each.code, each.params) for each in key.reasons],
    }


def _describe_column(
    loaded: Loaded, column: Column, values: texts.Texts
) -> dict[str, Any]:
    inspection, name = loaded.inspection, column.name
    guess, finding = inspection.types[name], inspection.findings[name]
    taken = inspection.missing[name]
    doubtful = [
        each
        for each in missing.missing_candidates(column, known=values)
        if each.token not in taken
    ]
    column = column.with_missing(taken)
    identifier = finding.identifier
    return {
        "name": name,
        "input": loaded.table_of(name),
        "type": guess.kind,
        "format": guess.format or None,
        "type_evidence": sentence_for(guess.evidence.code, dict(guess.evidence.params)),
        "ambiguous": list(guess.candidates) if guess.ambiguous else [],
        "failing_values": guess.n_failing_values,
        "failing_rows": guess.n_failing_rows,
        "values": finding.n_values,
        "missing": column.n_missing,
        "missing_values": [each for each in taken if each.strip()],
        "doubtful_values": len(doubtful),
        "doubtful_rows": sum(each.n_rows for each in doubtful),
        "role": finding.role.value if finding.role else None,
        "treatment": finding.treatment.value if finding.treatment else None,
        "topic": finding.topic.value if finding.topic else None,
        "identifier": tr(identifier.title) if identifier else None,
        "score": round(finding.score, 4),
        "band": finding.band.value if finding.band else None,
        "reasons": [sentence_for(each.code, each.params) for each in finding.reasons],
        "alternatives": [
            {"identifier": tr(other.title), "score": round(score, 4)}
            for other, score in finding.alternatives
        ],
        "distinction": finding.distinction,
        "separation": finding.separation,
    }


def describe_population(population: KnownPopulation | None) -> dict[str, Any] | None:
    """Return whose people figures rest on, and on which assumptions, as JSON values.

    Returns
    -------
    dict or None
        None if nothing is known about people by their values.
    """
    if population is None:
        return None
    return {
        **population.to_json(),
        "assumptions": list(population.sentences()),
        "warnings": list(population.warnings()),
    }


def _check_words(code: str, params: Mapping[str, object]) -> str:
    return (
        tr(CHECKS[code], **params) if code in CHECKS else f"{code.replace('_', ' ')}."
    )


def _describe_signature(signature: Signature | None) -> dict[str, Any] | None:
    if signature is None:
        return None
    return {
        "public_key": signature.public_key,
        "fingerprint": signing.fingerprint(signature.public_key),
        "signed": signature.signed,
    }


def describe_attacks(results: AttackResults, policy: str) -> dict[str, Any]:
    """Return simulated attacks as JSON values.

    Parameters
    ----------
    policy : str
        The attacked policy in words.
    """
    return {
        "attacks": [each.to_json() for each in results.attacks],
        "policy": policy,
        "seed": results.seed,
        "unit": results.unit,
        "people": results.n_people,
        "fraction": results.fraction,
        "known_once": list(results.known_once),
        "known_of_events": list(results.known_of_events),
        "order_by": results.order_by,
        "threshold": results.threshold,
        "assumptions": list(results.assumptions),
        "not_done": [sentence_for(e.code, e.params) for e in results.not_done],
    }


def describe_verification(folder: Path, verification: Verification) -> dict[str, Any]:
    """Return the outcome of a verification as JSON values."""
    nobody_checked = unchecked.unchecked(verification.evidence)
    has_earlier = getattr(verification.evidence, "drift", None) is not None
    if not has_earlier and not any(
        e == "held_out" or e.startswith("compared:") for e in verification.reasons
    ):
        # The tables that the release was matched with were given.
        nobody_checked.pop("others", None)
    return {
        "release": str(folder),
        "ok": verification.ok,
        "checks": [
            {
                "code": check.code,
                "ok": check.ok,
                "words": _check_words(check.code, check.params),
                **check.params,
            }
            for check in verification.checks
        ],
        "evidence_sha256": document.digest_of(verification.evidence),
        "signature": _describe_signature(verification.signature),
        "not_checked": [
            {"because": tr(NOT_CHECKED[reason]), "fields": list(fields)}
            for reason, fields in nobody_checked.items()
        ],
        "not_measured": list(verification.unmeasured),
        "not_measured_because": {
            figure: tr(UNMEASURED[reason])
            for figure, reason in verification.reasons.items()
        },
    }
