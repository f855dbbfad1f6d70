# a solution that slides along a threshold is accurate, however coarse the output is: x = 0
cat > m.mo <<'END'
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = (if x > 0 then -2 else 2) + sin(time);
end M;
END
for n in 1 7 1000; do
    daedal solve m.mo -t 4 -n $n 2> /dev/null | awk -F, -v n=$n 'END { print n, $1, ($2 * $2 < 4e-6 ? "near" : "far") }'
done
