cat > m.mo <<'END'
model M
  parameter Real alpha = 1, beta = 2;
  parameter Integer n = 2;
  constant Real c = 3;
  final parameter Real f = 2*alpha;
  parameter Real free(fixed = false);
  Real x(start = 1, fixed = true);
initial equation
  free = 1;
equation
  der(x) = -alpha*x;
  annotation(experiment(StopTime = 1));
end M;
END
try() { daedal sweep m.mo "$@"; echo "exit $?"; }
try
try -p alpha
try -p =1:2:3
try -p alpha=1
try -p alhpa=1:2:3
try -p x=1:2:3
try -y alpha=1:2:3
try -p c=1:2:3
try -p f=1:2:3
try -p free=1:2:3
try -p alpha=1:2:3 -p alpha=5
try -p alpha=1:2:3 -p alpha=1,2
try -p alpha=1:2
try -p alpha=1:2:1
try -p alpha=1:2:2.5
try -p alpha=1:1:3
try -p alpha=1:2:3:4
try -p alpha=-1:2:3:log
try -p alpha=1:two:3
try -p alpha=1,,2
try -p alpha=one
try -p 'alpha=norml(1,2)'
try -p 'alpha=normal(1)'
try -p 'alpha=normal(1,-2)'
try -p 'alpha=lognormal(0,1)' --samples 3
try -p n=1:2:4
try -p alpha=1:2:1000000 -p beta=1:2:1000000
try -p alpha=1:2:3 --samples 0
try -p alpha=1:2:3 --samples 3 --seed 1.5
try -p alpha=1:2:3 --seed 1
try -p alpha=1:2:3 --samples 3 --sampling sobal
try -p alpha=1:2:3 --grid --samples 3
try -p alpha=1:2:3 -j 0
try -p alpha=1:2:3 --quantiles 5,101 -o q.npz
try -p alpha=1:2:3 --quantiles 5
try -p alpha=1:2:3 -o q.mat
try -p alpha=1:2:3 -o no_folder/q.npz
try -p alpha=1:2:3 --keep z
printf 'alpha,beta\n1,2\n3,x\n' > t.csv
try --table t.csv
try --table t.csv -p alpha=1:2:3
try --table none.csv
printf 'alpha\n' > t.csv
try --table t.csv
printf 'alpha\n1\nnan\n' > t.csv
try --table t.csv
printf 'gamma\n1\n' > t.csv
try --table t.csv
