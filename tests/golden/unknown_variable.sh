daedal solve "$MODELS/rc_circuit.mo" --vars vX
echo "exit $?"
daedal solve "$MODELS/rc_circuit.mo" --vars i,curent
daedal solve "$MODELS/rc_circuit.mo" --vars @names.txt
daedal solve "$MODELS/rc_circuit.mo" --vars ,
