"""Some of the rows of a table, of whatever library: moved, and not looked at."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

__all__ = ["take_rows"]


def take_rows(table: Any, positions: npt.NDArray[np.int64]) -> Any:
    """Return the rows at ``positions``, as a table or a column of the same kind.

    Parameters
    ----------
    table : table or column
        What `read_schema` or `count_labels` accepts.
    positions : ndarray of int64
        Rising, from 0 on.
    """
    if isinstance(table, np.ndarray):
        return table[positions]
    if type(table).__module__.partition(".")[0] == "pyarrow":
        return table.take(positions)
    native = nw.from_native(table, allow_series=True, pass_through=True)
    if isinstance(native, nw.DataFrame | nw.Series):
        return nw.to_native(native[positions])
    items = table if isinstance(table, list | tuple) else list(table)
    return [items[i] for i in positions.tolist()]
