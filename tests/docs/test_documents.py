"""The code in the documents runs as it stands; names and files they mention exist."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from sparsespan.cli import main
from sparsespan.theory import search_barrier

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_python_blocks_run_in_order(document, tmp_path):
    blocks = _BLOCK.findall(document.read_text(encoding="utf-8"))
    if not blocks:
        pytest.skip(f"{document.name} holds no Python")
    script = tmp_path / "pasted.py"  # a process of its own: a document may register a method
    script.write_text("\n".join(blocks), encoding="utf-8")
    done = subprocess.run([sys.executable, "-W", "error", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(document):
    missing = [
        link for link in _LINK.findall(document.read_text(encoding="utf-8")) if not (document.parent / link).exists()
    ]
    assert missing == []


def test_readme_opens_with_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.index("make demo") < text.index("make test") < text.index("import sparsespan")


def test_the_table_of_methods_is_that_of_the_registry():
    answer = CliRunner().invoke(main, ["methods", "--markdown"])
    text = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    table = text.partition("<!-- methods -->\n")[2].partition("\n<!-- /methods -->")[0]
    assert table == answer.stdout.strip()


def test_the_table_of_barriers_is_what_the_theory_says():
    text = (ROOT / "docs" / "frontier.md").read_text(encoding="utf-8")
    table = text.partition("| n | p | θ = .4 |")[2].partition("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    assert len(rows) == 6
    for dim, size, *shown in rows:
        ratio = float(size[0]) * math.log(int(dim))
        for share, said in zip((0.4, 0.5, 0.6, 0.7, 0.8), shown, strict=True):
            barrier, gain = search_barrier(ratio, share)
            assert said == (f"{int(dim) * barrier:.1f}" if gain > 0 else "lost")
