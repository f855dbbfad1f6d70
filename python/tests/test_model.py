"""Models: reading, running, stepping, studies."""
import pickle
import threading

import numpy as np
import pytest

from daedal import Model, analyze, consistent_start, solve_dae

PENDULUM = """model Pendulum
  parameter Real L = 1, g = 9.81;
  Real x(start = 1), y(start = 0, fixed = true), u, v(start = 0, fixed = true), F;
equation
  der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - g; x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 10));
end Pendulum;"""
DRIVEN = """model Driven "a first-order lag"
  parameter Real k = 1 "rate"; input Real u; output Real z; Real x(start = 1, fixed = true);
equation
  der(x) = -k*x + u; z = 2*x;
end Driven;"""
BALL = """model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v; der(v) = -9.81;
  when h < 0 then reinit(v, -0.8*pre(v)); end when;
end Ball;"""


@pytest.fixture
def driven():
    return Model.from_text(DRIVEN)


def test_description(driven):
    assert (driven.inputs, driven.outputs, driven.states) == (["u"], ["z"], ["x"])
    assert dict(driven.parameters) == {"k": 1.0} and driven.variables["k"].description == "rate"
    assert "Driven" in repr(driven) and "rate" in driven._repr_html_()
    with pytest.raises(KeyError, match="no parameter"):
        driven.parameters["x"]


def test_simulate():
    res = Model.from_text(PENDULUM).simulate(rtol=1e-8)
    assert res.success and res.index == 3 and res.t[-1] == 10 and len(res.t) == 501
    assert np.abs(res["x"] ** 2 + res["y"] ** 2 - 1).max() < 1e-10
    assert abs(res["x"][-1] - 0.2750874) < 1e-6 and np.allclose(res["der(x)"], res["u"], atol=1e-6)
    assert res.stats["function"] == "model"


def test_output_of_a_simulation():
    model = Model.from_text(PENDULUM)
    some = model.simulate(2, names=["y", "F"], t_eval=[0.5, 1.5])
    assert some.names == ["y", "F"] and some.y.shape == (2, 2)
    dense = model.simulate(2, dense_output=True, rtol=1e-8, names=["x", "y"])
    at = dense.sol(np.linspace(0, 2, 333))
    assert np.abs(at[0] ** 2 + at[1] ** 2 - 1).max() < 1e-9
    both = model.simulate(2, dense_output=True, rtol=1e-8, t_eval=[0, 0.7, 2], names=["x"])
    assert np.array_equal(both.t, [0, 0.7, 2]) and np.allclose(both.y[0], both.sol(both.t)[0])
    verified = model.simulate(1, verify=True)
    assert verified.stats["verification"]["verdict"] == "agrees"


def test_events_of_a_model():
    res = Model.from_text(BALL).simulate(2, dense_output=True, rtol=1e-9)
    first = np.sqrt(2 / 9.81)
    speed = 9.81 * first
    assert abs(res.sol(first - 1e-6)[1] + speed) < 1e-4
    assert abs(res.sol(first + 1e-6)[1] - 0.8 * speed) < 1e-4
    assert abs(res.sol(1.0)[0] - (0.8 * speed * (1 - first) - 0.5 * 9.81 * (1 - first) ** 2)) < 1e-6


def test_parameters(driven):
    driven.parameters["k"] = 2.0
    assert driven.parameters["k"] == 2.0
    assert abs(driven.simulate(1, inputs={"u": 0.0})["x"][-1] - np.exp(-2)) < 1e-5
    assert abs(driven.simulate(1, params={"k": 3.0}, inputs={"u": 0})["x"][-1] - np.exp(-3)) < 1e-5
    with pytest.raises(ValueError, match="no parameter 'kk'; did you mean 'k'"):
        driven.set_parameters({"kk": 1.0})
    copy = pickle.loads(pickle.dumps(driven))
    assert copy.parameters["k"] == 3.0 and driven.copy().parameters["k"] == 3.0


@pytest.mark.parametrize("value, expected", [
    (0.5, 0.5 + 0.5 * np.exp(-1)),
    (np.sin, 0.5 * (np.sin(1) - np.cos(1)) + 1.5 * np.exp(-1)),
    (([0, 1], [0, 1]), 2 * np.exp(-1)),
    (([0, 0.5, 1], [1, 0, 0], "previous"), None),
])
def test_inputs(driven, value, expected):
    if expected is None:
        half = 1.0  # u = 1 keeps x = 1 until 0.5
        expected = half * np.exp(-0.5)
    assert abs(driven.simulate(1, inputs={"u": value}, rtol=1e-8)["x"][-1] - expected) < 1e-6


def test_inputs_of_pandas(driven):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"flow": [0.0, 1.0]}, index=[0.0, 1.0])
    assert abs(driven.simulate(1, inputs={"u": frame["flow"]})["x"][-1] - 2 * np.exp(-1)) < 1e-5
    table = frame.rename(columns={"flow": "u"})
    assert abs(driven.simulate(1, inputs=table)["x"][-1] - 2 * np.exp(-1)) < 1e-5
    with pytest.raises(ValueError, match="no input 'flow'"):
        driven.simulate(1, inputs=frame)


@pytest.mark.parametrize("value, words", [
    (([0, 1], [0]), "one length"), (([0, 1],), "give a number"), (lambda t: np.nan, "not finite"),
    (lambda t: np.sin(1e9 * t), "not smooth enough"), (([0.0, 0.5], [1, 1]), "0.5"),
])
def test_wrong_inputs(driven, value, words):
    with pytest.raises(ValueError, match=words):
        res = driven.simulate(1, inputs={"u": value})
        raise ValueError(res.message)


def test_steps(driven):
    with driven.begin((0, 2)) as run:
        run["u"] = 1.0
        assert run.advance(1.0) and run.t == 1.0 and abs(run["x"] - 1.0) < 1e-9
        run["u"] = 0.0
        run["k"] = 2.0
        assert run.advance(2.0)
        assert abs(run["x"] - np.exp(-2)) < 1e-5 and abs(run["der(x)"] + 2 * run["x"]) < 1e-9
        assert not run.advance(3.0)
        with pytest.raises(ValueError, match="behind"):
            run.advance(1.0)
    assert run.end()["ended"] == "end"
    with driven.begin((0, 1), inputs={"u": 0.0}) as run:
        times = [run.step() for _ in range(3)]
    assert 0 < times[0] < times[1] < times[2] <= 1


def test_start(driven):
    values = driven.start(starts={"x": 3.0})
    assert values["x"] == 3.0 and values["z"] == 6.0 and values["der(x)"] == -3.0


def test_sensitivities(driven):
    s = driven.sensitivities(["k", "x"], (0, 1), t_eval=[0, 0.5, 1], inputs={"u": 0.0}, rtol=1e-8)
    t = np.array([0, 0.5, 1])
    assert s.values.shape == (2, len(s.names), 3)
    assert np.allclose(s["x", "k"], -t * np.exp(-t), atol=1e-6)
    assert np.allclose(s["z", "x"], 2 * np.exp(-t), atol=1e-6)
    assert s.ranking()[0][0] == "x" and np.array_equal(s["x"], s.y[s.names.index("x")])
    for wrong in (("xx", "k"), "xx"):
        with pytest.raises(KeyError, match="did you mean"):
            s[wrong]
    for wrong in (3, ("x", "k", "z")):
        with pytest.raises(KeyError, match="a variable"):
            s[wrong]


def test_parameters_are_numbers(driven):
    value = driven.parameters["k"]
    with pytest.raises(ValueError, match="k cannot be set"):
        driven.parameters["k"] = float("nan")
    assert driven.parameters["k"] == value


def test_ranking_does_not_depend_on_units():
    """The numbers of `daedal sens` in docs/howto/sensitivities.md."""
    model = Model.from_text("""model Robertson parameter Real k1 = 0.04, k2 = 3e7, k3 = 1e4; Real y1(start = 1),
      y2(nominal = 1e-5), y3; equation der(y1) = -k1*y1 + k3*y2*y3; der(y3) = k2*y2^2; y1 + y2 + y3 = 1;
      end Robertson;""")
    s = model.sensitivities(["k1", "k2", "k3"], (0, 40), names=["y1", "y3"])
    assert [name for name, _ in s.ranking()] == ["k1", "k3", "k2"]
    assert np.allclose([value for _, value in s.ranking()], [0.4395, 0.3552, 0.1776], atol=1e-4)
    s = model.sensitivities(["k1"], (0, 40), names=["y1", "y3"], params={"k1": 0.08})
    assert s.units[0] == 0.08


def test_linearize(driven):
    system = driven.linearize()
    assert np.allclose(system.eigenvalues, -1) and np.allclose(system.transfer(0.0), 2.0)
    assert (system.inputs, system.outputs) == (["u"], ["z"]) and not system.is_equilibrium
    pendulum = Model.from_text(PENDULUM).linearize(0.5, inputs=["g"], outputs=["x", "F"])
    assert pendulum.index == 3 and pendulum.B.shape == (5, 1) and pendulum.C.shape == (2, 5)


def test_fit(driven):
    t = np.linspace(0, 3, 30)
    noise = 1e-3 * np.sin(37 * np.arange(30))
    data = {"time": t, "x": np.exp(-1.7 * t) + noise, "u": 0 * t}
    fit = driven.fit({"k": 1.0}, data)
    assert fit.has_converged and abs(fit["k"] - 1.7) < 0.01
    estimate = fit.estimates["k"]
    assert estimate.low < 1.7 < estimate.high and "1.7" in repr(fit)
    assert fit.predicted[0]["x"].shape == (30,)
    bounded = driven.fit({"k": (1.0, 0.5, 1.2)}, [data, data])
    assert bounded["k"] <= 1.2 and bounded.estimates["k"].determination == "at bound"
    for unknowns, table, words in (({}, data, "empty"), (["q"], data, "no variable"),
                                   (["k"], {"x": t}, "'time' is missing"),
                                   (["k"], {"time": t, "x": t[1:]}, "shape")):
        with pytest.raises(ValueError, match=words):
            driven.fit(unknowns, table)


def test_sweep(driven):
    k = np.linspace(0.5, 2, 40)
    done = []
    sweep = driven.sweep({"k": k}, 1, t_eval=[0, 1], inputs={"u": 0.0}, names=["x"], threads=2,
                         progress=done.append)
    assert sweep["x"].shape == (40, 2) and np.allclose(sweep["x"][:, 1], np.exp(-k), rtol=1e-4)
    assert sweep.success.all() and done and done[-1] <= 40
    again = driven.sweep({"k": k}, 1, t_eval=[0, 1], inputs={"u": 0.0}, names=["x"], threads=1)
    assert np.array_equal(sweep.y, again.y)
    grid = driven.sweep({"k": [1, 2], "x": [1, 2, 3]}, 1, grid=True, t_eval=[1], inputs={"u": 0})
    assert len(grid) == 6 and np.allclose(grid["x"][:, 0], np.exp(-grid.values["k"]) * grid.values["x"],
                                          rtol=1e-4)
    with pytest.raises(ValueError, match="others have"):
        driven.sweep({"k": [1, 2], "x": [1, 2, 3]}, 1)


def test_failed_runs_of_a_sweep():
    model = Model.from_text("model M parameter Real k = 1; Real x(start = 1, fixed = true);"
                            " equation der(x) = k*x^2; end M;")
    sweep = model.sweep({"k": [0.1, 2.0]}, 1, t_eval=[0, 1])
    assert sweep.success.tolist() == [True, False] and np.isnan(sweep["x"][1, 1])
    assert list(sweep.messages) == [1]


def test_analyze():
    structure = Model.from_text(PENDULUM).analyze()
    assert (structure.index, structure.degrees_of_freedom) == (3, 2)
    assert len(structure.hidden_constraints) == 2 and structure.incidence().shape == (5, 5)
    assert "x^2 + y^2" in structure.picture() and "<table>" in structure._repr_html_()
    pendulum = lambda t, y, yp: [yp[0] - y[2], yp[1] - y[3], yp[2] + y[4] * y[0],
                                 yp[3] + y[4] * y[1] + 9.81, y[0] ** 2 + y[1] ** 2 - 1]
    of_function = analyze(pendulum, [1, 0, 0, 0, 0])
    assert (of_function.index, of_function.degrees_of_freedom) == (3, 2)
    assert of_function.incidence()[4].tolist() == [0, 0, -1, -1, -1]
    y, yp = consistent_start(pendulum, [0.9, 0.1, 0, 0, 0])
    assert abs(y[0] ** 2 + y[1] ** 2 - 1) < 1e-9 and np.abs(pendulum(0, y, yp)).max() < 1e-6
    y, _ = consistent_start(pendulum, [0.6, 0.5, 0, 0, 0], fixed=[0])
    assert y[0] == 0.6 and abs(y[1] - 0.8) < 1e-9
    with pytest.raises(RuntimeError):
        consistent_start(lambda t, y, yp: [yp[0] - y[1], y[0] ** 2 + 1.0], [1.0, 0.0])


def test_solve_dae_of_models(tmp_path):
    path = tmp_path / "pendulum.mo"
    path.write_text(PENDULUM)
    for fun in (PENDULUM, path, str(path)):
        res = solve_dae(fun, (0, 1), t_eval=[0, 1], params={"L": 1.0})
        assert res.success and res.y.shape == (5, 2)
    kept = solve_dae(PENDULUM, (0, 1), {"y": -0.6})
    assert kept["y"][0] == -0.6
    with pytest.raises(TypeError, match="own equations"):
        solve_dae(PENDULUM, (0, 1), mass=np.eye(5))


def test_wrong_texts(tmp_path):
    with pytest.raises(ValueError, match="unknown name 'y'"):
        Model.from_text("model X Real x; equation der(x) = y; end X;")
    for kind in (FileNotFoundError, ValueError):
        with pytest.raises(kind, match="No such file.*missing.mo"):
            Model.from_file(tmp_path / "missing.mo")
        with pytest.raises(kind, match="No such file.*missing.mo"):
            solve_dae("missing.mo", (0, 1))
    with pytest.raises(ValueError, match="did you mean 'dummy'"):
        Model.from_text(DRIVEN, reduction="dumy")
    with pytest.raises(ValueError, match="no stop time"):
        Model.from_text(DRIVEN).simulate()
    with pytest.raises(ValueError, match="forward"):
        Model.from_text(DRIVEN).simulate((1, 0))
    failed = Model.from_text("model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;"
                             ).simulate(2)
    assert failed.status == -1 and failed.diagnosis.cause == "blow_up" and failed.t[-1] > 0.9


def test_a_model_serves_one_thread_at_a_time():
    model = Model.from_text(PENDULUM)
    caught = []

    def work():
        try:
            model.simulate(2000)
        except RuntimeError as error:
            caught.append(str(error))
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("in use" in text for text in caught) and len(caught) < 3


@pytest.mark.parametrize("wrong", [{"v": 1.0}, {"u": lambda t: 1 / 0}, {"u": "a"}, {"u": ([0, 1], [1])},
                                   {"u": ([1, 0], [1, 2])}, {"u": float("nan")}])
def test_a_wrong_input_leaves_the_model_as_it_was(wrong):
    model = Model.from_text("""model M parameter Real k = 1; input Real u; Real x(start = 1, fixed = true);
      equation der(x) = -k*x + u; end M;""")
    before = model.simulate((0, 1), inputs={"u": 0.5})["x"][-1]
    with pytest.raises((ValueError, TypeError, ZeroDivisionError)):
        model.simulate((0, 1), inputs=wrong, params={"k": 3.0})
    assert model.parameters["k"] == 1.0
    assert model.simulate((0, 1), inputs={"u": 0.5})["x"][-1] == before
    with pytest.raises(ValueError, match="no variable"):
        model.simulate((0, 1), starts={"x": 5.0, "y": 1.0}, inputs={"u": 0.5})
    assert model.simulate((0, 1), inputs={"u": 0.5})["x"][-1] == before


def test_sweeps_of_numbers_only(driven):
    """NaN takes a parameter back: a run would have the value of the model."""
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="k: .* is not finite"):
            driven.sweep({"k": [1.0, wrong]}, (0, 1), inputs={"u": 0.0})
