# a nominal value scales the default atol, not one that is given: more steps
printf 'model M\n  Real x(start = 1, nominal = 1e6);\nequation\n  der(x) = cos(time)*x;\nend M;\n' > m.mo
steps() { daedal solve --method bdf m.mo -t 10 --json "$@" | sed -n 's/.*"steps": \([0-9]*\),/\1/p'; }
a=$(steps) b=$(steps --atol 1e-9)
[ "$b" -gt "$a" ] && echo "given: more steps"
