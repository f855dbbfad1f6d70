# A wrong command is known before a file of results is opened.
echo precious > old.csv
daedal solve "$MODELS/pendulum.mo" -o old.csv -t -5; echo "exit $?"
daedal solve "$MODELS/pendulum.mo" -o old.csv --start 20; echo "exit $?"
daedal solve "$MODELS/pendulum.mo" -o old.csv --rtol 0; echo "exit $?"
daedal solve "$MODELS/pendulum.mo" -o old.csv --rtol 1e-20; echo "exit $?"
daedal solve "$MODELS/pendulum.mo" -o old.csv --at -1,1; echo "exit $?"
daedal solve "$MODELS/pendulum.mo" -o old.csv -p Q=1; echo "exit $?"
daedal solve "$MODELS/pendulum.mo" -o old.csv --vars q; echo "exit $?"
cat old.csv
daedal solve "$MODELS/pendulum.mo" -t -5
