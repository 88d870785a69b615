"""Private rows to unreleased counts: cells of histograms, for all columns of numbers at once."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from privboost.data.edges import digitize
from privboost.privacy.mechanisms import Norm, RawSums
from privboost.sources.local import GRID

__all__ = ["count_cells", "finite", "row_units", "sensitivity"]

Floats = npt.NDArray[np.float64]


def finite(numbers: Floats) -> Floats:
    """Return the numbers, NaN in place of infinity: what no bound can hold counts nowhere."""
    return np.where(np.isfinite(numbers), numbers, np.nan)


def count_cells(columns: Sequence[Floats], edges: Sequence[Floats], n_cells: int, *, gaussian: bool) -> RawSums:
    """Count each column's numbers between its edges.

    A row lies in one cell of each column, or, where it has no number, in none: with n columns, adding or removing it
    changes n counts by 1 each, or fewer.

    Parameters
    ----------
    columns : sequence of n ndarrays of float64, shape (n_rows,)
        NaN where there is no number.
    edges : sequence of n ndarrays of float64
        Rising, public, at most ``n_cells - 1`` each.
    n_cells : int
        Of each column; cells that its edges do not make stay empty.
    gaussian : bool
        Whether the counts are for Gaussian noise: on its finer grid, with their sensitivity in L2 norm.

    Returns
    -------
    RawSums
        Of shape (1, n * n_cells).
    """
    counts = np.zeros((len(columns), n_cells), dtype=np.int64)
    for numbers, inner, out in zip(columns, edges, counts, strict=True):
        codes = np.empty(numbers.size, dtype=np.uint8)
        digitize(numbers, inner, codes)
        out[:] = np.bincount(codes, minlength=n_cells + 1)[1 : n_cells + 1]
    units = row_units(gaussian=gaussian)
    norm: Norm = "l2" if gaussian else "l1"
    return RawSums(counts.reshape(1, -1) * units, sensitivity(len(columns), gaussian=gaussian), norm)


def row_units(*, gaussian: bool) -> int:
    """Return the integer units that one row counts for: Gaussian noise on integers needs a fine grid."""
    return GRID if gaussian else 1


def sensitivity(n_columns: int, *, gaussian: bool) -> int:
    """Bound on the change by one row, in integer units: n rows in L1 norm; sqrt(n) in L2 norm, rounded up."""
    return math.isqrt(n_columns * GRID**2 - 1) + 1 if gaussian else n_columns
