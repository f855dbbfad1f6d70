daedal analyze "$MODELS/rc_circuit.mo" --json
