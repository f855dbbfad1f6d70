daedal analyze "$MODELS/transistor_amplifier.mo" --plot --quiet
COLUMNS=24 daedal analyze "$MODELS/transistor_amplifier.mo" --plot --quiet; echo "exit $?"
COLUMNS=27 daedal analyze "$MODELS/transistor_amplifier.mo" --plot --quiet
# A page: complete, nothing fetched, small even for what is large.
daedal analyze "$MODELS/transistor_amplifier.mo" --quiet --plot=small.html && grep -c "</html>" small.html
grep -c "http\|src=\|@import" small.html
cat > large.mo <<'END'
model Large
  Real x[3000](each start = 1), y[3000];
equation
  for i in 1:3000 loop der(x[i]) = y[i]; end for;
  for i in 1:2999 loop y[i] = sin(y[i + 1]) - x[i]; end for;
  y[3000] = -x[1];
end Large;
END
daedal analyze large.mo --quiet --plot=large.html
test $(wc -c < large.html) -lt 400000 && echo "small enough"
daedal analyze "$MODELS/transistor_amplifier.mo" --json --plot=json.html | grep index
# What cannot be written is said first, before the model is read; an old page outlives a wrong model.
daedal analyze nosuch.mo --plot=no/x.html; echo "exit $?"
daedal analyze nosuch.mo --plot=x.png; echo "exit $?"
daedal analyze nosuch.mo --plot=new.html; echo "exit $?"
echo old > old.html
daedal analyze nosuch.mo --plot=old.html; cat old.html
daedal analyze "$MODELS/transistor_amplifier.mo" --json --plot; echo "exit $?"
echo "model None parameter Real p = 1; end None;" > none.mo
daedal analyze none.mo --quiet --plot=none.html; echo "exit $?"
ls
