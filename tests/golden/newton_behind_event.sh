# the first step of radau behind an event satisfies nonlinear equations, however far its first guess was off
cat > m.mo <<'END'
model EventNewtonBehind
  Real v(start = 0), id, p(start = 0), w(start = 0, fixed = true), r(start = 0), s(start = 0, fixed = true);
equation
  id = 8.31e-06*(exp(v/0.169) - 1);
  (2.49*sin(0.443*time + 2.04) + 1.65) + 1.7*id - (v + 2.64*id + 1.7*(8.31e-06*(exp(v/0.169) - 1))) = 0;
  1.38*(1 - exp(-1.41*time))*cos(1.41*time) = p + (if p > 0 then 0.938*p else 0.216*p);
  der(w) = p - 0.5*w;
  r + (if r > 0 then 2.07*r else 0.225*r) = 2.18*sin(0.422*time + 0.147);
  r - 0.5*s = der(s);
  annotation(experiment(StopTime = 4.09));
end EventNewtonBehind;
END
daedal solve m.mo --method radau --rtol 1e-8 -n 7 --vars id 2> /dev/null | awk -F, '$1 > 1.15 && $1 < 1.2 { d = $2 - 0.4475794915; print (d * d < 4e-16 ? "right" : "wrong") }'
