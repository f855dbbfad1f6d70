# tolerance: 1e-4
# both sides of an event; with --at the asked times only
daedal solve "$MODELS/bouncing_ball.mo" -t 0.6 -n 2 --vars v
daedal solve "$MODELS/bouncing_ball.mo" --at 0.3,0.6 --vars v
