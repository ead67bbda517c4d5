"""Every row of the table in ``docs/faults.md`` names an existing test, and every test of a fault is in the table."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
TABLE = HERE.parent.parent / "docs" / "faults.md"


def test_every_row_names_its_tests_and_every_test_stands_in_a_row() -> None:
    rows = [line for line in TABLE.read_text("utf-8").splitlines() if line.startswith("| ") and "---" not in line]
    rows = [row for row in rows if not row.startswith("| fault |")]
    named = {name for row in rows for name in re.findall(r"`(test_\w+)`", row)}
    written = {  # other files test the parts of which waiting is made
        name
        for path in HERE.glob("test_fault_*.py")
        if path != Path(__file__)
        for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
    }
    assert all("`test_" in row for row in rows)
    assert named == written
