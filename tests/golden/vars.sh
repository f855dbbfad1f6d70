cat > arrays.mo <<'END'
model Arrays
  parameter Real k = 1, kk = 3;
  Real c[12](each start = 1, each fixed = true), m[2, 3], 'a*b';
  Real v(unit = "m/s", start = 1, fixed = true), pos(unit = "m", start = 0, fixed = true), q;
equation
  for i in 1:12 loop
    der(c[i]) = -i*c[i];
  end for;
  for i in 1:2 loop
    for j in 1:3 loop
      m[i, j] = time*i;
    end for;
  end for;
  'a*b' = 2;
  der(v) = -k*v;
  der(pos) = v;
  q = -v;
end Arrays;
END
head_of() { daedal solve arrays.mo -t 1 -n 1 --vars "$1" 2>&1 | head -2; }
for vars in c 'c[1:3]' 'c[2:2:8]' 'c[10:end]' 'm[:,2]' 'm[2]' 'm[2,*],v' 'c[?]' 'k*' 'v*' '?' "'a*b'" 'der(v),der(pos),q,der(q)' 'der(c[2:3])' 'der(p*)' \
    'c[1:13]' 'c[0]' 'c[5:2]' zz* posn cc 'der(k)' 'der(m)' 'der(a*)' 'der(vv)'; do
  head_of "$vars"
done
daedal init arrays.mo --vars 'der(v),c[1]'
for e in csv json npz mat; do
  daedal solve arrays.mo -t 1 -n 4 --vars 'c[2:4],der(v)' -o arrays.$e
  daedal plot arrays.$e --vars 'c[2:3],der(*)' | sed -n 2p
  daedal plot arrays.$e --vars 'x*'
done
# der(x) agrees with the equations at all points of output
daedal solve arrays.mo -t 3 --vars 'v,der(v),c[2],der(c[2])' | awk -F, 'NR > 1 { a = $3 + $2; b = $5 + 2*$4; if (a*a + b*b > 1e-10) bad++ } END { print bad + 0, "of", NR - 1, "rows differ" }'
