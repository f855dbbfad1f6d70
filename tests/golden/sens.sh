# tolerance: 2e-3
cat > decay.mo <<'END'
model Decay
  parameter Real k(unit = "1/s") = 0.5, c(unit = "m") = 2, unused = 3, zero = 0;
  parameter Integer n = 2;
  Real x(unit = "m", start = c, fixed = true);
  output Real q(unit = "m2") = x^n + zero*x;
  Boolean small = x < 1e-3;
equation
  der(x) = -k*x;
  annotation(experiment(StopTime = 4));
end Decay;
END
daedal sens decay.mo -p k,c -n 8
echo "--- file"
daedal sens decay.mo -p k -p c=3 --of x --at 0,2 --quiet -o decay.csv && head -1 decay.csv && sed -n 2p decay.csv | cut -d, -f1-2
echo "--- json"
daedal sens decay.mo -p c -n 8 --of x,q --json | grep -v '"wall_seconds"\|"steps"\|"derivative_at_end"'
echo "--- all that can be"
daedal sens decay.mo -n 8 --of x | sed -n '3,6p' | cut -c1-24
echo "--- bad input"
for given in "-p kk" "-p x" "-p n" "-p zero" "-p unused --quiet" "-p k --of y" "-p k --of small" "-p k --of c" \
    "-p k,k=a" "-p ,"; do
    daedal sens decay.mo $given; echo "$given: $?"
done
daedal sens decay.mo -p unused -n 8 > /dev/null; echo "unused: $?"
daedal sens decay.mo -p k --vars x; echo "--vars: $?"
echo "--- times of events"
cat > drop.mo <<'END'
model Drop
  parameter Real g = 9.81, h0 = 2;
  Real h(start = h0, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 then
    reinit(v, -0.5*pre(v));
  end when;
  annotation(experiment(StopTime = 1));
end Drop;
END
daedal sens drop.mo -p g,h0 -n 4 | sed -n '/event/,$p'
echo "--- start values"
daedal sens drop.mo -p 'start(h)=1,start(h),start(v)' --at 0.4 | sed -n '3,6p' | cut -c1-24
daedal sens drop.mo -p 'start(h)' -n 4 --of v --quiet -o drop.csv && head -1 drop.csv
for given in "start(w)" "start(g)" "start()"; do daedal sens drop.mo -p "$given"; echo "$given: $?"; done
