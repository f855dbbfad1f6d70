[ -c /dev/full ] || { echo "daedal: stdout could not be written completely"; exit 1; }
daedal help > /dev/full
echo "exit $?"
daedal solve "$MODELS/rc_circuit.mo" > /dev/full 2>/dev/null
echo "exit $?"
