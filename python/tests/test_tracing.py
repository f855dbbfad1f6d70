"""Functions that are run with symbols: which, and that the solutions are the same."""
import cmath
import functools
import math
import operator
import random
import types

import numpy as np
import pytest

from daedal import solve_dae
from daedal._tracing import trace
from daedal._solve import Problem
from daedal._symbols import TraceError
from styles import NOT_TRACED, STYLES


@pytest.mark.parametrize("name, fun, t_end, y0, options", STYLES, ids=[row[0] for row in STYLES])
def test_styles(name, fun, t_end, y0, options):
    times = np.linspace(0, t_end, 21)
    traced = solve_dae(fun, (0, t_end), y0, rtol=1e-7, atol=1e-10, t_eval=times, **options)
    called = solve_dae(fun, (0, t_end), y0, rtol=1e-8, atol=1e-11, t_eval=times, trace=False, **options)
    assert traced.success and called.success
    expected = "called" if name in NOT_TRACED else "traced"
    assert traced.stats["function"] == expected, traced.stats.get("function_reason")
    size = 1e-3 + np.abs(called.y).max(axis=1, keepdims=True)
    assert (np.abs(traced.y - called.y) / size).max() < 2e-4


def test_reasons_are_told():
    reasons = {}
    for name, fun, t_end, y0, options in STYLES:
        if name in NOT_TRACED:
            res = solve_dae(fun, (0, t_end), y0, **options)
            reasons[name] = res.stats["function_reason"]
            with pytest.raises(ValueError, match="cannot be traced"):
                solve_dae(fun, (0, t_end), y0, trace=True, **options)
    assert "branches on a value" in reasons["brake"] and "interp" in reasons["looked_up"]


def equations_of(fun, y0, **given):
    keys = ("method", "t_eval", "dense_output", "events", "args", "params", "jac", "jac_sparsity", "mass",
            "index", "fixed", "names", "bounds", "max_step", "first_step", "max_steps", "timeout",
            "progress")
    values = dict.fromkeys(keys, None)
    values.update(rtol=1e-6, atol=1e-9, args=(), method="auto", **given)
    return trace(Problem(fun, (0, 1), y0, None, values, {}))


@pytest.mark.parametrize("body", [
    lambda a, b: np.sin(a) + np.cos(b) * np.tan(a), lambda a, b: np.exp(-a) * np.log(2 + b * b),
    lambda a, b: np.arcsin(a / 3) + np.arccos(b / 3) - np.arctan(a), lambda a, b: np.sinh(a) - np.cosh(b),
    lambda a, b: np.tanh(a) + np.log10(3 + a), lambda a, b: np.sqrt(4 + a) / (3 + b), lambda a, b: a ** 3,
    lambda a, b: (2 + a) ** b, lambda a, b: 2.0 ** a, lambda a, b: -a ** 2 - (-b) ** 2,
    lambda a, b: np.maximum(a, b) - np.minimum(a, 0.1), lambda a, b: abs(a) * np.sign(b),
    lambda a, b: max(a, b, 0.2) + min(a, -b), lambda a, b: np.arctan2(a, 2 + b),
    lambda a, b: np.hypot(a, b), lambda a, b: math.sqrt(2 + a) + math.atan2(b, 3.0) + math.pow(2 + a, 2),
    lambda a, b: np.where(a > b, a, b) + np.where((a < 0) | (b > 1), 1.0, 2.0),
    lambda a, b: np.log1p(a * a) + np.expm1(b) + np.log2(4 + a), lambda a, b: (a > b) * 2.0 + b,
    lambda a, b: np.heaviside(a, 0.5) * b, lambda a, b: np.square(a) + np.reciprocal(3 + b),
    lambda a, b: a - (b - a) - (a / (b + 3)) / (2 + a) * (b * a), lambda a, b: 1e-30 * a + 1e300 * b,
    lambda a, b: np.interp(a, [-1.0, 0.0, 1.0], [0.0, 2.0, 1.0]) + b, lambda a, b: a % 0.7 + b,
    lambda a, b: np.linalg.norm([a, b]), lambda a, b: np.dot([a, 2.0], [b, a]),
    lambda a, b: np.linalg.det(np.array([[a, b], [1.0, 2.0]])), lambda a, b: np.mean([a, b, 1.0]),
    lambda a, b: np.prod(np.array([a, b])) + np.cumsum([a, b])[1], lambda a, b: float(a) + np.float64(b),
    lambda a, b: np.piecewise(a, [a < 0], [lambda x: x * x, lambda x: x]) + b,
])
def test_operations(body):
    """The text of the equations has the values of the function, as the library evaluates them."""
    fun = lambda t, y, yp: [yp[0] - 1.0, yp[1] + 0.7, y[2] - body(y[0], y[1])]
    res = solve_dae(fun, (0, 0.9), [-0.45, 0.35, 0.0], trace=True, t_eval=[0.05, 0.33, 0.61, 0.9])
    for t, a, b, value in zip(res.t, *res.y):
        expected = float(body(np.float64(a), np.float64(b)))
        assert abs(value - expected) <= 1e-6 * max(1.0, abs(expected)), (a, b)


class Tank:
    """An object whose methods know nothing of stand-ins."""

    def __init__(self, k):
        self.k = k

    def outflow(self, h):
        return self.k * np.sqrt(np.maximum(h, 0.0))

    def limited(self, h):
        return np.where(h > 1.0, 1.0, h) + np.float64(2.0) * np.polyval([1.0, 0.5], h)


def test_methods_of_objects_are_traced():
    tank = Tank(0.5)

    def fun(t, y, yp):
        return [yp[0] + tank.outflow(y[0]), yp[1] + tank.limited(y[1])]
    traced = solve_dae(fun, (0, 1), [1.5, 1.2], rtol=1e-9)
    called = solve_dae(fun, (0, 1), [1.5, 1.2], rtol=1e-9, trace=False)
    assert traced.stats["function"] == "traced", traced.stats.get("function_reason")
    assert np.allclose(traced.y[:, -1], called.y[:, -1], rtol=1e-7)


def test_nothing_is_patched():
    before = (np.sin, np.zeros, math.sin, np.array, max, float)
    solve_dae(STYLES[1][1], (0, 0.1), STYLES[1][3])
    assert (np.sin, np.zeros, math.sin, np.array, max, float) == before
    assert np.zeros(2).dtype == float and type(np.array([1.0])) is np.ndarray


def test_changing_state_is_recognised():
    noisy = lambda t, y, yp: [yp[0] + y[0] + 1e-3 * random.random()]
    res = solve_dae(noisy, (0, 0.01), [1.0], rtol=1e-2, atol=1e-2)
    assert res.stats["function"] == "called" and "changes" in res.stats["function_reason"]
    calls = []

    def counting(t, y, yp):
        calls.append(t)
        return yp + y
    res = solve_dae(counting, (0, 1), [1.0])
    assert res.stats["function"] == "called" and "append" in res.stats["function_reason"]
    assert all(isinstance(t, float) for t in calls)

    class Counter:
        n = 0

        def __call__(self, t, y, yp):
            self.n += 1
            return yp + y
    assert "changes n" in solve_dae(Counter(), (0, 1), [1.0]).stats["function_reason"]


def test_changed_globals_are_seen():
    space = {"k": 1.0}
    exec("def fun(t, y, yp):\n    return [yp[0] + k * y[0]]", space)
    fun = space["fun"]
    first = solve_dae(fun, (0, 1), [1.0])
    space["k"] = 2.0
    second = solve_dae(fun, (0, 1), [1.0])
    assert first.stats["function"] == second.stats["function"] == "traced"
    assert abs(first.y[0, -1] - math.exp(-1)) < 1e-5 and abs(second.y[0, -1] - math.exp(-2)) < 1e-5
    table = np.array([1.0])
    of_table = lambda t, y, yp: [yp[0] + table[0] * y[0]]
    solve_dae(of_table, (0, 1), [1.0])
    table[0] = 3.0
    assert abs(solve_dae(of_table, (0, 1), [1.0]).y[0, -1] - math.exp(-3)) < 1e-5
    holder = types.SimpleNamespace(k=1.0)
    of_holder = lambda t, y, yp: [yp[0] + holder.k * y[0]]
    solve_dae(of_holder, (0, 1), [1.0])
    holder.k = 3.0
    assert abs(solve_dae(of_holder, (0, 1), [1.0]).y[0, -1] - math.exp(-3)) < 1e-5


def test_thresholds_that_change_are_seen():
    limit = [0.5]
    fun = lambda t, y, yp: [yp[0] + np.where(y[0] > limit[0], 1.0, 0.25)]
    first = solve_dae(fun, (0, 1), [1.0]).y[0, -1]
    limit[0] = 0.6
    second = solve_dae(fun, (0, 1), [1.0])
    assert abs(first - 0.375) < 1e-5 and abs(second.y[0, -1] - 0.45) < 1e-5
    assert second.stats["function"] == "traced"


def test_large_vectorised_functions_are_called():
    heat = dict((row[0], row) for row in STYLES)["heat"][1]
    y0 = np.zeros(2000)
    y0[0] = 1.0
    res = solve_dae(heat, (0, 0.01), y0, rtol=1e-4)
    assert res.success and res.stats["function"] == "called" and "quick" in res.stats["function_reason"]


def test_loops_of_many_unknowns_are_traced():
    def fun(t, y, yp):
        r = [yp[0] + y[0]]
        for i in range(1, len(y)):
            r.append(yp[i] - math.sin(y[i - 1]) + y[i] ** 2 + 0.1 * y[i])
        return r
    res = solve_dae(fun, (0, 1), np.ones(150), rtol=1e-4)
    assert res.success and res.stats["function"] == "traced", res.stats.get("function_reason")


def test_long_expressions_get_parts():
    def fun(t, y, yp):
        x = y[0]
        for _ in range(40):
            x = np.sin(x) * x + x / 3
        return [yp[0] + x]
    res = solve_dae(fun, (0, 1), [0.5], trace=True)
    called = solve_dae(fun, (0, 1), [0.5], trace=False)
    assert np.allclose(res.y[0, -1], called.y[0, -1], rtol=1e-4)


def test_derivatives_that_occur_nonlinearly():
    fun = lambda t, y, yp: [yp[0] ** 2 - 1.0]
    for slope in (1.0, -1.0):
        res = solve_dae(fun, (0, 1), [0.0], [slope])
        assert abs(res.y[0, -1] - slope) < 1e-6 and res.stats["function"] == "called"


def test_mass_of_traced_functions():
    res = solve_dae(lambda t, y: [-y[0], y[1] - 2 * y[0]], (0, 1), [1, 0], trace=True,
                    mass=lambda t, y: np.array([[1.0 + 0 * y[0], 0.0], [0.0, 0.0]]))
    assert np.allclose(res.y[:, -1], [np.exp(-1), 2 * np.exp(-1)], rtol=1e-5)


def test_names_that_are_words_of_the_language():
    res = solve_dae(lambda t, y, yp: [yp[0] + y[0], y[1] - y[0], y[2] - 1, y[3] - 2], (0, 1), [1, 0, 0, 0],
                    names=["end", "der(x)", "it's", "a.b"], trace=True)
    assert np.allclose(res["end"], res["der(x)"]) and res.y0_moved["it's"] == (0.0, 1.0)


def test_trees_of_constants():
    found = equations_of(lambda t, y, yp: [yp[0] + 2.0 * 3.0 * y[0] * 1.0 + 0.0], [1.0])
    assert len(found.graph.nodes) < 12


def relay_with_memory():
    """On below 0.5, off above 1, between them as it was."""
    state = [0.0]

    def fun(t, y):
        state[0] = np.where(y[0] > 1.0, 0.0, np.where(y[0] < 0.5, 1.0, state[0]))
        return np.array([2.0 * state[0] - y[0]])
    return fun, state


class Counter:
    def __init__(self):
        self.log, self.last = [], None

    def aliased(self, t, y):
        log = self.log
        log.append(t)
        return -y

    def attribute(self, t, y):
        setattr(self, "last", t)
        return -y

    def __call__(self, t, y):
        self.log[:] = [t]
        return -y


def item_of_a_list(state):
    def fun(t, y):
        state[0] += 1
        return -y if state[0] < 30 else -2.0 * y  # as after a change of the weather
    return fun


def entry_of_an_array(state):
    def fun(t, y):
        state[0] = state[0] + 1
        return -y
    return fun


@pytest.mark.parametrize("fun, args, word", [
    (relay_with_memory()[0], (), "state"), (Counter().aliased, (), "its object"),
    (Counter().attribute, (), "its object"), (Counter(), (), "its object"),
    (item_of_a_list([0]), (), "state"), (entry_of_an_array(np.zeros(1)), (), "state"),
    (lambda t, y, seen: (seen.__setitem__("last", t), -y)[1], ({},), "an argument"),
    (lambda t, y, seen: (seen.__ior__({t}), -y)[1], (set(),), "an argument")],
    ids=["relay", "alias", "setattr", "call", "list", "array", "dict", "set"])
def test_functions_with_a_memory_are_called(fun, args, word):
    res = solve_dae(fun, (0, 3), [0.0 if word == "state" and not args else 1.0], args=args)
    assert res.success and res.stats["function"] == "called"
    assert f"it changes {word}, which outlives the call" in res.stats["function_reason"]


def test_symbols_do_not_stay_in_what_belongs_to_the_user():
    state, seen, fixed = {"last": 7.0, "inner": [1.0]}, [], np.arange(3.0)

    def fun(t, y):
        state["last"], state["inner"][0] = y[0], t
        seen[:] = [y]
        return -y
    with pytest.raises(TraceError, match="outlives the call"):
        equations_of(fun, [1.0])
    assert state == {"last": 7.0, "inner": [1.0]} and seen == []
    res = solve_dae(lambda t, y: -fixed[1] * y, (0, 1), [1.0])  # what is only read does not matter
    assert res.stats["function"] == "traced" and fixed.tolist() == [0.0, 1.0, 2.0]


def test_local_containers_do_not_matter():
    def fun(t, y):
        parts, names = [0.0] * 2, {}
        parts[0], names["second"] = -y[0], y[0]
        parts[1] = names["second"]
        return parts
    res = solve_dae(fun, (0, 1), [1.0, 0.0], trace=True)
    assert np.allclose(res.y[:, -1], [np.exp(-1), 1 - np.exp(-1)], rtol=1e-5)


MATRIX = np.array([[-1.0, 0.5, 0.0], [0.0, -2.0, 1.0], [0.3, 0.0, -1.0]])


@pytest.mark.parametrize("fun", [
    lambda t, y: np.einsum("ij,j->i", MATRIX, y),
    lambda t, y: np.einsum("ij,j", MATRIX, y),
    lambda t, y: np.einsum("ij, jk -> i", MATRIX, np.diag(y)),
    lambda t, y: MATRIX @ y + np.einsum("ii", np.outer(y, y)) - np.einsum("i,i->", y, y),
    lambda t, y: np.einsum("ij,kj->ki", MATRIX, y.reshape(1, 3))[0]])
def test_einsum(fun):
    called = solve_dae(fun, (0, 1), [1.0, 2.0, 3.0], trace=False, rtol=1e-8)
    assert np.allclose(solve_dae(fun, (0, 1), [1.0, 2.0, 3.0], trace=True, rtol=1e-8).y[:, -1],
                       called.y[:, -1], rtol=1e-6)


def make_sparse(kind):
    """Products of a matrix of scipy.sparse with unknowns."""
    sparse = pytest.importorskip("scipy.sparse")
    A = getattr(sparse, kind)(MATRIX)
    if kind.endswith("array"):
        return lambda t, y: A @ y - (2.0 * A) @ y
    return lambda t, y: A.dot(y) + A @ y + 0.1 * (A.T * y) - y @ A + (2.0 * A - A.T).toarray().sum() * y


@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix", "coo_matrix", "csr_array"])
def test_sparse_matrices(kind):
    fun = make_sparse(kind)
    called = solve_dae(fun, (0, 1), [1.0, 2.0, 3.0], trace=False, rtol=1e-8)
    assert np.allclose(solve_dae(fun, (0, 1), [1.0, 2.0, 3.0], trace=True, rtol=1e-8).y[:, -1],
                       called.y[:, -1], rtol=1e-6)


def test_a_sparse_matrix_that_changes_is_a_memory():
    sparse = pytest.importorskip("scipy.sparse")
    A = sparse.csr_matrix(MATRIX)

    def fun(t, y):
        A.data[0] = y[0]
        return A @ y
    with pytest.raises(ValueError, match="cannot be traced"):
        solve_dae(fun, (0, 1), [1.0, 2.0, 3.0], trace=True)
    assert A.data.dtype == float and A.data[0] == MATRIX[0, 0]


@pytest.mark.parametrize("fun", [
    lambda t, y: -np.max(np.outer(y, y), axis=0), lambda t, y: -np.maximum.reduce([y, y[::-1], 0 * y]),
    lambda t, y: -np.outer(y, y + 1).min(axis=1) - np.minimum.reduce(y)])
def test_largest_along_an_axis(fun):
    called = solve_dae(fun, (0, 1), [1.0, 2.0], trace=False, rtol=1e-8)
    assert np.allclose(solve_dae(fun, (0, 1), [1.0, 2.0], trace=True, rtol=1e-8).y[:, -1],
                       called.y[:, -1], rtol=1e-6)


def test_blocks_of_numbers_and_modules_with_functions_like_methods():
    def fun(t, y):
        M = np.block([[2.0 + np.cos(y[0]), 0.5], [0.5, 1.0]])
        return np.linalg.inv(M) @ y + functools.reduce(operator.add, y) * 0.1
    called = solve_dae(fun, (0, 1), [1.0, 2.0], trace=False, rtol=1e-8)
    assert np.allclose(solve_dae(fun, (0, 1), [1.0, 2.0], trace=True, rtol=1e-8).y[:, -1],
                       called.y[:, -1], rtol=1e-6)


class Gas:
    """Methods that use math, a property, a static method and a list of functions."""

    def __init__(self):
        self.terms = [lambda T: math.exp(-1.0 / T), {"log": math.log}]

    @property
    def factor(self):
        return math.sqrt(2.0)

    @staticmethod
    def bent(x):
        return math.tanh(x)

    def rate(self, T):
        return self.factor * self.terms[0](T) + self.bent(T) + self.terms[1]["log"](T)

    def __call__(self, t, y):
        return [-self.rate(y[0])]


@functools.lru_cache(maxsize=None)
def remembered(T):
    return math.exp(-T)


of_numbers = np.vectorize(lambda T: math.cos(T), otypes=[float])


class Quantity:
    """A number of another package, with operators of its own."""

    def __init__(self, value):
        self.value = value

    def __rmul__(self, other):
        return other * self.value

    def __rsub__(self, other):
        return other - self.value


def of_local_object(t, y):
    state = types.SimpleNamespace()
    state.level = y[0]
    return [-math.sin(state.level)]


gas = Gas()
HELPERS = types.SimpleNamespace(rate=gas.rate, inner=(math.sinh,))


@pytest.mark.parametrize("fun", [
    gas, gas.__call__, lambda t, y: [-gas.rate(y[0])], lambda t, y: [-HELPERS.rate(y[0])],
    lambda t, y: [-HELPERS.inner[0](y[0])], lambda t, y: [-remembered(y[0])],
    lambda t, y: -of_numbers(y), lambda t, y: -np.vectorize(lambda v: math.atan(v))(y), of_local_object,
    lambda t, y: [-(y[0] * Quantity(0.5) - Quantity(0.1))],
    lambda t, y, power=math.pow: [-power(y[0], 1.5)]])
def test_helpers_of_objects_and_containers(fun):
    before = remembered.cache_info().currsize
    traced = solve_dae(fun, (0, 0.5), [1.3], trace=True, rtol=1e-9)
    assert remembered.cache_info().currsize - before <= 10  # numbers of comparisons, and no symbols
    called = solve_dae(fun, (0, 0.5), [1.3], trace=False, rtol=1e-9)
    assert np.allclose(traced.y[:, -1], called.y[:, -1], rtol=1e-7)


@pytest.mark.parametrize("body", [
    lambda z: z * (2 - 1j) + 1j / z, lambda z: np.exp(1j * z.real) * z.conj(), lambda z: z ** 3 - z ** -2,
    lambda z: np.abs(z) + 1j * np.angle(z), lambda z: (z * np.conj(z) + 0.5j) / (1 + z),
    lambda z: np.log(z) + z ** 0.5, lambda z: cmath.exp(z) - cmath.rect(1.0, 0.3) * cmath.phase(z),
    lambda z: np.array([[1 + 1j, 2], [0.5j, 1]])[0] @ np.array([z, 1j]),
    lambda z: np.sum(np.array([z, z * z, 1.0]) * np.array([1j, 2.0, 3j])), lambda z: 2.0 ** z + abs(z) * 1j])
def test_complex_numbers(body):
    def fun(t, y, yp):
        value = body(y[0] + 1j * y[1])
        return [yp[0] - 1.0, yp[1] + 0.7, y[2] - np.real(value), y[3] - np.imag(value)]
    res = solve_dae(fun, (0, 0.9), [0.45, 0.85, 0.0, 0.0], trace=True, t_eval=[0.05, 0.33, 0.9])
    for a, b, re, im in res.y.T:
        assert abs(body(np.complex128(complex(a, b))) - complex(re, im)) <= 1e-6 * (1 + abs(complex(re, im)))


def test_arrays_of_complex_numbers():
    admittance = np.array([[2 - 10j, -1 + 5j], [-1 + 5j, 1.5 - 8j]])

    def fun(t, y):
        volts = y[:2].astype(complex) * np.exp(1j * y[2:])
        power = volts * np.conj(admittance @ volts)
        return np.concatenate([-power.real, -power.imag]) * 1e-2
    called = solve_dae(fun, (0, 1), [1.0, 0.9, 0.0, 0.1], trace=False, rtol=1e-8)
    traced = solve_dae(fun, (0, 1), [1.0, 0.9, 0.0, 0.1], trace=True, rtol=1e-8)
    assert np.allclose(traced.y[:, -1], called.y[:, -1], rtol=1e-6)


def test_complex_residuals_are_not_cut():
    with pytest.raises(TraceError, match="complex"):
        equations_of(lambda t, y, yp: [yp[0] + 1j * y[0]], [1.0])


class Memory:
    """An object inside of a list whose methods remember."""

    def __init__(self):
        self.last, self.inner = 0.0, [0.0]

    def set_last(self, value):
        self.last = value
        return value

    def set_inner(self, value):
        inner = self.inner
        inner[0] = inner[0] + 1.0
        return value

    def set_alias(self, value):
        same = self
        same.last = value
        return value


@pytest.mark.parametrize("name", ["set_last", "set_inner", "set_alias"])
def test_memory_of_objects_in_containers(name):
    memory = Memory()
    held = [memory, {"f": getattr(memory, name)}]
    for fun in (lambda t, y: [-getattr(held[0], name)(y[0])], lambda t, y: [-held[1]["f"](y[0])]):
        res = solve_dae(fun, (0, 1), [1.0])
        assert res.stats["function"] == "called" and "outlives" in res.stats["function_reason"]
    assert isinstance(memory.last, float) and isinstance(memory.inner[0], float)
