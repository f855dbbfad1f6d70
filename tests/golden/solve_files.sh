daedal solve "$MODELS/rc_circuit.mo" -n 10 -o a.csv
daedal solve "$MODELS/rc_circuit.mo" -n 10 -o a.npz
daedal solve "$MODELS/rc_circuit.mo" -n 10 -o a.mat
daedal solve "$MODELS/rc_circuit.mo" -n 10 -o a.json --plot=a.html
wc -l < a.csv
head -1 a.csv
ls
grep -c '<svg' a.html
for f in a.csv a.npz a.mat a.json; do daedal plot $f --vars vC -o b.html && ls b.html && rm b.html; done
daedal plot a.csv --vars vc -o b.html
