"""The table of answers: printed, and kept with the rows of other models."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

import click

from eval import report
from eval.answer_outcomes import RETRIEVED
from eval.answer_sets import ANSWERABLE, REMOVED, UNANSWERABLE
from eval.report import Row

#: Columns with an interval, in the order of the table.
SHARES: Final = (
    "correct", "refused", "not_in_context", "wrong", "exact", "cited", "cited_gold", "page_cited",
)  # fmt: skip
#: What answerable and other questions of one data set are called, to set refusals side by side.
_PAIRS: Final = ((RETRIEVED, REMOVED), (ANSWERABLE, UNANSWERABLE))


def tell(rows: Sequence[Row]) -> None:
    """Print the rows, and false refusals beside refusals."""
    heads = "".join(f"{name:>20}" for name in SHARES)
    click.echo(
        f"{'llm':<22}{'dataset':<11}{'group':<21}{'n':>5}{heads}{'characters':>11}{'failed':>7}"
    )
    for row in rows:
        figures = "".join(_figure(row, name) for name in SHARES)
        click.echo(
            f"{row['llm']:<22}{row['dataset']:<11}{row['group']:<21}{row['n']:>5}{figures}"
            f"{row['characters'] or '':>11}{row['failed']:>7}"
        )
    for llm, dataset in dict.fromkeys((row["llm"], row["dataset"]) for row in rows):
        own = {r["group"]: r for r in rows if (r["llm"], r["dataset"]) == (llm, dataset)}
        for answerable, other in _PAIRS:
            if answerable in own and other in own:
                refused = own[answerable]["refused"], own[other]["refused"]
                click.echo(
                    f"{llm}, {dataset}: refused {refused[0]:.3f} of what could be answered, "
                    f"{refused[1]:.3f} of what could not"
                )
    for row in rows:
        if row.get("refused_absent") is not None:
            click.echo(
                f"{row['llm']}, {row['dataset']}, {row['group']}: refused "
                f"{row['refused_absent']:.3f} of those whose answer stands in no passage at all"
            )


def write(name: str, settings: Mapping[str, object], rows: Sequence[Row]) -> str:
    """Write the rows, with those of other models that the file has; where to."""
    path = report.RESULTS / f"{name}.json"
    before: list[Row] = json.loads(path.read_text("utf-8"))["rows"] if path.is_file() else []
    written = {row["llm"] for row in rows}
    kept = [row for row in before if row["llm"] not in written]
    done = report.write(name, settings, [*rows, *kept])
    return f"{done.parent.name}/{done.name}"


def _figure(row: Row, name: str) -> str:
    if row.get(name) is None:
        return " " * 20
    return f"{row[name]:>7.3f} [{row[f'{name}_low']:.2f}-{row[f'{name}_high']:.2f}]"
