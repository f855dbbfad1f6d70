// cause: blow_up
// culprits: u, u[5], peak
// time: 0.0815741 +- 1e-3
// why: u_t = u_xx + u^2 on nine points, from 20 sin(pi x): the source beats the conduction (400 against 200 in the middle at the
//     beginning), and the middle grows like 1/(t* - t). t* by a Runge-Kutta method with steps of 0.02/max(u).
model HotSpotInALayer "explosive layer between cold walls"
  parameter Real dx = 0.1, pi = 3.141592653589793;
  Real u[9](start = {6.180339887, 11.755705046, 16.180339887, 19.021130326, 20, 19.021130326, 16.180339887, 11.755705046, 6.180339887},
    fixed = true), peak;
equation
  der(u[1]) = (u[2] - 2*u[1])/dx^2 + u[1]^2;
  for i in 2:8 loop
    der(u[i]) = (u[i - 1] - 2*u[i] + u[i + 1])/dx^2 + u[i]^2;
  end for;
  der(u[9]) = (u[8] - 2*u[9])/dx^2 + u[9]^2;
  peak = u[5];
  annotation(experiment(StopTime = 0.2));
end HotSpotInALayer;
