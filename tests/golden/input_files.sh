# inputs from files and by expressions, and what is wrong with them
cat > m.mo <<'END'
model M
  input Real u;
  input Real w = 3;
  Real x(start = 0, fixed = true);
equation
  der(x) = u + 0*w;
  annotation(experiment(StopTime = 4));
end M;
END
# six digits: the last ones depend on the machine
show() { awk -F, 'NR == 1 { print; next } { for (i = 1; i <= NF; i++) printf "%.6g%s", $i, i < NF ? "," : "\n" }'; }
printf 'time,u,w\n0,0,1\n1,1,1\n1,5,1\n2,5,2\n4,0,2\n' > d.csv
daedal solve m.mo --input u=d.csv --at 1,4 | show
daedal solve m.mo --input u=d.csv,previous --vars u,x --at 4 | show
daedal solve m.mo --input u=d.csv --input "w=u*time" --vars u,w --at 3 | show
daedal solve m.mo --input d.csv -o d.npz --quiet
daedal solve m.mo --input u=d.npz --vars x --at 4 | show
for i in v=d.csv x=1 u=none.csv u=d.csv,column=ww "u=2*(" u= nothing u=d.csv,often; do
    daedal solve m.mo --input "$i" -o never.csv
    echo "exit $?"
done
daedal solve m.mo --input u=d.csv -t 5 -o never.csv
echo "exit $?"
for rows in '0,0\n2,1\n1,3\n4,4' '0,0\n2,nan\n4,4' '0,0\n2,\n4,4' '0,0\n2,1\n2,1\n2,1\n4,1'; do
    printf "time,u\n$rows\n" > e.csv
    daedal solve m.mo --input u=e.csv -o never.csv
    echo "exit $?"
done
printf 'time,u,u\n0,0,1\n4,4,1\n' > e.csv
daedal solve m.mo --input u=e.csv -o never.csv
printf 'time,u\n0,0\n4,4\n5' > e.csv # breaks off
daedal solve m.mo --input u=e.csv -o never.csv
daedal plot e.csv | tail -1
printf 'time,u\n0,0\n\n4,4\n3,4\n' > e.csv # blank lines are skipped: rows are counted
daedal solve m.mo --input u=e.csv -o never.csv
printf '\211HDF\r\n\032\nxxxxxxxxxxxxxxxxxxxxxxxxx' > e.mat
daedal solve m.mo --input u=e.mat -o never.csv
printf '%-124s\000\001IM%200s' "MATLAB 5.0 MAT-file" x > e.mat
daedal solve m.mo --input u=e.mat -o never.csv
printf 'u,v\n0,0\n' > e.csv
daedal solve m.mo --input u=e.csv -o never.csv
ls never.csv 2> /dev/null
daedal solve m.mo --quiet -n 1 && daedal solve m.mo -n 1 > none
