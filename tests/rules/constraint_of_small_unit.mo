// rule: an unknown far below its tolerance does not stop the steps
// rho is 4e-8 and the default tolerance 1e-9: constraints through it nearly depend on one another,
// and to meet them exactly would move the state by many tolerances.  Without the rule that a
// step which is hardly off stays, this takes millions of steps.  The value is that of the same
// equations with rho written out, at rtol 1e-10.
// expect V(10) = 24278.659 +- 1e-5
model ConstraintOfSmallUnit
  Real H(start = 264039), V(start = 24317, fixed = true), gam(start = -0.013), beta(start = 41);
  Real rho(start = 3.6e-8), drag(start = 23708);
equation
  rho = 0.002378*exp(-H/23800);
  drag = 1109*rho*V^2;
  der(H) = V*gam;
  der(V) = -drag/5964 - 31.4*gam;
  der(gam) = 1179*rho*V^2*cos(beta*3.14159/180)/(5964*V) + V/21e6 - 31.4/V;
  drag/5964 = 3.975 - 0.01449*(V - 24317);
  annotation(experiment(StopTime = 10));
end ConstraintOfSmallUnit;
