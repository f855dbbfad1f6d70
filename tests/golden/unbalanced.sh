printf 'model M\n  Real x, y;\nequation\n  der(x) = -x;\nend M;\n' > m.mo
daedal solve m.mo -t 1 >/dev/null 2>err
echo "exit $?"
grep -c y err
