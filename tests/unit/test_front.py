"""The package's front page: every name there, nothing loaded before it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sparsespan as ss
from sparsespan import errors


def run(code):
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_every_public_name_is_there():
    for name in ss.__all__:
        assert getattr(ss, name) is not None
    assert set(ss.__all__) <= set(dir(ss))
    assert {"sparsest", "Subspace", "models", "load", "round_to_vertex", "in_basin"} <= set(dir(ss))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"module 'sparsespan' has no attribute 'densest'"):
        ss.densest  # noqa: B018 - the access is what is tested


def test_importing_loads_no_more_than_the_front_page():
    loaded = run("import sparsespan, sys; print(*sys.modules)")
    ours = {name for name in loaded if name.startswith("sparsespan")}
    assert ours == {"sparsespan"}
    assert not {name.split(".")[0] for name in loaded} & {"numpy", "scipy", "click", "sklearn"}


def test_the_core_runs_without_the_extras():
    loaded = run(
        "import numpy as np, sparsespan as ss, sys\n"
        "assert ss.sparsest(ss.models.planted(60, 4, 9, seed=0).columns).certified\n"
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    assert not set(loaded) & {"rich", "sklearn", "flint", "scs", "cobra", "matplotlib", "click", "cvxpy"}


def test_the_command_line_lists_its_commands_without_loading_them():
    loaded = run("import sparsespan.cli, sys; print(*sys.modules)")
    assert not {name.split(".")[0] for name in loaded} & {"numpy", "scipy", "rich"}
    assert not any(name.startswith("sparsespan.cli.") for name in loaded)


@pytest.mark.parametrize("name", errors.__all__)
def test_errors_have_one_base_and_a_builtin_one(name):
    error = getattr(errors, name)
    assert issubclass(error, ss.SparsespanError)
    if error is not ss.SparsespanError:
        assert issubclass(error, (ValueError, ImportError, RuntimeError))
    assert error.__doc__
