// A chain of links in a plane, every joint seen from the base: sums and products of sines along
// the chain, long expressions that share much.
model Arm
  parameter Integer n = 100;
  parameter Real L = 1.0/n;
  Real q[n](each start = 0.1), w[n], sine[n], cosine[n], x[n], y[n], f[n];
equation
  for k in 1:n loop
    der(q[k]) = w[k];
    sine[k] + 1e-3*sine[k]^3 = sin(q[k]);
    cosine[k] + 1e-3*cosine[k]^3 = cos(q[k]);
    f[k] + 0.1*f[k]^3 = sqrt(x[k]^2 + y[k]^2 + 1)*(x[n] - x[k])/(1 + abs(w[k]))*exp(-(y[n] - y[k])^2);
    (1 + 0.2*cosine[k]*cosine[n])*der(w[k]) = f[k]*cosine[k] - 9.81*sine[k]
        - 0.1*w[k]*sqrt(w[k]^2 + 0.01) - w[n]^2*sin(q[k] - q[n]);
  end for;
  x[1] + 1e-3*x[1]*y[1] = L*sine[1];
  y[1] + 1e-3*y[1]*x[1] = -L*cosine[1];
  for k in 2:n loop
    x[k] + 1e-3*x[k]*y[k] = x[k - 1] + L*sine[k];
    y[k] + 1e-3*y[k]*x[k] = y[k - 1] - L*cosine[k];
  end for;
end Arm;
