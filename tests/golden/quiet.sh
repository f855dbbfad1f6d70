daedal solve "$MODELS/rc_circuit.mo" --quiet
daedal solve "$MODELS/rc_circuit.mo" --quiet --stats 2>&1 | sed -n '1p;/steps/p'
