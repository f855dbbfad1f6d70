M="$MODELS/robertson.mo -t 40"
daedal sweep $M -p k1=0.02:0.06:5 --keep y1,y3 --plot=f.svg --quantiles 10,90 --quiet
grep -o 'y[13] ([0-9]* %)' f.svg | sort | uniq -c
daedal sweep $M -p k1=0.02:0.06:5 --keep y1,y3 --plot=f.html -o f.npz
grep -c 'y1 (50 %)' f.html
daedal sweep $M -p k1=0.02:0.06:5 --keep y1 --plot=p.svg --x k1 --quiet
grep -o 'M[0-9. ]*h0' p.svg | wc -l
daedal sweep $M -p k1=0.02:0.06:5 --keep y1 --plot=l.svg --log x --quiet
COLUMNS=60 LINES=14 daedal sweep $M -p k1=0.02:0.06:5 --keep y3 --plot --x k1
daedal sweep $M -p k1=0.02:0.06:5 --plot=p.html --x k1; echo "exit $?"
daedal sweep $M -p k1=0.02:0.06:5 --plot=p.png; echo "exit $?"
daedal sweep $M -p k1=0.02:0.06:5 --plot --x k2; echo "exit $?"
daedal sweep $M -p k1=0.02:0.06:5 --x k1; echo "exit $?"
