// rule: `within;` may stand first; public and protected sections may alternate
// expect z(1) = 3
within;
model WithinClause
  Real x = time;
protected
  Real y = 2*x;
public
  Real z = x + y;
  annotation(experiment(StopTime = 1));
end WithinClause;
