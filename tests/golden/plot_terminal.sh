# The picture is tested elsewhere; here that it comes, as wide as asked.
COLUMNS=60 LINES=15 LC_ALL=C daedal solve "$MODELS/rc_circuit.mo" --vars vC --plot 2>/dev/null > p
sed '$d' p | awk 'length > 60 { wide = 1 } END { print (NR > 8 && NR < 17), wide + 0 }'
grep -c time p
