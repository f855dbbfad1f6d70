# tolerance: 1e-6
daedal init "$MODELS/rc_circuit.mo" --vars vC,vR,i
daedal init "$MODELS/rc_circuit.mo" --vars vR,V -y vC=4 --json
