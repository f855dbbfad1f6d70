cat > drive.mo <<'END'
connector Flange
  Real phi;
  flow Real tau;
end Flange;
model Inertia
  Flange a, b;
  parameter Real J = 1;
  Real phi, w;
equation
  phi = a.phi;
  phi = b.phi;
  w = der(phi);
  J*der(w) = a.tau + b.tau;
end Inertia;
model Fixed
  Flange a(phi = 0);
end Fixed;
model Spring
  Flange a, b;
  parameter Real c = 2;
equation
  a.tau = c*(a.phi - b.phi);
  a.tau + b.tau = 0;
end Spring;
model Train
  Inertia i1(phi(start = 1)), i2;
  Flange b;
equation
  connect(i1.b, i2.a);
  connect(i2.b, b);
end Train;
model Drive
  Train train;
  Spring spring[2];
  Fixed wall;
equation
  connect(train.b, spring[1].a);
  connect(spring[1].b, spring[2].a);
  connect(spring[2].b, wall.a);
  annotation(experiment(StopTime = 1));
end Drive;
END
daedal analyze drive.mo --components 0 | sed -n '/^component/,$p'
daedal analyze drive.mo --components 1 | sed -n '/^component/,$p'
daedal analyze drive.mo --components 1 --json | sed -n '/"components"/,$p' | head -20
daedal flatten drive.mo -o flat.mo && daedal analyze flat.mo --components 1 | sed -n '/^component/,$p'
daedal analyze drive.mo --components -1
