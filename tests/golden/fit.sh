# tolerance: 1e-3
cat > cooling.mo <<'EOF'
model Cooling
  parameter Real rate = 1, room = 10, area = 1, unseen = 2;
  input Real heat;
  Real T(start = 80, fixed = true), copy;
equation
  der(T) = -rate*area*(T - room) + heat;
  copy = unseen*T;
end Cooling;
EOF
cat > first.csv <<'EOF'
time,T,heat
1,65.53,0
2,53.19,0
3,44.89,0
3,44.61,0
4,37.95,0
5,33.61,0
EOF
cat > second.csv <<'EOF'
time,T,heat,note
1,73.30,10,1
2,67.80,10,1
3,nan,10,1
4,61.20,10,1
EOF
daedal fit cooling.mo --data first.csv -p rate=0.01:10,room
daedal fit cooling.mo --data first.csv --data second.csv -p rate -y T=60:100 -p room=20 --sigma T=0.3 -o out.csv
cat out-2.csv
daedal fit cooling.mo --data first.csv -p rate,room,area,unseen --quiet --json | grep -A4 'undetermined": \['
daedal fit cooling.mo --data first.csv -p rate,room --sigma T=0.03 --quiet; echo "deviations too small: $?"
daedal fit cooling.mo --data first.csv -p rate --sigma T=0.03 -p room=5 | head -1
daedal fit cooling.mo --data first.csv -p rate=0.5:0.8,room=15:25; echo "at a bound: $?"
daedal fit cooling.mo --data first.csv -p rates; echo "unknown parameter: $?"
daedal fit cooling.mo --data first.csv; echo "nothing to find: $?"
daedal fit cooling.mo -p rate; echo "no data: $?"
daedal fit cooling.mo --data none.csv -p rate; echo "no file: $?"
daedal fit cooling.mo --data first.csv -p rate=3:1; echo "no room: $?"
daedal fit cooling.mo --data first.csv -p rate=0:0; echo "no room either: $?"
daedal fit cooling.mo --data first.csv -p rate --sigma S=1; echo "unknown column: $?"
daedal fit cooling.mo --data first.csv -p rate --starts 0; echo "no search: $?"
daedal fit cooling.mo --data first.csv -p rate --start 2; echo "data before the start: $?"
printf 'time,tick\n1,1\n2,2\n3,3\n' > ticks.csv
printf 'model M parameter Real k = 1; Real x; discrete Real tick(start = 0); equation der(x) = -k*x; when sample(1, 1) then tick = pre(tick) + 1; end when; end M;' > M.mo
daedal fit M.mo --data ticks.csv -p k; echo "a discrete variable: $?"
daedal sens M.mo -t 1 --of tick; echo "no derivative: $?"
cat > cliff.mo <<'EOF'
model Cliff
  parameter Real k = 0.5;
  Real x(start = 0, fixed = true), z;
equation
  z = k;
  der(x) = if noEvent(z > 1) then 5 else z;
end Cliff;
EOF
printf 'time,x\n1,2\n2,4\n3,6.1\n4,8\n' > two.csv
daedal fit cliff.mo --data two.csv -p k > cliff.txt; echo "a jump at the best value: $?"
grep '^k' cliff.txt | cut -c1-22
sed 's/nan//' second.csv > gap.csv
daedal fit cooling.mo --data first.csv --data gap.csv -p rate -p 'start(T)=60:100' -p room=20 --sigma T=0.3 2> gap.txt | grep '^rate  .*\.\.'
grep missing gap.txt
