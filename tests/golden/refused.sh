# The table "What is refused, and how it is said" of docs/reference/language.md, row by row.
refuse() { printf "%b\n" "$1" > m.mo; daedal analyze m.mo 2>&1 | head -1; }
refuse 'model M\n extends Base;\n Real x = 1;\nend M;'
refuse 'model M\n import Modelica.Constants.*;\n Real x = 1;\nend M;'
refuse 'model M\n Real a, b = 1;\nequation\n connect(a, b);\nend M;'
refuse 'model M\n Clock c = Clock(-0.1);\nend M;'
refuse 'model M\n Real x;\nequation\n x = previous(x);\nend M;'
refuse 'model M\n Real x, y = 1;\nequation\n x = inStream(y);\nend M;'
refuse 'model M\n function f\n  input Real x;\n  output Real y;\n external "C";\n end f;\n Real x = f(time);\nend M;'
refuse 'class Table\n extends ExternalObject;\nend Table;\nmodel M\n Table t;\nend M;'
refuse 'model M\n Real x(start = 1);\nequation\n der(delay(x, 1)) = -x;\nend M;'
refuse 'model M\n Real x;\nequation\n x := 1;\nend M;'
refuse 'model M\n discrete Real y;\nequation\n when time > 1 then\n  when time > 2 then\n   y = 1;\n  end when;\n end when;\nend M;'
refuse 'model M\n Integer n = if time > 1 then 2 else 3;\n Real x;\nequation\n for i in 1:n loop\n  x = i;\n end for;\nend M;'
