"""solve_dae: results, arguments, errors."""
import pickle

import numpy as np
import pytest

import daedal
from daedal import solve_dae


def pendulum(t, y, yp):
    x, h, u, v, force = y
    return np.array([yp[0] - u, yp[1] - v, yp[2] + force * x, yp[3] + force * h + 9.81,
                     x * x + h * h - 1.0])


def robertson(t, y, yp):
    return [yp[0] + 0.04 * y[0] - 1e4 * y[1] * y[2],
            yp[1] - 0.04 * y[0] + 1e4 * y[1] * y[2] + 3e7 * y[1] ** 2, y.sum() - 1.0]


def decay(t, y, yp):
    return np.array([yp[0] + y[0], y[1] - 2.0 * y[0]])


ROBERTSON_40 = [0.7158270687, 0.9185534765e-5, 0.2841637457]


@pytest.mark.parametrize("trace", [False, "auto"])
def test_pendulum_without_hints(trace):
    res = solve_dae(pendulum, (0, 10), [1, 0, 0, 0, 0], rtol=1e-8, trace=trace,
                    t_eval=np.linspace(0, 10, 101))
    assert res.success and res.index == 3
    assert np.abs(res.y[0] ** 2 + res.y[1] ** 2 - 1.0).max() < 1e-10
    assert np.abs(res.y[0] * res.y[2] + res.y[1] * res.y[3]).max() < 1e-8
    energy = 0.5 * (res.y[2] ** 2 + res.y[3] ** 2) + 9.81 * res.y[1]
    assert np.abs(energy).max() < 3e-4  # velocities of index 2 have fewer digits if the function is called
    assert abs(res.y[0, -1] - 0.2750874) < 1e-5


@pytest.mark.parametrize("trace", [False, "auto"])
def test_fields_of_solve_ivp(trace):
    res = solve_dae(robertson, (0, 40), [1, 0, 0], rtol=1e-8, atol=1e-12, trace=trace)
    assert res.y.shape == res.yp.shape == (3, len(res.t)) and res.t[0] == 0 and res.t[-1] == 40
    assert res.status == 0 and res.sol is None and res.t_events is None
    assert res.nfev > 0 and res.njev > 0 and res.nlu > 0
    assert np.allclose(res.y[:, -1], ROBERTSON_40, rtol=1e-6)
    assert res.y.flags.writeable
    assert np.array_equal(res["y[1]"], res.y[1]) and np.array_equal(res[1], res.y[1])


@pytest.mark.parametrize("method", ["bdf", "bdf_classic", "radau", "rodas", "limex"])
def test_methods(method):
    res = solve_dae(decay, (0, 2), [1, 0], method=method, trace=False)
    assert res.stats["method"] == method
    assert np.allclose(res.y[:, -1], [np.exp(-2), 2 * np.exp(-2)], rtol=1e-4)


def test_names_and_start():
    res = solve_dae(decay, (0, 1), [1, 0], names=["x", "twice"], trace=False)
    assert np.array_equal(res["x"], res.y[0]) and np.array_equal(res["der(x)"], res.yp[0])
    assert res.y0_moved == {"twice": (0.0, 2.0)}
    with pytest.raises(KeyError, match="did you mean 'twice'"):
        res["twise"]
    assert solve_dae(decay, (0, 1), [1, 0], names="x, z").names == ["x", "z"]


def test_fixed_values():
    fun = lambda t, y, yp: [yp[0] + y[1], y[0] + y[1] - 1.0]
    kept = solve_dae(fun, (0, 1), [5.0, 0.25], fixed=[1], trace=False)
    assert kept.y[1, 0] == 0.25 and abs(kept.y[0, 0] - 0.75) < 1e-12


@pytest.mark.parametrize("method", ["bdf", "radau", "rodas", "limex", "dopri"])
def test_dense_output(method):
    res = solve_dae(lambda t, y: [y[1], -y[0]], (0, 10), [0, 1], rtol=1e-7, atol=1e-9, method=method,
                    dense_output=True, trace=False)
    t = np.linspace(0, 10, 777)
    assert np.abs(res.sol(t)[0] - np.sin(t)).max() < 2e-5
    assert res.sol(3.0).shape == (2,) and res.sol(t).shape == (2, 777)
    assert np.array_equal(res.sol(res.t[5]), res.y[:, 5])
    assert (res.sol.t_min, res.sol.t_max) == (0.0, 10.0)


def test_dense_output_with_t_eval_and_backward():
    res = solve_dae(decay, (2, 0), [np.exp(-2), 0], t_eval=[2, 1, 0], dense_output=True, trace=False)
    assert np.allclose(res.y[0], np.exp(-res.t), rtol=1e-5)
    assert np.allclose(res.sol([0.3, 1.7])[0], np.exp([-0.3, -1.7]), rtol=1e-5)


def test_mass_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    fun = lambda t, y: [-y[0], y[1] - 2.0 * y[0]]
    diagonal = np.diag([1.0, 0.0])
    for mass in (diagonal, sparse.csc_matrix(diagonal), lambda t: diagonal, lambda t, y: diagonal,
                 lambda t, y: sparse.csr_matrix(diagonal)):
        res = solve_dae(fun, (0, 1), [1, 0], mass=mass)
        assert np.allclose(res.y[:, -1], [np.exp(-1), 2 * np.exp(-1)], rtol=1e-5)
    moving = solve_dae(lambda t, y: [-y[0] * (1.0 + t)], (0, 1), [1.0], mass=lambda t: [[1.0 + t]])
    assert abs(moving.y[0, -1] - np.exp(-1)) < 1e-5


def test_jacobians():
    sparse = pytest.importorskip("scipy.sparse")
    by_y, by_yp = np.array([[1.0, 0.0], [-2.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 0.0]])
    calls = []

    def jac(t, y, yp):
        calls.append(t)
        return sparse.csc_matrix(by_y), sparse.coo_matrix(by_yp)
    for given in ((by_y, by_yp), jac, lambda t, y, yp: (by_y, by_yp)):
        res = solve_dae(decay, (0, 1), [1, 0], jac=given, check_jacobian=True)
        assert res.success and abs(res.y[1, -1] - 2 * np.exp(-1)) < 1e-5
    assert calls
    wrong = solve_dae(decay, (0, 1), [1, 0], jac=(-by_y, by_yp), check_jacobian=True)
    assert not wrong.success and wrong.diagnosis.cause == "wrong_jacobian"
    assert solve_dae(lambda t, y: -y, (0, 1), [1.0, 2.0], jac=-np.eye(2)).success
    assert solve_dae(decay, (0, 1), [1, 0], jac_sparsity=by_y + by_yp).success
    with pytest.raises(ValueError, match="pattern lacks"):
        solve_dae(decay, (0, 1), [1, 0], jac=(by_y, by_yp), jac_sparsity=np.eye(2))
    with pytest.raises(ValueError, match="two matrices"):
        solve_dae(decay, (0, 1), [1, 0], jac=lambda t, y, yp: by_y)


def test_tolerances_by_variable_and_bounds():
    res = solve_dae(robertson, (0, 40), [1, 0, 0], rtol=1e-7, atol=[1e-9, 1e-13, 1e-9])
    assert np.allclose(res.y[:, -1], ROBERTSON_40, rtol=1e-5)
    assert solve_dae(robertson, (0, 1e5), [1, 0, 0], bounds=(0.0, 1.0), trace=False).y.min() >= 0.0
    assert solve_dae(decay, (0, 1), [1, 0], bounds={0: (0, None)}, trace=False).success


def test_arguments_of_the_function():
    def fun(t, y, yp, k, shift=0.0):
        return [yp[0] + k * y[0] - shift]
    res = solve_dae(fun, (0, 1), [1.0], args=(2.0,))
    assert abs(res.y[0, -1] - np.exp(-2)) < 1e-5
    res = solve_dae(fun, (0, 1), [1.0], params={"k": 1.0, "shift": 1.0})
    assert np.allclose(res.y, 1.0)


def test_defaults_are_no_derivatives():
    def fun(t, y, k=2.0):
        return -k * y
    assert abs(solve_dae(fun, (0, 1), [1.0]).y[0, -1] - np.exp(-2)) < 1e-5
    assert abs(solve_dae(fun, (0, 1), [1.0], args=(1.0,)).y[0, -1] - np.exp(-1)) < 1e-5

    def residual(t, y, yp, k=2.0):
        return yp + k * y
    assert abs(solve_dae(residual, (0, 1), [1.0], args=(1.0,)).y[0, -1] - np.exp(-1)) < 1e-5


def test_failure_keeps_the_part_before():
    res = solve_dae(lambda t, y: y * y, (0, 2), [1.0], trace=False)
    assert not res.success and res.status == -1 and 0.9 < res.t[-1] < 1.01
    assert res.diagnosis.cause == "blow_up" and "blow" in repr(res)
    for trace in (False, True):
        late = solve_dae(lambda t, y: y * y, (0, 2), [1.0], t_eval=[2.0], trace=trace)
        assert not late.success and late.diagnosis.cause == "blow_up"
    ended = solve_dae(lambda t, y, yp: yp + y * (1.0 if t < 0.5 else np.nan), (0, 1), [1.0], t_eval=[1.0],
                      trace=False)
    assert not ended.success and ended.diagnosis.cause == "domain_error"


def test_limits_of_work():
    wave = lambda t, y, yp: [yp[0] - y[1], yp[1] + y[0]]
    res = solve_dae(wave, (0, 1000), [1.0, 0.0], max_steps=20, trace=False)
    assert res.status == -1 and "max_steps" in res.message and len(res.t) > 10
    late = solve_dae(wave, (0, 1e9), [1.0, 0.0], timeout=0.05)
    assert late.status == 2 and not late.success and "time limit" in late.message


@pytest.mark.parametrize("options, error, words", [
    (dict(rtoll=1e-3), TypeError, "did you mean 'rtol'"),
    (dict(metod="bdf"), TypeError, "did you mean 'method'"),
    (dict(method="radua"), ValueError, "did you mean 'radau'"),
    (dict(t_eval=[0.5, 0.2]), ValueError, "sorted"),
    (dict(t_eval=[0.5, 2.0]), ValueError, "outside t_span"),
    (dict(t_eval=[0.5, np.nan]), ValueError, "finite"),
    (dict(mass=np.eye(3)), ValueError, "2 x 2"),
    (dict(jac_sparsity=np.eye(3)), ValueError, "2 x 2"),
    (dict(names=["a"]), ValueError, "expected 2"),
    (dict(fixed=["q"], names=["a", "b"]), ValueError, "no variable 'q'"),
    (dict(atol=[1e-3]), ValueError, "2 entries"),
    (dict(atol=-1.0), ValueError, "zero or positive"),
    (dict(rtol=2.0), ValueError, "outside"),
    (dict(yp0=[1.0]), ValueError, "2 entries"),
    (dict(max_steps=0), ValueError, "positive"),
    (dict(breakpoints=[0.5, np.nan]), ValueError, r"breakpoints\[1\] is nan"),
    (dict(breakpoints="soon"), TypeError, "breakpoints must consist of real numbers"),
    (dict(max_step=-1.0), ValueError, "positive"),
    (dict(timeout=0), ValueError, "positive"),
    (dict(events=3), TypeError, "list of functions"),
    (dict(bounds=(1.0, 0.0)), ValueError, "exceeds"),
    (dict(index=2), ValueError, "index 1"),
    (dict(order_max=99), ValueError, "outside"),
])
def test_wrong_options(options, error, words):
    fun = (lambda t, y: -y) if "mass" in options else decay
    with pytest.raises(error, match=words):
        solve_dae(fun, (0, 1), [1, 0], **options)


@pytest.mark.parametrize("span, y0, error, words", [
    ((0, np.inf), [1, 0], ValueError, "finite"),
    ((0,), [1, 0], ValueError, "two numbers"),
    ((0, 1), [1, np.nan], ValueError, r"y0\[1\] is nan"),
    ((0, 1), [1, 1j], TypeError, "complex"),
    ((0, 1), [[1, 0]], ValueError, "vector"),
    ((0, 1), [], ValueError, "empty"),
    ((0, 1), ["a", "b"], TypeError, "real numbers"),
    ((0, 1), None, TypeError, "y0 is missing"),
])
def test_wrong_problems(span, y0, error, words):
    with pytest.raises(error, match=words):
        solve_dae(decay, span, y0)


class Changing:
    """Returns something else from the fifth call on."""

    def __init__(self, later):
        self.calls, self.later = 0, later

    def __call__(self, t, y, yp):
        self.calls += 1
        return decay(t, y, yp) if self.calls < 5 else self.later(y)


@pytest.mark.parametrize("value, error, words", [
    (lambda y: None, TypeError, "None"),
    (lambda y: [1.0], ValueError, "expected 2"),
    (lambda y: np.zeros((2, 2)), ValueError, "expected 2"),
    (lambda y: 1.0, ValueError, "expected 2"),
    (lambda y: "ab", TypeError, "2 numbers"),
    (lambda y: [1j, 2], TypeError, "complex"),
    (lambda y: [None, 2], TypeError, "2 numbers"),
])
@pytest.mark.parametrize("when", ["always", "later"])
def test_wrong_values(value, error, words, when):
    fun = Changing(value) if when == "later" else lambda t, y, yp: value(y)
    with pytest.raises(error, match=words):
        solve_dae(fun, (0, 1), [1, 0])


def test_functions_without_finite_values():
    with pytest.raises(ValueError, match="NaN"):
        solve_dae(lambda t, y, yp: y * np.nan, (0, 1), [1, 0], trace=False)
    res = solve_dae(lambda t, y, yp: yp + y * (1.0 if t < 0.5 else np.nan), (0, 1), [1, 0], trace=False)
    assert not res.success and 0.4 < res.t[-1] <= 0.5 and res.diagnosis.cause == "domain_error"


@pytest.mark.parametrize("kind", [np.float32, np.int64, list, tuple])
def test_kinds_of_values(kind):
    def fun(t, y, yp):
        r = yp + np.array([1.0, 2.0]) * 0 + y
        return kind(r.tolist()) if kind in (list, tuple) else np.round(r * 0 + 1).astype(kind) * 0 + r
    assert solve_dae(fun, (0, 1), [1.0, 2.0], trace=False).success
    floats = lambda t, y, yp: (yp + y).astype(np.float32)
    assert solve_dae(floats, (0, 1), [1.0, 2.0], rtol=1e-3, trace=False).t[-1] > 0


def test_kept_arguments_do_not_change():
    kept = []

    def fun(t, y, yp):
        kept.append((y, y.copy()))
        return yp + y
    solve_dae(fun, (0, 1), [1.0], trace=False)
    assert all(np.array_equal(a, b) for a, b in kept) and len(kept) > 5


def test_output(tmp_path):
    res = solve_dae(decay, (0, 1), [1, 0], names=["x", "z"], dense_output=True)
    again = pickle.loads(pickle.dumps(res))
    assert np.array_equal(again.y, res.y) and np.array_equal(again.sol(0.5), res.sol(0.5))
    assert "<svg" in res._repr_html_() and "index" in repr(res)
    res.save(tmp_path / "a.npz")
    assert np.array_equal(np.load(tmp_path / "a.npz")["y"], res.y)
    res.save(tmp_path / "a.csv")
    table = np.genfromtxt(tmp_path / "a.csv", delimiter=",", names=True)
    assert np.array_equal(table["x"], res["x"])
    res.save(tmp_path / "a.json")
    with pytest.raises(ValueError, match="extension"):
        res.save(tmp_path / "a.txt")


def test_pandas_and_matplotlib(tmp_path):
    res = solve_dae(decay, (0, 1), [1, 0], names=["x", "z"])
    pandas = pytest.importorskip("pandas")
    frame = res.to_pandas()
    assert list(frame.columns) == ["x", "z"] and frame.index.name == "time"
    assert isinstance(frame, pandas.DataFrame)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert len(res.plot("x").lines) == 1


def test_version():
    assert daedal.__version__.count(".") == 2


def test_words_of_errors():
    with pytest.raises(TypeError, match="with `mass` the function is fun\\(t, y\\).* it takes 3 arguments"):
        solve_dae(lambda t, y, yp: yp + y, (0, 1), [1.0], mass=[[1.0]])
    with pytest.raises(ValueError, match="a list of 2 entries, expected 1 number, as many"):
        solve_dae(lambda t, y: [1.0, 2.0], (0, 1), [1.0])
    with pytest.raises(ValueError, match="rtol = nan must be zero or positive"):
        solve_dae(lambda t, y: -y, (0, 1), [1.0], rtol=float("nan"))
    res = solve_dae(lambda t, y, yp: [yp[0] + y[0], 0.0], (0, 1), [1.0, 2.0])
    assert "y[1] is in no equation; remove it" in res.message
    assert solve_dae(lambda t, y: -y, (1, 1), [1.0]).stats["function_reason"] == "t_span has no length"


def jumping(t, y, yp, jump=1.5):
    return [yp[0] + y[0] - y[1], y[1] - (1.0 if t < jump else 0.2)]


def after_jumping(t, jump=1.5):
    at_jump = 1 - np.exp(-jump)
    return np.where(t <= jump, 1 - np.exp(-t), 0.2 + (at_jump - 0.2) * np.exp(jump - t))


def test_jump_without_breakpoint_is_passed_or_told():
    """Whether a step passes a jump of an algebraic variable depends on roundoff; bdf stops at most of them."""
    told = 0
    for jump in (0.9, 1.1, 1.5, 1.7, 2.3):
        for method in ("auto", "bdf"):
            res = solve_dae(jumping, (0, 3), [0.0, 1.0], args=(jump,), method=method)
            assert np.abs(res.y[0] - after_jumping(res.t, jump)).max() < 1e-5
            if not res.success:
                assert "in breakpoints" in res.message and abs(res.t[-1] - jump) < 1e-9
                told += 1
    assert told > 0


@pytest.mark.parametrize("method", ["auto", "bdf", "bdf_classic", "radau", "rodas", "limex"])
@pytest.mark.parametrize("how", [{}, {"t_eval": [1.0, 1.5, 2.0, 3.0]}, {"dense_output": True}])
def test_breakpoints(method, how):
    res = solve_dae(jumping, (0, 3), [0.0, 1.0], breakpoints=[7.0, 1.5, 1.5], method=method, **how)
    assert res.success and 1.5 in res.t and res.t[-1] == 3.0
    assert np.abs(res.y[0] - after_jumping(res.t)).max() < 1e-5
    assert np.abs(res.y[1] - np.where(res.t <= 1.5, 1.0, 0.2)).max() < 1e-9
    assert res.constraint_residual < 1e-9
    if how.get("dense_output"):
        t = np.array([0.3, 1.4, 1.5, 1.5 + 1e-9, 1.6, 2.9])
        assert np.abs(res.sol(t)[0] - after_jumping(t)).max() < 1e-5
        assert np.abs(res.sol(t)[1] - np.where(t <= 1.5, 1.0, 0.2)).max() < 1e-5


def test_breakpoints_backward_and_traced():
    backward = solve_dae(jumping, (3, 0), [float(after_jumping(3.0)), 0.2], breakpoints=1.5)
    assert backward.success and np.abs(backward.y[0] - after_jumping(backward.t)).max() < 1e-5
    traced = solve_dae(lambda t, y, yp: [yp[0] + y[0] - np.where(t < 1.5, 1.0, 0.2)], (0, 3), [0.0],
                       breakpoints=[0.7, 1.5], trace=True)
    assert traced.success and 0.7 in traced.t
    assert np.abs(traced.y[0] - after_jumping(traced.t)).max() < 1e-5
