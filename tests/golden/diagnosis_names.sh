printf 'model M\n  Real x(start = 1), y;\nequation\n  der(x) = -1;\n  y^2 = x;\nend M;\n' > root.mo
daedal solve root.mo -t 2 --json 2>/dev/null | sed -n '/"equations"/,/^  }/p'
