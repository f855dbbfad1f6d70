# stiff algebraic outputs of a filter: about a thousand steps, not the millions that two
# orders taking turns would need
sed 's/^    //' > m.mo <<'M'
    model Filter
      Real s(start = 0, fixed = true), v(start = 0, fixed = true), a, r, x[3], n;
    equation
      r = sin(0.5*time);
      v = der(s);
      a = der(v);
      a = ((r - s)*314.159 - 1.3617*v)*508.348;
      x[1] = cos(s);
      x[2] = sin(s);
      x[3]^2 = 1 + x[1]*a^2;
      n^3 + n = a*x[3];
      annotation(experiment(StopTime = 5, Tolerance = 1e-6));
    end Filter;
M
daedal solve m.mo --json | awk '/"steps"/ { print ($2 + 0 < 5000) }'
