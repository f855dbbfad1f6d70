"""Files of results."""
from __future__ import annotations

import json
import os
from typing import Any

import numpy as np


def save(result: Any, file: Any) -> None:
    """Write a `Solution`; the extension of the file decides how."""
    path = os.fspath(file)
    kind = os.path.splitext(path)[1].lower()
    writers = {".csv": _save_csv, ".npz": _save_npz, ".json": _save_json, ".mat": _save_mat}
    if kind not in writers:
        raise ValueError(f"{path!r}: the extension must be one of {', '.join(writers)}")
    writers[kind](result, path)


def _save_csv(result: Any, path: str) -> None:
    quoted = [f'"{name}"' if any(c in name for c in ',"') else name for name in result.names]
    header = ",".join(["time", *quoted])
    table = np.vstack([result.t, result.y]).T
    np.savetxt(path, table, delimiter=",", header=header, comments="", fmt="%.17g")


def _save_npz(result: Any, path: str) -> None:
    np.savez(path, t=result.t, y=result.y, yp=result.yp, names=np.array(result.names))


def _save_json(result: Any, path: str) -> None:
    columns = {name: row.tolist() for name, row in zip(result.names, result.y)}
    document = {"status": result.status, "message": result.message, "time": result.t.tolist(),
                "variables": columns}
    with open(path, "w", encoding="utf-8") as out:
        json.dump(document, out)


def _save_mat(result: Any, path: str) -> None:
    try:
        from scipy.io import savemat
    except ImportError:
        raise RuntimeError(".mat files need SciPy, which is not installed"
                           " (Debian: python3-scipy); .npz and .csv do not") from None
    savemat(path, {"t": result.t, "y": result.y, "yp": result.yp,
                   "names": np.array(result.names, dtype=object)})
