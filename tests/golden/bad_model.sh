printf 'model M\n  Real x;\nequation\n  der(x) = -y;\nend M;\n' > m.mo
daedal solve m.mo -t 1
