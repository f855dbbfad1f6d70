# tolerance: 1e-4
# What the start has to say: too little, singular, impossible, contradictory, and how it was found.
pendulum() {
    cat > pendulum.mo <<END
model Pendulum
  Real x($1), y($2), u($3), v, F;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -F*x;
  der(v) = -F*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
END
    daedal init pendulum.mo 2>&1
    echo "exit $?"
}
pendulum "start = 1.2" "start = -0.9" "start = 0"
pendulum "start = 1, fixed = true" "start = -0.5" "start = 0, fixed = true"
pendulum "start = 1.5, fixed = true" "start = -0.5" "start = 0, fixed = true"
pendulum "start = 0.6, fixed = true" "start = -0.7, fixed = true" "start = 0"

cat > none.mo <<END
model None
  Real x(start = 0), y(start = 0);
equation
  der(x) = y;
  y^2 + x^2 + 1 = 0;
end None;
END
daedal init none.mo 2>&1
echo "exit $?"

cat > fold.mo <<END
model Fold
  Real x(start = 3), y(start = -2, fixed = true);
equation
  der(x) = -x;
  y = x^3 - 2*x;
end Fold;
END
daedal init fold.mo 2>&1
