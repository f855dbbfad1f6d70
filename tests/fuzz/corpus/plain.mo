within ;
/* a comment */
function square
  input Real x;
  output Real y = x^2;
end square;

record Point
  Real x, y;
end Point;

model Pendulum "over the top" // of the circle
  parameter Real L = 1, g = 9.81;
  constant Integer n = 3;
  parameter Real A[n, n] = [1, 2, 3; 4, 5, 6; 7, 8, 9];
  Real x(start = 1), y(start = 0, fixed = true), u, v(start = 0, fixed = true), F if n > 2;
  input Real w[:] = {i^2 for i in 1:n};
  output Point p(x(start = 3), y = 2);
  final inner parameter Boolean b = not (true and false or n <> 3);
protected
  Integer k;
public
  Real z;
equation
  der(x) = u;
  der(y) = v "velocity";
  der(u) = -F*x;
  der(v) = -F*y - g;
  x^2 + y^2 = L^2 annotation(Line(points = {{-10, 0}, {10, 5}}, color = {0, 0, 255}, parameter = 3));
  for i in 1:n, j in 1:i loop
    A[i, j]*w[end] = sum(A[i, k] for k in 1:n) .+ A[:, j] .* 2 ./ 3 .^ 2 .- 1;
  end for;
  z = .5 + 3. + 1e3 + 1.5E-3 + 9223372036854775807 + 9223372036854775808;
  z = integrate(function square(scale = 2), 0, 1) + 10^-3 + (2^3)^4 - (a - (b - c)) - -1;
  (z, , k) = f(x, y);
  p.x = Point(1, 2).x + {1, 2, 3}[2] + smooth(0, noEvent(if x > 0 then 1 elseif x < 0 then 2 else (if b then 3 else 4)));
  z = f(x)[end:-1:1];
  z = pure(f(1));
  z = x[min(end, 3), :];
  annotation(experiment(StopTime = 10));
end Pendulum;

partial block B = Base(x = 3) "alias";
function df = der(f, x, y);
connector C = input Real[3](each final unit = "V" "volt");
encapsulated operator record Complex
  Real re;
end Complex;
