"""Events of functions: location, direction, terminal, actions."""
import numpy as np
import pytest

from daedal import solve_dae

TRACE = pytest.mark.parametrize("trace", [False, "auto"])


def falling(t, y, yp):
    return [yp[0] - y[1], yp[1] + 9.81]


def ground(t, y, yp):
    return y[0]


def event(function, **attributes):
    def copy(t, y, yp):
        return function(t, y, yp)
    copy.__dict__.update(attributes)
    return copy


@TRACE
def test_terminal(trace):
    res = solve_dae(falling, (0, 10), [1.0, 0.0], events=event(ground, terminal=True), trace=trace,
                    rtol=1e-9, atol=1e-12)
    when = np.sqrt(2 / 9.81)
    assert res.status == 1 and res.success and "termination event" in res.message
    assert abs(res.t[-1] - when) < 1e-8 and abs(res.t_events[0][0] - when) < 1e-8
    assert res.y_events[0].shape == (1, 2) and abs(res.y_events[0][0, 0]) < 1e-8


@TRACE
def test_direction_and_several_events(trace):
    wave = lambda t, y, yp: [yp[0] - y[1], yp[1] + y[0]]
    zero = lambda t, y, yp: y[0]
    res = solve_dae(wave, (0, 10), [0.0, 1.0], trace=trace, rtol=1e-9, atol=1e-12,
                    events=[event(zero, direction=1), event(zero, direction=-1), zero,
                            event(zero, terminal=2)])
    assert np.allclose(res.t_events[0], [2 * np.pi], atol=1e-7)
    assert np.allclose(res.t_events[1], [np.pi], atol=1e-7)
    assert np.allclose(res.t_events[2], [np.pi, 2 * np.pi], atol=1e-7)
    assert res.status == 1 and abs(res.t[-1] - 2 * np.pi) < 1e-7


@TRACE
def test_action(trace):
    def bounce(t, y, yp):
        return [0.0, -0.8 * y[1]]
    res = solve_dae(falling, (0, 2), [1.0, 0.0], trace=trace, rtol=1e-9, atol=1e-12,
                    events=event(ground, direction=-1, action=bounce))
    first = np.sqrt(2 / 9.81)
    expected = [first + 2 * first * sum(0.8 ** k for k in range(1, j)) for j in (1, 2, 3)]
    assert np.allclose(res.t_events[0][:3], expected, atol=1e-7)
    assert res.y[0].min() > -1e-6 and res.t[-1] == 2


@TRACE
def test_output_points_and_dense_output_with_events(trace):
    res = solve_dae(falling, (0, 1), [1.0, 0.0], trace=trace, t_eval=[0, 0.2, 0.4, 0.6],
                    dense_output=True, events=event(ground, terminal=True))
    assert np.array_equal(res.t, [0, 0.2, 0.4])
    assert abs(res.sol(0.3)[0] - (1 - 0.5 * 9.81 * 0.09)) < 1e-6


def test_events_of_right_hand_sides():
    res = solve_dae(lambda t, y: [-y[0]], (0, 5), [1.0], events=lambda t, y: y[0] - 0.5, trace=False)
    assert np.allclose(res.t_events[0], np.log(2), atol=1e-6)


def test_no_event():
    res = solve_dae(falling, (0, 0.1), [1.0, 0.0], events=ground)
    assert len(res.t_events) == 1 and res.t_events[0].shape == (0,) and res.y_events[0].shape == (0, 2)


def test_wrong_events():
    def broken(t, y, yp):
        raise LookupError("in the event")
    with pytest.raises(LookupError, match="in the event"):
        solve_dae(falling, (0, 1), [1.0, 0.0], events=broken)
    with pytest.raises(TypeError):
        solve_dae(falling, (0, 1), [1.0, 0.0], events=lambda t, y, yp: None)
    with pytest.raises(ValueError, match="expected 2"):
        solve_dae(falling, (0, 1), [1.0, 0.0], events=event(ground, action=lambda t, y, yp: [1.0]))
    with pytest.raises(ValueError, match="terminal"):
        solve_dae(falling, (0, 1), [1.0, 0.0], events=event(ground, terminal="yes"))


@pytest.mark.parametrize("value, words", [(None, "event 1 returned None; one number is expected"),
                                          (np.zeros(2), r"event 1 returned array\(\[0., 0.\]\); one number"),
                                          ("a", "event 1 returned 'a'; one number")])
def test_events_that_return_no_number(value, words):
    with pytest.raises(TypeError, match=words):
        solve_dae(lambda t, y: -y, (0, 1), [1.0, 2.0], events=[lambda t, y: y[0] - 0.5, lambda t, y: value])


@pytest.mark.parametrize("trace", [True, False])
def test_actions_that_return_something_else(trace):
    event = lambda t, y: y[0] - 0.5
    event.action = lambda t, y: [1.0, 2.0, 3.0]
    with pytest.raises(ValueError, match="the action of .*event.* returned a list of 3 entries, expected 1 number,"):
        solve_dae(lambda t, y: -y, (0, 1), [1.0], events=event, trace=trace)


@TRACE
def test_actions_get_what_events_get(trace):
    event = lambda t, y: y[0] - 0.5
    event.action = lambda t, y: y + 0.5
    event.direction = -1
    res = solve_dae(lambda t, y: -y, (0, 1), [1.0], events=event, trace=trace)
    assert np.allclose(res.t_events[0], [np.log(2)], rtol=1e-5)
    assert np.allclose(res.y[0, -1], np.exp(np.log(2) - 1), rtol=1e-5)
