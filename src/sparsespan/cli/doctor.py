"""`sparsespan doctor`: what this installation runs on, and what would make it faster."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import click

from .. import __version__

__all__ = ["command", "examine"]

_PACKAGES = ("numpy", "scipy", "click", "array-api-compat")
_EXTRAS = {
    "cli": "rich",
    "learn": "scikit-learn",
    "lattice": "python-flint",
    "sos": "scs",
    "metabolic": "cobra",
    "plot": "matplotlib",
}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _blas() -> dict[str, str]:
    import numpy as np

    config: dict[str, Any] = np.show_config(mode="dicts")  # type: ignore[assignment] # typed None, returns a dict here
    blas = config.get("Build Dependencies", {}).get("blas", {})
    return {"name": str(blas.get("name", "unknown")), "version": str(blas.get("version", "unknown"))}


def examine() -> dict[str, Any]:
    """Collect the facts as plain values."""
    from ..kernels import active_kernel, usable_threads
    from ..nullspace.engine import why_not_compiled

    kernel, reason = active_kernel(), why_not_compiled()
    return {
        "sparsespan": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "threads": usable_threads(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "extras": {extra: _version(package) for extra, package in _EXTRAS.items()},
        "blas": _blas(),
        "kernel": {"name": kernel.name, "isa": kernel.isa, "reason": kernel.reason},
        "nullspace": {"name": "in Python" if reason else "compiled", "reason": reason},
        "advice": _advice(kernel.reason or reason),
    }


def _advice(reason: str) -> list[str]:
    advice = []
    if reason:
        advice.append(f"Compiled code is not in use ({reason}). Install a C++ compiler and reinstall sparsespan.")
    if "openblas" in _blas()["name"].lower() and not os.environ.get("OPENBLAS_NUM_THREADS"):
        advice.append(
            "For many small problems set OPENBLAS_NUM_THREADS=1 before Python starts: waiting BLAS threads slow "
            "short steps down."
        )
    if "openblas" in _blas()["name"].lower() and not os.environ.get("OPENBLAS_CORETYPE"):
        advice.append(
            "On a very new processor OpenBLAS may pick an older core type; compare a run with "
            "OPENBLAS_CORETYPE=SkylakeX (AVX-512) or Haswell."
        )
    return advice


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> None:
    """Say which versions, kernel, BLAS and cores are in use."""
    facts = examine()
    if as_json:
        click.echo(json.dumps(facts))
        return
    for name, value in facts.items():
        if isinstance(value, dict):
            text = ", ".join(f"{key} {item or 'not installed'}" for key, item in value.items() if item != "")
        elif isinstance(value, list):
            text = "\n            ".join(value) or "nothing to improve"
        else:
            text = str(value)
        click.echo(f"{name:<11} {text}")
