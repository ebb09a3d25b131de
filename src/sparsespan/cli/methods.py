"""`sparsespan methods`: what can be run, by whom, with which guarantee, at what cost."""

from __future__ import annotations

import json
from dataclasses import fields
from textwrap import wrap

import click

from .running import guarded

__all__ = ["command", "listing", "markdown"]


def listing() -> list[dict[str, object]]:
    """Every method of the registry as plain values, in alphabetical order."""
    from ..methods import available

    return [
        {
            "name": name,
            "reference": cls.reference,
            "guarantee": cls.guarantee,
            "cost": cls.cost,
            "options": {option.name: repr(option.default) for option in fields(cls)},
        }
        for name, cls in available().items()
    ]


def _told(method: dict[str, object]) -> str:
    """One method as a heading and indented lines."""
    lines = [str(method["name"])]
    for word in ("reference", "guarantee", "cost"):
        lines += wrap(str(method[word]), 100, initial_indent=f"  {word:<10} ", subsequent_indent=" " * 13)
    return "\n".join(lines)


def markdown() -> str:
    """The registry as a Markdown table, as it stands in the documentation."""
    columns = ("name", "reference", "guarantee", "cost")
    rows = [[f"`{method['name']}`", *(str(method[word]) for word in columns[1:])] for method in listing()]
    head = ["| method | reference | guarantee | cost |", "| --- | --- | --- | --- |"]
    return "\n".join(head + ["| " + " | ".join(row) + " |" for row in rows])


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array, with the options of each method.")
@click.option("--markdown", "as_table", is_flag=True, help="Print a Markdown table.")
def command(as_json: bool, as_table: bool) -> None:
    """List the methods with reference, guarantee and cost."""
    if as_json and as_table:
        msg = "--json and --markdown exclude one another"
        raise click.UsageError(msg)
    with guarded():
        if as_json:
            click.echo(json.dumps(listing()))
        else:
            click.echo(markdown() if as_table else "\n".join(_told(method) for method in listing()))
