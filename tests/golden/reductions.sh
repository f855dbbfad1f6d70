# how far the constraints are off: held, approached, left to drift
for r in project dummy ggl baumgarte differentiate; do
    daedal solve "$MODELS/pendulum.mo" --reduction $r --method bdf -t 100 --json | awk -v r=$r '/constraint_residual/ { sub(",", "", $2); print r, ($2 + 0 < (r == "ggl" || r == "dummy" ? 1e-8 : 1e-10)), ($2 + 0 < 1e-6) }'
done
# one level alone leaves the other to drift: "position" holds the length, "velocity" its derivative
for l in position velocity; do
    daedal solve "$MODELS/pendulum.mo" --levels $l --method bdf -t 100 --vars x,y,u,v | awk -F, -v l=$l 'END {
        rod = $2^2 + $3^2 - 1; speed = $2*$4 + $3*$5
        print l, (rod^2 < 1e-20), (speed^2 < 1e-20) }'
done
