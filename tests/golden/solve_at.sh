# tolerance: 1e-5
daedal run "$MODELS/rc_circuit.mo" --at 2e-3,1e-3 --vars vC -p R=2e3
daedal sim "$MODELS/rc_circuit.mo" --at 1e-3 --vars vC -y vC=10
printf 'vC\r\nR\n' > names
daedal solve "$MODELS/rc_circuit.mo" --at 1e-3 --vars @names
daedal solve "$MODELS/rc_circuit.mo" --at 1 -t 0.1
