daedal solve "$MODELS/pendulum.mo" --max_steps 3 --quiet 2>&1 | sed 's/t = [^ ]*/t = .../'
daedal solve x.mo -t
daedal solve x.mo -t ten
daedal solve x.mo --rtol much
daedal solve x.mo --rtol -1
daedal solve x.mo --method euler 2>&1 | sed 's/one of [^,]*,/one of .../'
daedal solve x.mo -p k
daedal solve x.mo -p k=two
daedal solve x.mo --at 1,,2
daedal solve x.mo -n 0
daedal solve x.mo -n 10 --steps
daedal solve x.mo --steps=3
daedal solve x.mo --timeout 0
daedal solve x.mo --json --plot
daedal solve x.mo --reduction none
