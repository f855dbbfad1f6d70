daedal solve "$MODELS/rc_circuit.mo" -n 20 -o r.csv
daedal plot r.csv --vars vC -o r.html && grep -c "<html\|<!doctype\|<!DOCTYPE" r.html
daedal plot r.csv --vars vX -o r2.html; echo $?
daedal plot "$MODELS/rc_circuit.mo" --plot=m.html && test -s m.html && echo written
daedal plot r.csv -t 3; echo $?
daedal plot r.csv --max_step 3; echo $?
daedal plot r.csv -p R=3; echo $?
daedal plot "$MODELS/rc_circuit.mo" -o r.png; echo $?
daedal plot r.csv --vars VC; echo $?
