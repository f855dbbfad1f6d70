"""How often functions are called: no point twice, columns of Jacobians together."""
import numpy as np
import pytest

from daedal import solve_dae


def akzo(t, y, yp):
    y1, y2, y3, y4, y5, y6 = y
    r1, r5 = 18.7 * y1 ** 4 * np.sqrt(y2), 0.42 * y6 ** 2 * np.sqrt(y2)
    r2, r3, r4 = 0.58 * y3 * y4, 0.58 / 34.4 * y1 * y5, 0.09 * y1 * y4 ** 2
    return np.array([yp[0] + 2 * r1 - r2 + r3 + r4, yp[1] + 0.5 * r1 + r4 + 0.5 * r5 - 3.3 * (0.9 / 737 - y2),
                     yp[2] - r1 + r2 - r3, yp[3] + r2 - r3 + 2 * r4, yp[4] - r2 + r3 - r5,
                     115.83 * y1 * y4 - y6])


START = [0.444, 0.00123, 0.0, 0.007, 0.0, 115.83 * 0.444 * 0.007]


def recorded(fun, points):
    def wrapper(t, y, *rest):
        points.append((t, *(np.array(v).tobytes() for v in (y, *rest))))
        return fun(t, y, *rest)
    return wrapper


def pendulum(t, y, yp):
    x, h, u, v, force = y
    return np.array([yp[0] - u, yp[1] - v, yp[2] + force * x, yp[3] + force * h + 9.81, x * x + h * h - 1.0])


@pytest.mark.parametrize("fun, y0, t_end, index", [(akzo, START, 180.0, 1),
                                                   (pendulum, [1.0, 0, 0, 0, 0], 1.0, 3)])
def test_no_point_is_called_twice(fun, y0, t_end, index):
    points = []
    res = solve_dae(recorded(fun, points), (0, t_end), y0, trace=False, method="radau")
    assert res.success and res.index == index
    repeated, last = 0, {}
    for place, point in enumerate(points):
        repeated += 1 < place - last.get(point, place) < 16  # once more at once is a test for noise
        last[point] = place
    assert repeated == 0
    assert len(points) <= res.nfev + 6  # the index comes from the run; the residual takes a few calls


def test_index_without_a_search():
    assert solve_dae(lambda t, y: -y, (0, 1), [1.0], trace=False).index == 0
    assert solve_dae(lambda t, y, yp: yp + y, (0, 1), [1.0, 2.0], trace=False).index == 0
    # der(y[1]) occurs, but is not determined: the start looks at the pattern once more
    moving = lambda t, y, yp: [yp[0] - t * yp[1] + y[0] - (1 + t) * y[1], y[1] - np.sin(t)]
    assert solve_dae(moving, (0, 1), [1.0, 0.0], trace=False).index == 1
    # the pattern promises index 1, the values do not: y[1] is found by differentiation
    hidden = lambda t, y, yp: [yp[0] - y[1], y[0] - np.sin(t) + 0.0 * y[1]]
    assert solve_dae(hidden, (0, 1), [0.0, 1.0], trace=False).index == 2


@pytest.mark.parametrize("method", ["bdf", "radau", "rodas"])
def test_vectorized(method):
    def fun(t, y, yp):
        calls.append(y.shape)
        return akzo(t, y, yp)
    results, counts = [], []
    for vectorized in (False, True):
        calls = []
        results.append(solve_dae(fun, (0, 180), START, method=method, vectorized=vectorized, trace=False))
        counts.append(len(calls))
        assert vectorized == any(len(shape) == 2 for shape in calls)
    # powers of arrays and of numbers may differ in the last digit
    assert np.allclose(results[0].y[:, -1], results[1].y[:, -1], rtol=1e-5)
    assert counts[1] < counts[0] - 4 * results[0].njev


def test_vectorized_with_a_mass():
    shapes = set()

    def fun(t, y):
        shapes.add(y.ndim)
        return np.array([-y[0] + y[2], y[0] - y[1], y[0] + y[2] - 1.0])
    given = dict(mass=np.diag([1.0, 1.0, 0.0]), trace=False, method="bdf")
    single = solve_dae(fun, (0, 2), [1.0, 0.0, 0.0], **given)
    many = solve_dae(fun, (0, 2), [1.0, 0.0, 0.0], vectorized=True, **given)
    assert shapes == {1, 2} and np.array_equal(single.y, many.y)


def test_functions_that_are_not_vectorized():
    def flat(t, y, yp):
        return np.array([yp[0].sum() + y[0].sum(), yp[1].sum() + y[1].sum()])
    with pytest.raises(ValueError, match=r"vectorized=True: .* expected is the shape \(2, \d+\)"):
        solve_dae(flat, (0, 1), [1.0, 2.0], vectorized=True, trace=False, method="bdf")

    def mixed(t, y, yp):
        return (yp + y).T  # two unknowns, and two columns
    with pytest.raises(ValueError, match="other values for a column"):
        solve_dae(mixed, (0, 1), [1.0, 2.0], vectorized=True, trace=False, method="bdf")


RATES = np.array([0.5, 1.0, 2.0])


def decay(t, y, yp):
    return yp + RATES * y


@pytest.mark.parametrize("change", [
    lambda r: np.stack([r, -r], axis=1)[:, 0],  # a column: not contiguous
    lambda r: r[::-1].copy()[::-1],
    lambda r: r.reshape(1, 3),
    lambda r: r.astype(">f8"),
    lambda r: np.ma.masked_array(r),
    lambda r: r.tolist(),
    lambda r: tuple(r),
    lambda r: np.array(list(r), object)],
    ids=["column", "reversed", "row", "big-endian", "masked", "list", "tuple", "object"])
def test_results_in_other_forms(change):
    plain = solve_dae(decay, (0, 1), [1.0, 2.0, 3.0], trace=False)
    other = solve_dae(lambda t, y, yp: change(decay(t, y, yp)), (0, 1), [1.0, 2.0, 3.0], trace=False)
    assert np.array_equal(plain.y, other.y)


def test_arrays_that_a_function_keeps_are_not_overwritten():
    kept, copies = [], []

    def fun(t, y, yp, *rest):
        kept.append((y, yp[1:]) if len(kept) % 3 else (y[::2], yp))
        copies.append(tuple(a.copy() for a in kept[-1]))
        return decay(t, y, yp)
    res = solve_dae(fun, (0, 1), [1.0, 2.0, 3.0], args=(1, "a"), trace=False)
    assert np.allclose(res.y[:, -1], [np.exp(-0.5), 2 * np.exp(-1), 3 * np.exp(-2)], rtol=1e-5)
    assert all(np.array_equal(a, b) for k, c in zip(kept, copies) for a, b in zip(k, c))


def test_a_function_may_return_and_change_its_arguments():
    plain = solve_dae(decay, (0, 1), [1.0, 2.0, 3.0], trace=False)

    def fun(t, y, yp):
        yp += RATES * y
        y[:] = np.nan
        return yp
    assert np.array_equal(solve_dae(fun, (0, 1), [1.0, 2.0, 3.0], trace=False).y, plain.y)


def test_events_and_jacobians_share_the_arrays_of_the_function():
    seen = []

    def event(t, y):
        seen.append(y)
        return y[0] - 0.5
    matrices = []

    def jac(t, y):
        matrices.append(y)
        return -np.diag(RATES)
    res = solve_dae(lambda t, y: -RATES * y, (0, 2), [1.0, 2.0, 3.0], events=event, jac=jac, method="bdf",
                    mass=lambda t, y: np.eye(3) + 0.0 * y[0])
    assert abs(res.t_events[0][0] - 2 * np.log(2)) < 1e-5
    assert len({id(y) for y in seen}) == len(seen) and matrices
