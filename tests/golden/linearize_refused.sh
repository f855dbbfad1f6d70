# What cannot be linearised is named in plain words.
cat > m.mo <<'END'
model M
  input Real w = 2*time;
  parameter Integer k = 2;
  Real x(start = 0, fixed = true);
  Boolean b;
equation
  b = x > 1;
  der(x) = w - x + k + (if time < 1 then 0 else 1);
end M;
END
daedal linearize m.mo --in nothing; echo "exit $?"
daedal linearize m.mo --in w; echo "exit $?"
daedal linearize m.mo --in k; echo "exit $?"
daedal linearize m.mo --in x; echo "exit $?"
daedal linearize m.mo --out b; echo "exit $?"
daedal linearize m.mo --out "der(x)"; echo "exit $?"
daedal linearize m.mo -t -1; echo "exit $?"
daedal linearize m.mo --plot=poles.html; echo "exit $?"
daedal linearize m.mo -t 1 --quiet --json | grep "event at"
# an infinite slope, a pencil that is singular at every instant, and no steady state
printf 'model R\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = sqrt(x) - x;\nend R;\n' > r.mo
daedal linearize r.mo; echo "exit $?"
printf 'model S\n  Real x, y;\nequation\n  der(x) + time*der(y) = sin(time);\n  x + time*y = cos(time);\nend S;\n' > s.mo
daedal linearize s.mo; echo "exit $?"
printf 'model N\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = 1;\nend N;\n' > n.mo
daedal steady n.mo; echo "exit $?"
