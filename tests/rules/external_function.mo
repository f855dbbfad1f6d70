// rule: with --allow-external functions of shared objects are called, here those of the C library
// run solve --allow-external
// expect x(1) = 0.5
// expect h(1) = 13
// expect m(0) = 0.75
// expect e(0) = 3
// expect d(0) = 5
package External
  function square_root "its derivative is taken by differences"
    input Real x;
    output Real y;
  external "C" y = sqrt(x);
  end square_root;
  function hypot
    input Real x;
    input Real y;
    output Real z;
  external "C";
  end hypot;
  function mantissa
    input Real x;
    output Real m;
    output Integer e;
  external "C" m = frexp(x, e);
  end mantissa;
  function distance
    input String text;
    output Integer n;
  external "C" n = atoi(text);
  end distance;
  model ExternalFunction
    Real x(start = 0.25, fixed = true), h, m;
    Integer e, d;
  equation
    der(x) = square_root(4*(x + 0.75)^2)/2 - x - 0.5;
    h = hypot(5*time, 12*time);
    (m, e) = mantissa(6.0);
    d = distance("5 apples");
    annotation(experiment(StopTime = 1));
  end ExternalFunction;
end External;
