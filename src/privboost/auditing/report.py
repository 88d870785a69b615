"""What an audit found, next to what was claimed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from privboost.auditing.chart import bar_chart

__all__ = ["AuditReport"]

_METHODS = {
    "exact": "exact laws on tiny tables",
    "sampling": "many trainings on two neighbouring tables",
    "one-run": "one training with canaries",
}
_PRIVATE_ROWS = (
    "These figures come from rows that were given, without noise for their protection: they are not private. Show "
    "them to nobody who may not see the rows."
)


@dataclass(frozen=True)
class AuditReport:
    """A lower bound on what a learner reveals, next to its claim.

    Attributes
    ----------
    learner : str
        Name of the estimator's class.
    method : {"exact", "sampling", "one-run"}
    epsilon, delta : float
        The claim that was audited.
    relation : {"add-remove", "replace-one"}
    rows_per_person : int
    lower_bound : float
        The learner is not (e, delta)-private for any e below it, up to a chance of 1 - ``confidence``. In an exact
        audit of Gaussian noise whose moves depend on outcomes, the least of all scripts that were tried.
    confidence : float
        1 for an exact audit.
    upper_bound : float or None
        Of an exact audit: no outcome of the transcripts that were tried reveals more. In units of epsilon, or a delta
        at ``epsilon`` where ``delta`` is above 0.
    attained_delta : float or None
        Of an exact audit of Gaussian noise: the delta at ``epsilon`` that is really needed.
    mu : float or None
        Lower bound on the learner's mu of Gaussian differential privacy, of a sampling audit.
    holds : bool
        Whether the claim is not contradicted.
    secure : bool
        Whether the audited noise was the operating system's, or scripted; False for a seeded simulation.
    runs : int
        Trainings.
    seconds : float
    own_rows : bool
        Whether rows were given, so that these figures are not private.
    details : dict
        Further figures of the method, JSON types. "releases": what kinds there were. "left at auto": what was audited
        for settings left to the library, which follow from the number of rows: other tables may get others.
    """

    learner: str
    method: str
    epsilon: float
    delta: float
    relation: str
    rows_per_person: int
    lower_bound: float
    confidence: float
    holds: bool
    secure: bool
    runs: int
    seconds: float
    upper_bound: float | None = None
    attained_delta: float | None = None
    mu: float | None = None
    own_rows: bool = False
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def tightness(self) -> float:
        """Share of the claimed epsilon that the lower bound reaches."""
        return self.lower_bound / self.epsilon

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a mapping that strict JSON can hold."""
        return asdict(self) | {"private": not self.own_rows}

    def to_json(self) -> str:
        """Return `to_dict` as one line of strict JSON."""
        return json.dumps(self.to_dict(), allow_nan=False)

    def plot(self) -> str:
        """Return a drawing of the claim and the bounds, as SVG."""
        bars = [("claimed ε", self.epsilon), ("shown: at least", self.lower_bound)]
        if self.upper_bound is not None and not self.delta:
            bars.insert(1, ("at most, as tried", self.upper_bound))
        return bar_chart(f"Audit of {self.learner}: {_METHODS[self.method]}", bars, self.epsilon)

    def save(self, path: str | Path) -> None:
        """Write `plot` to a file.

        Parameters
        ----------
        path : str or Path
            Of an SVG file.
        """
        Path(path).write_text(self.plot(), encoding="utf-8")

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self._rows())
        lines = [f"{name.ljust(width)}  {value}" for name, value in self._rows()]
        if self.own_rows:
            lines += ["", _PRIVATE_ROWS]
        return "\n".join(lines)

    def _rows(self) -> list[tuple[str, str]]:
        claim = f"ε = {self.epsilon:.6g}" + (f", δ = {self.delta:g}" if self.delta else "")
        persons = "" if self.rows_per_person == 1 else f", {self.rows_per_person} rows a person"
        rows = [
            ("learner", self.learner),
            ("method", f"{self.method}: {_METHODS[self.method]}"),
            ("claim", f"{claim} ({self.relation}{persons})"),
            ("lower bound", self._lower()),
        ]
        if self.upper_bound is not None:
            unit = f"δ = {self.upper_bound:.6g} at this ε" if self.delta else f"ε = {self.upper_bound:.6g}"
            rows.append(("upper bound", f"{unit}, for the outcomes that were tried"))
        if self.mu is not None:
            rows.append(("lower bound", f"μ = {self.mu:.4g}"))
        rows += [(name.replace("_", " "), _short(value)) for name, value in self.details.items()]
        noise = "" if self.secure else "; the noise was simulated with a seed"
        rows.append(("trainings", f"{self.runs} in {self.seconds:.1f} s{noise}"))
        rows.append(("verdict", "the claim stands" if self.holds else "THE CLAIM IS CONTRADICTED"))
        return rows

    def _lower(self) -> str:
        sure = "exact" if self.confidence == 1.0 else f"confidence {self.confidence:.10g}"
        return f"ε = {self.lower_bound:.6g} ({self.tightness:.0%} of the claim; {sure})"


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, dict):  # of settings that were left to the library
        settings = ", ".join(f"{name}={_short(setting)}" for name, setting in value["settings"].items())
        return f"resolved for {value['rows']} rows: {settings}"
    return (", ".join(map(_short, value)) or "none") if isinstance(value, list) else str(value)
