daedal solve "$MODELS/rc_circuit.mo" -p Q=1 >/dev/null 2>err
echo "exit $?"
grep -c Q err
daedal solve "$MODELS/rc_circuit.mo" -y vQ=1 >/dev/null 2>err
echo "exit $?"
grep -c vQ err
