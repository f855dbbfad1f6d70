daedal solve "$MODELS/rc_circuit.mo" -p Q=1 >/dev/null 2>err
echo "exit $?"
grep -c Q err
daedal solve "$MODELS/rc_circuit.mo" -y vQ=1 >/dev/null 2>err
echo "exit $?"
grep -c vQ err
daedal solve "$MODELS/rc_circuit.mo" -p r=1 2>&1
daedal solve "$MODELS/rc_circuit.mo" -p vC=1 2>&1
daedal solve "$MODELS/rc_circuit.mo" -y R=1 2>&1
daedal solve - -p Q=1 < "$MODELS/rc_circuit.mo" 2>err
echo "exit $?"
