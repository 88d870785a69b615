"""``privboost verify``: whether a model file supports the guarantee that it states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from privboost.cli.console import print_json, print_text
from privboost.cli.paths import check_files
from privboost.errors import VerificationError
from privboost.estimators.loading import from_record
from privboost.estimators.tree import CRITERIA
from privboost.exchange.archive import read_model
from privboost.exchange.record import ModelRecord
from privboost.privacy.verify import VerificationReport, verify_statement

__all__ = ["Verified", "verify_model"]


@dataclass(frozen=True)
class Verified:
    """What was checked: the record, whose parts fit together, and the recomputed cost of its ledger."""

    record: ModelRecord
    report: VerificationReport


def verify_model(model_file: str) -> Verified:
    """Recompute the guarantee of a model file from its ledger, and hold the ledger against the trees.

    Parameters
    ----------
    model_file : str

    Returns
    -------
    Verified
        Its report's ``private`` is False for a simulation, whose arithmetic may still be right.

    Raises
    ------
    ModelFileError
        If the file is damaged or no model.
    VerificationError
        If its parts contradict each other, or it was trained without noise.
    """
    record = read_model(model_file)
    from_record(record)
    return Verified(record, verify_statement(record.statement))


def verified_text(verified: Verified) -> str:
    """Return what holds, line by line."""
    record, report = verified.record, verified.report
    n_trees = len(record.ensemble.trees)
    lines = [
        report.summary(),
        f"The domain has every test of the model's {n_trees} trees, and the ledger lists every release that such trees "
        f"take, {_calibration(record)}.",
        f"Neighbouring tables differ in {record.statement.unit.describe()}.",
    ]
    if report.search_epsilon:
        lines.append(
            "A search chose the settings. Its tries have left no ledger: their number is secret, and what one of them "
            "cost is taken as stated; what that makes of the whole was added up again."
        )
    if record.domain.cost is not None:
        lines.append(
            f"The domain itself was {record.domain.cost.describe()}. The file has no ledger of that: what it cost is "
            "taken as stated."
        )
    if report.private:
        lines.append(f"Verified: what the file records supports the {_guarantee(report)} that it states.")
    return "\n".join(lines)


def _guarantee(report: VerificationReport) -> str:
    delta = f", δ = {report.delta:g}" if report.delta else " (pure: δ = 0)"
    return f"ε = {report.epsilon:g}{delta}"


def _calibration(record: ModelRecord) -> str:
    criterion = record.parameters.get("criterion")
    if criterion is None or criterion in CRITERIA:
        return "each calibrated to at least what one row can change"
    return (
        "its leaves calibrated to at least what one row can change, its splits to what the zero-one loss demands: "
        f"more cannot be checked, since the criterion {criterion!r} is the trainer's own and not in the file"
    )


def verified_json(verified: Verified) -> dict[str, Any]:
    """Return the same facts as JSON types."""
    record = verified.record
    return verified.report.to_dict() | {
        "learner": record.learner,
        "n_trees": len(record.ensemble.trees),
        "unit": record.statement.unit.to_dict(),
        "trees_match_domain": True,
        "ledger_matches_trees": True,
        "domain_cost": None if record.domain.cost is None else record.domain.cost.to_dict(),
    }


def command(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="Model file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Recompute a model's guarantee from its ledger and check its trees; status 1 if it does not hold."""
    check_files({"MODEL": model})
    verified = verify_model(model)
    if as_json:
        print_json(verified_json(verified))
    else:
        print_text(verified_text(verified))
    if not verified.report.private:
        raise VerificationError(verified.report.warning)
