daedal linearize "$MODELS/rlc_circuit.mo"
