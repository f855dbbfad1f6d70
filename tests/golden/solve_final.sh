# tolerance: 1e-6
cat > control.mo <<'END'
model Control
  Real x(start = 1, fixed = true), p, u;
equation
  der(x) = x + u;
  der(p) = -x - p;
  u + p = 0;
end Control;
END
daedal solve control.mo -t 30 --final p=0 --at 0,1
daedal solve control.mo -t 1 --final "x = 2" --at 0,1 --vars x,p
daedal solve control.mo -t 1 --final p=0 --final-method shooting --at 0 --vars u
# the work statistics have both conditions by collocation, and one by shooting
for method in collocation shooting; do
    daedal solve control.mo -t 1 --final p=0 --final-method $method --stats -o ignored.csv 2>&1 | grep "condition of\|of the equations"
done
daedal solve control.mo -t 1 --final p=0 --final x=1 || echo "status $?"
daedal solve control.mo -t 1 --final q=0 || echo "status $?"
daedal solve control.mo -t 1 --final "x + q = 2" || echo "status $?"
daedal solve control.mo -t 1 --final p || echo "status $?"
daedal solve control.mo -t 1 --continue k=1 || echo "status $?"
daedal solve control.mo -t 1 --final p=0 --verify || echo "status $?"
