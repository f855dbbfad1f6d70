cat > types.mo <<'END'
model Types
  type Gear = enumeration(low, high);
  parameter Integer n = 2;
  parameter Boolean on = true;
  parameter Gear gear = Gear.low;
  Real x(start = 1, fixed = true), q;
equation
  der(x) = 0;
  q = 10*n + x + (if on then 0.5 else 0) + (if gear == Gear.low then 100 else 200);
end Types;
END
daedal solve types.mo -t 1 -n 1 -p n=2.5; echo "exit $?"
daedal solve types.mo -t 1 -n 1 -p gear=3; echo "exit $?"
daedal solve types.mo -t 1 -n 1 -p 'start(x)=2' -p on=2 -p n=1 -p gear=2; echo "exit $?"
daedal sweep types.mo -t 1 -p 'start(x)=1,2' --keep q
printf 'n,start(x)\n1,3\n2,4\n' > runs.csv
daedal sweep types.mo -t 1 --table runs.csv --keep q
