"""Nobody signs with a name that another person has left in the project."""

from __future__ import annotations

import random

from deidgui.app import ops
from deidgui.app.determination.validity import decide_anew
from deidgui.app.entered import today
from tests.app.context_case import agreed


def test_a_name_is_typed_once_while_a_project_is_open(driver, tmp_path):
    chance = random.Random(4)
    rows = [f"{chance.choice('FM')},{chance.randrange(20, 80)}" for _ in range(50)]
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text("\n".join(["sex,age", *rows]))
    driver.open_data(tmp_path / "one.csv")
    day = today().isoformat()
    others = (
        ops.change_threshold(set_by="A. Able"),
        ops.change_context(**vars(agreed())),
        decide_anew(day, day, "", "A. Able", day),
    )
    for op in others:
        driver.session.apply(op, "by another person")
    driver.wait_idle()
    risk, export = driver.page("risk"), driver.page("export")
    fields = (risk.context.by, risk.validity.by, export.dossier.by, export.signing.by)
    assert [each.text() for each in fields] == [""] * 4

    risk = driver.page("risk")
    risk.show_part_of("context")
    driver.qtbot.keyClicks(risk.context.by, "B. Boss")
    risk.context.show_tab("controls")
    row = risk.context.rows["C1"]
    row.choice.set_current("no")
    row.choice.activated.emit(row.choice.currentIndex())
    driver.wait_idle()
    answers = driver.project.context.answers
    assert (answers["C1"].by, answers["C2"].by) == ("B. Boss", "N. N.")
    # Whoever has said once who they are does not have to say it on every page.
    risk.show_part_of("validity")
    driver.wait_idle()
    assert risk.validity.by.text() == "B. Boss"
    driver.page("export").view.set_current("dossier")
    driver.page("export").view.chosen.emit("dossier")
    assert driver.page("export").dossier.by.text() == "B. Boss"

    driver.open_data(tmp_path / "two.csv")
    risk = driver.page("risk")
    risk.show_part_of("context")
    driver.wait_idle()
    assert risk.context.by.text() == ""
