daedal solve "$MODELS/rc_circuit.mo" -o no/such/folder/x.csv
echo "exit $?"
daedal solve "$MODELS/rc_circuit.mo" -o x.txt
daedal solve "$MODELS/rc_circuit.mo" --plot=x.png
daedal solve "$MODELS/rc_circuit.mo" --plot=no/x.html
ls
