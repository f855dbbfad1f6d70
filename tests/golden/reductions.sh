# how far the constraints are off: held, approached, left to drift
for r in project baumgarte differentiate; do
    daedal solve "$MODELS/pendulum.mo" --reduction $r --json | awk -v r=$r '/constraint_residual/ { sub(",", "", $2); print r, ($2 + 0 < 1e-10), ($2 + 0 < 1e-6) }'
done
