# tolerance: 1e-6
cat > m.mo <<'END'
model M "x(t) = x0 exp(-a t), known in closed form"
  parameter Real a = 1;
  parameter Integer n = 2 "number of states, a structural parameter";
  parameter Boolean fast = false;
  parameter Real limit = 3;
  Real x[n](each start = 2, each fixed = true);
  Real s = sum(x)/n;
equation
  for i in 1:n loop
    der(x[i]) = if fast then -2*a*x[i] else -a*x[i];
  end for;
  assert(a < limit, "a is too large");
  annotation(experiment(StopTime = 1));
end M;
END
T="--rtol 1e-9"
daedal sweep m.mo $T -p a=0:1:3 -p fast=false,true --keep s
daedal sweep m.mo $T -p n=1:3:3 --keep s,x[2] --at 0,0.5
daedal sweep m.mo $T -y x[1]=1,4 -p a=0.5 --keep x[1] --quiet -o q.csv && cat q.csv
printf 'a,x[2]\n1,1\n2,5\n' > t.csv
daedal sweep m.mo $T --table t.csv --keep x[2] -o t2.csv && cat t2.csv
# a failed run is a row of NaN
daedal sweep m.mo $T -p a=2,4,2.5,8 --keep s; echo "exit $?"
daedal sweep m.mo $T -p a=4:9:3 --keep s --json 2>&1 | grep -v wall; echo "exit $?"
daedal sweep m.mo $T -p a=4:9:3 --keep s -o f.npz; echo "exit $?"
# the same file for every number of threads
for j in 1 2 3; do
  daedal sweep m.mo $T -p 'a=normal(1,0.8)' -p n=1,2 --samples 40 --sampling latin --seed 7 -n 4 \
    --keep s --quantiles 50,5 -j $j -o j$j.npz --quiet 2> /dev/null
done
cmp j1.npz j2.npz && cmp j1.npz j3.npz && echo same
python3 -m zipfile -t j1.npz
python3 - <<'END'
import ast, math, struct, zipfile
def load(file, name):
    data = zipfile.ZipFile(file).read(name + ".npy")
    n = struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10:10 + n].decode())
    count, kind = math.prod(head["shape"]), head["descr"][1:]
    body = data[10 + n:]
    if kind[0] == "U":
        w = int(kind[1:])
        return head["shape"], [body[4*w*i:4*w*(i+1)].decode("utf-32-le").rstrip("\0") for i in range(count)]
    return head["shape"], struct.unpack(head['descr'][0].replace('|', '<') + str(count) + {"f8": "d", "i4": "i", "u1": "B"}[kind], body)
for name in "t names parameter_names levels".split():
    print(name, *load("j1.npz", name))
shape, y = load("j1.npz", "y")
p, status, cause = (load("j1.npz", k)[1] for k in ("parameters", "status", "cause"))
names = load("j1.npz", "cause_names")[1]
print(shape, load("j1.npz", "quantiles")[0], sum(load("j1.npz", "done")[1]))
wrong = 0
for i in range(shape[0]):
    fails = p[2*i] >= 3
    wrong += (status[i] < 0) != fails or (names[cause[i]] == "assertion") != fails
    for k in range(5):
        exact = 2*math.exp(-p[2*i]*k/4)
        wrong += not (math.isnan(y[5*i+k]) if fails else abs(y[5*i+k] - exact) < 1e-6*exact)
column = sorted(y[5*i+4] for i in range(shape[0]) if status[i] >= 0)
place = 0.5*(len(column) - 1)
median = (column[math.floor(place)] + column[math.ceil(place)])/2
print("wrong", wrong, "median", abs(load("j1.npz", "quantiles")[1][5+4] - median) < 1e-12)
END
# a sweep that is stopped and goes on gives the same file; that of another one is refused
cat > slow.mo <<'END'
model Slow
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -a*x + n;
  when sample(0.002, 0.002) then
    n = 1 - pre(n);
  end when;
  annotation(experiment(StopTime = 1));
end Slow;
END
daedal sweep slow.mo -p a=1:2:30 --keep x -o whole.npz --quiet
daedal sweep slow.mo -p a=1:2:30 --keep x -o part.npz --quiet --timeout 0.04 2> /dev/null
daedal sweep slow.mo -p a=1:2:30 --keep x -o part.npz --quiet --resume -j 2; echo "exit $?"
cmp whole.npz part.npz && echo same
daedal sweep slow.mo -p a=1:2:30 --keep x -o part.npz --resume --at 1; echo "exit $?"
daedal sweep slow.mo -p a=1:3:30 --keep x -o part.npz --resume; echo "exit $?"
daedal sweep slow.mo -p a=1:2:30 --keep n -o part.npz --resume; echo "exit $?"
daedal sweep slow.mo -p a=1:2:31 --keep x -o part.npz --resume; echo "exit $?"
daedal sweep slow.mo -p a=1:2:30 --keep x --resume; echo "exit $?"
