# an input that jumps, where the model contains its derivative
cat > m.mo <<'END'
model M
  input Real u;
  Real x, v, q(start = 0, fixed = true);
equation
  x = u;
  der(x) = v;
  der(q) = v;
  annotation(experiment(StopTime = 2));
end M;
END
printf 'time,u\n0,0\n1,0\n1,1\n2,1\n' > d.csv
daedal solve m.mo --input u=d.csv -o never.csv
daedal solve m.mo --input u=d.csv,previous -o never.csv
printf 'time,u\n0,0\n2,2\n' > d.csv
daedal solve m.mo --input u=d.csv -o never.csv
sed 's/der(x) = v/v = 2*x/' m.mo > smooth.mo
printf 'time,u\n0,0\n1,0\n1,1\n2,1\n' > d.csv
daedal solve smooth.mo --input u=d.csv -o never.csv
