"""
What starting costs: `import sparsespan` against `import numpy`, and `sparsespan --help`.

    python -m benchmarks.startup
"""

from __future__ import annotations

import subprocess
import sys

from .side_by_side import measure, table


def _run(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def main() -> None:
    help_page = "import sys; sys.argv = ['sparsespan', '--help']; from sparsespan.cli import main; main()"
    times = measure(
        {
            "python alone": lambda: _run("pass"),
            "import numpy": lambda: _run("import numpy"),
            "import sparsespan": lambda: _run("import sparsespan"),
            "import sparsespan, numpy": lambda: _run("import sparsespan, numpy"),
            "sparsespan --help": lambda: _run(help_page),
        },
        rounds=20,
    )
    numpy = times["import numpy"]
    print(table(["", "ms", "x numpy"], [[name, f"{1e3 * t:.0f}", f"{t / numpy:.2f}"] for name, t in times.items()]))


if __name__ == "__main__":
    main()
