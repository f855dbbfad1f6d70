# Which plots are drawn, and what is said of those that are not; the pictures are tested elsewhere.
M=$MODELS
daedal plot $M/robertson.mo --log xy | tail -2
daedal plot $M/lotka_volterra.mo --x prey -o a.svg && grep -c 'class="curve' a.svg
daedal plot $M/lotka_volterra.mo --x prey --plot=a.html && grep -c '<script>' a.html
daedal plot $M/heat_rod.mo --profile u --at 0,0.1 -o b.svg && grep -o 'time = [0-9.]* s' b.svg
daedal plot $M/heat_rod.mo --map 'u[2:9]' --plot=c.html && grep -o '<title>.*</title>' c.html
daedal plot $M/heat_rod.mo -t 0.01 | tail -1
daedal solve $M/pendulum.mo -t 1 -n 10 -o a.csv
daedal solve $M/pendulum.mo -t 2 -n 7 -o b.npz
mkdir sub && cp a.csv sub
daedal plot a.csv b.npz --vars x -o d.svg && grep -o 'x ([a-z.]*)[^<]*' d.svg
daedal plot a.csv sub/a.csv --vars x -o e.svg && grep -o '>x ([a-z./]*)' e.svg
daedal plot a.csv $M/pendulum.mo -t 1 --vars x,y --x F -o f.svg && grep -c 'class="curve' f.svg
for flags in '--log z' '--x x --map x' '--map x' '--x q' '--profile x' '-o p.png' '-o p.pdf' '--at 1' '--vars q'; do
  daedal plot a.csv b.npz $flags; echo $?
done
daedal plot a.csv --map x; echo $?
daedal plot a.csv --x x --vars x; echo $?
daedal plot $M/pendulum.mo $M/robertson.mo; echo $?
daedal solve $M/pendulum.mo --log y; echo $?
daedal solve $M/pendulum.mo --plot=p.png; echo $?
printf 'time,w\n0,1\n1,2\n' > u.csv
daedal plot a.csv u.csv; echo $?
echo old > d.svg
daedal plot a.csv --vars q -o d.svg; cat d.svg
