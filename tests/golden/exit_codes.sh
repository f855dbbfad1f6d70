cat > conflict.mo <<'END'
model M
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = -x;
  x + y = 3;
end M;
END
daedal solve conflict.mo -t 1 --quiet; echo "no start: $?"
printf 'model M\n  Real x(start = 1);\nequation\n  der(x) = x^2;\nend M;\n' > blowup.mo
daedal solve blowup.mo -t 2 --quiet 2>/dev/null; echo "the run failed: $?"
printf 'model M\n  Real x, y;\nequation\n  x = 1;\n  2*x = 2;\nend M;\n' > singular.mo
daedal solve singular.mo -t 1 --quiet 2>/dev/null; echo "singular: $?"
printf 'model M\n  Real x = ;\nend M;\n' > text.mo
daedal solve text.mo -t 1 --quiet 2>/dev/null; echo "text: $?"
daedal solve text.mo -t x 2>/dev/null; echo "usage: $?"
