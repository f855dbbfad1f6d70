cat > slow.mo <<'END'
model Slow
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -a*x + n;
  when sample(0.005, 0.005) then
    n = 1 - pre(n);
  end when;
  annotation(experiment(StopTime = 1));
end Slow;
END
S="daedal sweep slow.mo -p a=1:2:70 --keep x --quantiles 5,50 --quiet"
$S -o whole.npz
# three processes, one file
for k in 1 2 3; do
  $S -o shared.npz --share &
done
wait
cmp whole.npz shared.npz && echo "three processes: same"
# parts, one after the other; an array of jobs
for k in 3 1 2; do
  $S -o parts.npz --part $k/3
done
cmp whole.npz parts.npz && echo "three parts: same"
# what mpirun starts
for k in 0 1; do
  OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=$k $S -o ranks.npz &
done
wait
cmp whole.npz ranks.npz && echo "two ranks: same"
# a process that is killed loses nothing that was finished; the others, or --resume, go on
( $S -o killed.npz --share & P=$!; sleep 0.02; kill -9 $P; wait $P ) 2> /dev/null
$S -o killed.npz --resume
cmp whole.npz killed.npz && echo "killed: same"
# nor does one that is killed while it makes the file, or while it closes it, keep the others from going on
for how in --share --resume; do
  head -c 9000 /dev/zero > early.npz
  $S -o early.npz $how
  cmp whole.npz early.npz && echo "killed before the plan was written, $how: same"
  head -c -30 whole.npz > late.npz
  $S -o late.npz $how
  cmp whole.npz late.npz && echo "killed in the last line, $how: same"
done
# how much was done
daedal sweep slow.mo -p a=1:2:70 --keep x --quantiles 5,50 -o again.npz --part 2/35
daedal sweep slow.mo -p a=1:2:70 --keep x --quantiles 5,50 -o whole.npz --share
# bad input
daedal sweep slow.mo -p a=1:2:71 --keep x --quantiles 5,50 -o whole.npz --share; echo "exit $?"
daedal sweep slow.mo -p a=1:3:70 --keep x --quantiles 5,50 -o whole.npz --share; echo "exit $?"
daedal sweep slow.mo -p a=1:2:70 --keep x -o whole.csv --share; echo "exit $?"
daedal sweep slow.mo -p a=1:2:70 --keep x -o p.npz --part 0/3; echo "exit $?"
daedal sweep slow.mo -p a=1:2:70 --keep x -o p.npz --part 4/3; echo "exit $?"
daedal sweep slow.mo -p a=1:2:70 --keep x -o p.npz --part 2; echo "exit $?"
daedal sweep slow.mo -p a=1:2:70 --keep x -o no/p.npz --share; echo "exit $?"
