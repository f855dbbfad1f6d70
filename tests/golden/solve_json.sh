# tolerance: 1e-5
daedal solve "$MODELS/rc_circuit.mo" --json
