"""Functions in C: ctypes, cffi, numba."""
import ctypes
import shutil
import subprocess

import numpy as np
import pytest

from daedal import consistent_start, solve_dae

SOURCE = """
int decay(double t, const double *y, const double *yp, double *r, void *user)
{
    double k = user ? *(const double *)user : 1.0;
    r[0] = yp[0] + k * y[0];
    r[1] = y[1] - 2.0 * y[0];
    return t < 0;
}
int rates(double t, const double *y, double *f, void *user)
{
    f[0] = -y[0];
    f[1] = y[1] - 2.0 * y[0];
    return t < 0 || user;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("native")
    (folder / "functions.c").write_text(SOURCE)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", str(folder / "functions.c"), "-o",
                    str(folder / "functions.so")], check=True)
    return str(folder / "functions.so")


def test_ctypes(library):
    functions = ctypes.CDLL(library)
    res = solve_dae(functions.decay, (0, 1), [1.0, 0.0], dense_output=True)
    assert res.stats["function"] == "native" and abs(res.y[1, -1] - 2 * np.exp(-1)) < 1e-5
    assert abs(res.sol(0.5)[0] - np.exp(-0.5)) < 1e-5 and res.index == 1
    k = np.array([3.0])
    res = solve_dae(functions.decay, (0, 1), [1.0, 0.0], args=(k,))
    assert abs(res.y[0, -1] - np.exp(-3)) < 1e-5
    res = solve_dae(functions.rates, (0, 1), [1.0, 0.0], mass=np.diag([1.0, 0.0]))
    assert abs(res.y[1, -1] - 2 * np.exp(-1)) < 1e-5
    res = solve_dae(functions.decay, (0, 1), [1.0, 0.0], events=lambda t, y, yp: y[0] - 0.5)
    assert np.allclose(res.t_events[0], np.log(2), atol=1e-6)
    y, yp = consistent_start(functions.decay, [1.0, 0.0])
    assert np.allclose(y, [1.0, 2.0]) and abs(yp[0] + 1.0) < 1e-9
    with pytest.raises(TypeError, match="one NumPy array or one address"):
        solve_dae(functions.decay, (0, 1), [1.0, 0.0], args=("a", 2))


def test_cffi(library):
    cffi = pytest.importorskip("cffi")
    ffi = cffi.FFI()
    ffi.cdef("int decay(double t, const double *y, const double *yp, double *r, void *user);")
    opened = ffi.dlopen(library)
    pointer = ffi.addressof(opened, "decay") if hasattr(ffi, "addressof") else opened.decay
    res = solve_dae(pointer, (0, 1), [1.0, 0.0])
    assert res.stats["function"] == "native" and abs(res.y[1, -1] - 2 * np.exp(-1)) < 1e-5


def test_numba():
    numba = pytest.importorskip("numba")
    signature = numba.types.intc(numba.types.double, *[numba.types.CPointer(numba.types.double)] * 3,
                                 numba.types.voidptr)

    @numba.cfunc(signature)
    def decay(t, y, yp, r, user):
        r[0] = yp[0] + y[0]
        r[1] = y[1] - 2.0 * y[0]
        return 0
    res = solve_dae(decay, (0, 1), [1.0, 0.0])
    assert res.stats["function"] == "native" and abs(res.y[1, -1] - 2 * np.exp(-1)) < 1e-5
