# auto takes bdf for values that are chosen without events, and leaves it where restarts are frequent
cat > m.mo <<'M'
model M
  Real i(start = 0, fixed = true), v(start = 0, fixed = true);
  discrete Boolean on(start = true, fixed = true);
equation
  0.01*der(i) = (if on then 1 else 0) - i - 0.1*noEvent(max(v, 0));
  0.01*der(v) = i - noEvent(if v > 0.2 then 0.4 else 2*v) - v;
  when sample(5e-4, 5e-4) then
    on = not pre(on);
  end when;
end M;
M
for t in 0.001 0.1; do daedal solve m.mo -t $t --quiet --stats 2>&1 | sed -n 's/^  method  *//p'; done
