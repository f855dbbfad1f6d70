printf 'model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend M;\n' > m.mo
daedal solve m.mo
echo "exit $?"
daedal solve m.mo --at 0 --vars x
