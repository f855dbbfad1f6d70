# tolerance: 1e-5
daedal solve "$MODELS/pendulum.mo" --method radau --at 1,5,10
daedal solve "$MODELS/pendulum.mo" --method radau --at 10 --json | grep '"method"'
