# tolerance: 1e-6
daedal solve "$MODELS/pendulum.mo" --method radau --rtol 1e-9 --atol 1e-9 --at 1,5,10
daedal solve "$MODELS/pendulum.mo" --method radau --at 10 --json | grep '"method"'
