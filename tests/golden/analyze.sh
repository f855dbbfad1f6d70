daedal analyze "$MODELS/rc_circuit.mo"
daedal analyze "$MODELS/bouncing_ball.mo" | grep recommended
