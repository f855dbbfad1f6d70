// rule: import gives names of packages of the file and of the library shorter names, inside the class
// run solve --model Inner
// expect a(1) = 35
// expect b(1) = 2*pi
// expect c(1) = 8.31446261815324
// expect phi(0) = pi/2
// expect t(0) = 288.15
package Lib
  package Consts
    constant Real k = 3;
    constant Real v[2] = {4, 5};
  end Consts;
  function f
    import Lib.Consts;
    input Real x;
    output Real y;
  algorithm
    y := Consts.k*x;
  end f;
  model Inner
    import Modelica.Constants.pi;
    import SI = Modelica.Units.SI "as everybody calls it";
    import C = Lib.Consts;
    import Lib.Consts.{k, v};
    import Lib.*;
    parameter SI.Length L = 1;
    SI.Angle phi(start = pi/2, fixed = true);
    SI.AngularVelocity w(start = 0, fixed = true);
    Modelica.SIunits.Temperature t(fixed = true);
    Real a = C.k + k + v[2] + f(5) + C.v[1] + sum(v[i] for i in 1:1) + L;
    Real b = 2*pi;
    Real c = Modelica.Constants.R;
  equation
    der(phi) = w;
    der(w) = -Modelica.Constants.g_n/L*sin(phi);
    der(t) = 0;
    annotation(experiment(StopTime = 1));
  end Inner;
end Lib;
