daedal solve ""; echo "exit $?"
daedal solve x.mo -o ""; echo "exit $?"
daedal solve x.mo --vars ""; echo "exit $?"
daedal solve x.mo --plot=; echo "exit $?"
: > empty.csv
daedal plot empty.csv; echo "exit $?"
