daedal solve nothing.mo
echo "exit $?"
daedal solve robertson
daedal analyze .
daedal plot nothing.csv
