// The flow of cavity_flow with an equation for the pressure: the condition that no cell gains fluid
// is replaced by its derivative, a discrete Poisson equation.  Index 1; no cell gains fluid if none
// does at the start, since the condition is linear.
// reference: u[3,5] = -0.1006789652229 at t = 1, tolerance 1e-4
// from: that of cavity_flow
model CavityFlowPoisson "flow in a cavity by an equation for the pressure, index 1"
  parameter Integer n = 6 "cells in each direction";
  parameter Real nu(unit = "m2/s") = 0.02 "viscosity";
  parameter Real h(unit = "m") = 1/n;
  parameter Real ramp(unit = "s") = 0.2 "in which the lid gets its speed";
  Real u[n + 1, n + 2](each start = 0) "to the right, through the left face of cell i, j - 1";
  Real v[n + 2, n + 1](each start = 0) "upwards, through the lower face of cell i - 1, j";
  Real p[n, n] "pressure by density";
  Real a[n + 1, n + 2], b[n + 2, n + 1] "accelerations";
  Real gain "of all cells";
  Real lid(unit = "m/s");
equation
  lid = 1 - exp(-time/ramp);
  for j in 1:n + 2 loop
    u[1, j] = 0;
    u[n + 1, j] = 0;
    a[1, j] = 0;
    a[n + 1, j] = 0;
  end for;
  for i in 1:n + 2 loop
    v[i, 1] = 0;
    v[i, n + 1] = 0;
    b[i, 1] = 0;
    b[i, n + 1] = 0;
  end for;
  for i in 2:n loop
    u[i, 1] = -u[i, 2] "no slip half a cell below";
    u[i, n + 2] = 2*lid - u[i, n + 1];
    v[1, i] = -v[2, i];
    v[n + 2, i] = -v[n + 1, i];
    a[i, 1] = 0;
    a[i, n + 2] = 0;
    b[1, i] = 0;
    b[n + 2, i] = 0;
  end for;
  for i in 2:n loop
    for j in 2:n + 1 loop
      der(u[i, j]) = a[i, j];
      a[i, j] = -((u[i + 1, j] + u[i, j])^2 - (u[i, j] + u[i - 1, j])^2)/(4*h)
        - ((u[i, j + 1] + u[i, j])*(v[i + 1, j] + v[i, j])
        - (u[i, j] + u[i, j - 1])*(v[i + 1, j - 1] + v[i, j - 1]))/(4*h)
        + nu*(u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1] - 4*u[i, j])/h^2
        - (p[i, j - 1] - p[i - 1, j - 1])/h;
    end for;
  end for;
  for i in 2:n + 1 loop
    for j in 2:n loop
      der(v[i, j]) = b[i, j];
      b[i, j] = -((v[i, j + 1] + v[i, j])^2 - (v[i, j] + v[i, j - 1])^2)/(4*h)
        - ((u[i, j + 1] + u[i, j])*(v[i + 1, j] + v[i, j])
        - (u[i - 1, j + 1] + u[i - 1, j])*(v[i, j] + v[i - 1, j]))/(4*h)
        + nu*(v[i + 1, j] + v[i - 1, j] + v[i, j + 1] + v[i, j - 1] - 4*v[i, j])/h^2
        - (p[i - 1, j] - p[i - 1, j - 1])/h;
    end for;
  end for;
  for i in 1:n loop
    for j in 1:n loop
      if i + j == 2 then
        p[i, j] = 0;
      else
        a[i + 1, j + 1] - a[i, j + 1] + b[i + 1, j + 1] - b[i + 1, j] = 0;
      end if;
    end for;
  end for;
  gain = sum(abs(u[i + 1, j + 1] - u[i, j + 1] + v[i + 1, j + 1] - v[i + 1, j]) for i in 1:n, j in 1:n);
  annotation(experiment(StopTime = 2));
end CavityFlowPoisson;
