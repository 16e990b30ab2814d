"""A context of which everything is said: researchers under an agreement."""

from __future__ import annotations

from deidgui.app.determination.determination import typed_fields
from deidgui.app.determination.validity import (
    change_validity,
    decide_anew,
    enter_trigger,
)
from deidgui.app.project import ContextAnswer, ContextChoice, signatures
from deidgui.engine.determination import CONTROLS, INVASION, MOTIVES
from deidgui.engine.evidence.entered import Agreement


def agreed(**changes) -> ContextChoice:
    """Controls high, motives low, invasion medium: T 0.075, Pr 0.27."""
    answers = {each.key: "yes" for each in CONTROLS} | {"C6": "does_not_apply"}
    answers |= {each.key: "no" for each in MOTIVES}
    points = (1, 1, 1, 1, 0, 1, 1, 0)
    answers |= {e.key: str(p) for e, p in zip(INVASION, points, strict=True)}
    answers |= changes.pop("answers", {})
    stated = {
        "release": "non_public",
        "recipient": "The registry group of the university",
        "purpose": "Length of stay by ward",
        "agreement": Agreement(
            reference="DUA-7", parties="A and B", begins="2026-01-01", ends="2027-12-31"
        ),
        "answers": {
            key: ContextAnswer(answer=e, proof="a file", by="N. N.", on="2026-11-23")
            for key, e in answers.items()
        },
        "matrix": "ipc-2016",
        "prevalence": 0.001,
        "prevalence_of": "the state, a census",
        "acquaintances": 150,
        "breach_rate": 0.27,
        "breach_source": "a survey",
        "breach_year": 2012,
    }
    return stood_for(ContextChoice(**{**stated, **changes}))


def stood_for(choice) -> ContextChoice:
    """Return a context of which N. N. has signed every field."""
    by, on = "N. N.", "2026-11-23"
    return choice.but(signed=signatures({}, typed_fields(choice), by, on))


def public(threshold="1/11") -> ContextChoice:
    """Anybody; the threshold of the agencies, with a reason."""
    return stood_for(
        ContextChoice(
            release="public",
            purpose="Open data",
            threshold=threshold,
            threshold_because="as the agencies advise",
        )
    )


def watched(project):
    """Return a project whose determination holds, decided anew after a trigger."""
    for ends in ("2099-01-01", "2098-01-01"):
        project = enter_trigger("law", "A new law.", "B. Boss", "2026-01-01")(project)
        project = decide_anew("2020-01-01", ends, "by law", "A. A.", "2026-01-02")(
            project
        )
    signed = {"by": "N. N.", "on": "2026-11-23"}
    return change_validity(in_charge="C. Care", review_months=6, **signed)(project)
