"""The command line: one module a command, loaded only when it is called; the only place that prints."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

from .. import __version__

__all__ = ["main"]

# Command -> (module in this folder, one line for --help); nothing of a command is imported to list it.
_COMMANDS = {
    "compare": ("compare", "Run several methods on one subspace, side by side."),
    "demo": ("demo", "Plant a sparse vector, find it, and write a page about it."),
    "doctor": ("doctor", "Say which versions, kernel, BLAS and cores are in use."),
    "faces": ("faces", "Find sparse directions in a folder of face images."),
    "find": ("find", "Find the sparsest vector of a subspace."),
    "methods": ("methods", "List the methods with reference, guarantee and cost."),
    "nullspace": ("nullspace", "Compute a sparse basis of the null space of a matrix."),
    "reproduce": ("reproduce", "Reproduce a figure or table of the paper."),
    "sparsify": ("sparsify", "Make a matrix sparse by combining its columns."),
}


class _Lazy(click.Group):
    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program; output that cannot be written is one line and an exit code, a closed pipe neither."""
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # not imported before, to list the commands quickly
            from .running import guarded

            with guarded():
                raise error from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx  # the table alone decides
        return [name for name, (module, _) in _COMMANDS.items() if find_spec(f"{__name__}.{module}")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = import_module(f"{__name__}.{_COMMANDS[cmd_name][0]}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="sparsespan")
def main() -> None:
    """
    Find the sparse vectors hidden in a linear subspace, exactly and with a certificate.

    Exit codes: 0 found and certified, 2 wrong usage, 3 not certified, 4 bad input.
    """
