# --verify: in JSON, in words, not after a failure
daedal solve "$MODELS/rc_circuit.mo" --verify --json 2>/dev/null | sed -n '/"verify"/,/"worst"/p'
daedal solve "$MODELS/bouncing_ball.mo" --verify --quiet && echo agrees
daedal solve "$MODELS/lorenz.mo" --verify -o out.csv 2>&1 | sed -n '1s/ = .*//p'
printf 'model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = x^2;\nend M;\n' > m.mo
daedal solve m.mo -t 2 --verify --json 2>/dev/null | grep '"verify"'
