// Andrews' squeezing mechanism: seven bodies with seven angles in three loops, driven by a motor.
// Six loop equations are the constraints, index 3.  In 0.03 s the motor turns twice and a half.
// reference: be = 15.810771195153707 at t = 0.03, tolerance 1e-4
// reference: ep = 1.048080741041938 at t = 0.03, tolerance 1e-4
// from: Test Set for IVP Solvers, recomputed with 20 digits
model AndrewsSqueezer "Andrews' squeezing mechanism, index 3"
  parameter Real m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.0705, m6 =
    0.00706, m7 = 0.05498 "masses";
  parameter Real i1 = 2.194e-06, i2 = 4.41e-07, i3 = 5.255e-06, i4 = 5.667e-07, i5 = 1.169e-05,
    i6 = 5.667e-07, i7 = 1.912e-05 "moments of inertia";
  parameter Real xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc =
    0.072 "fixed points";
  parameter Real c0 = 4530, l0 = 0.07785, mom = 0.033 "spring, its length, drive";
  parameter Real d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss =
    0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, u =
    0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421 "lengths";
  Real be(start = -0.06171), th(start = 0, fixed = true), ga(start = 0.4553), ph(start =
    0.2227), de(start = 0.4874), om(start = -0.2227), ep(start = 1.231) "angles";
  Real vbe, vth(start = 0, fixed = true, nominal = 1e3), vga, vph, vde, vom, vep "their speeds";
  Real wbe(nominal = 1e4), wth(nominal = 1e4), wga(nominal = 1e4), wph(nominal = 1e4),
    wde(nominal = 1e4), wom(nominal = 1e4), wep(nominal = 1e4) "accelerations";
  Real lam1, lam2, lam3, lam4, lam5, lam6 "forces in the joints";
  Real M11, M21, M22, M33, M44, M54, M55, M66, M76, M77;
  Real xd, yd, len, force, fx, fy, f1, f2, f3, f4, f5, f6, f7;
  Real G11, G12, G13, G21, G22, G23, G31, G32, G34, G35, G41, G42, G44, G45, G51, G52, G56, G57,
    G61, G62, G66, G67;
equation
  M11 = m1*ra^2+m2*(rr^2-2*da*rr*cos(th)+da^2)+i1+i2;
  M21 = m2*(da^2-da*rr*cos(th))+i2;
  M22 = m2*da^2+i2;
  M33 = m3*(sa^2+sb^2)+i3;
  M44 = m4*(e-ea)^2+i4;
  M54 = m4*((e-ea)^2+zt*(e-ea)*sin(ph))+i4;
  M55 = m4*(zt^2+2*zt*(e-ea)*sin(ph)+(e-ea)^2)+m5*(ta^2+tb^2)+i4+i5;
  M66 = m6*(zf-fa)^2+i6;
  M76 = m6*((zf-fa)^2-u*(zf-fa)*sin(om))+i6;
  M77 = m6*((zf-fa)^2-2*u*(zf-fa)*sin(om)+u^2)+m7*(ua^2+ub^2)+i6+i7;
  xd = sd*cos(ga)+sc*sin(ga)+xb;
  yd = sd*sin(ga)-sc*cos(ga)+yb;
  len = sqrt((xd-xc)^2+(yd-yc)^2);
  force = -c0*(len-l0)/len;
  fx = force*(xd-xc);
  fy = force*(yd-yc);
  f1 = mom-m2*da*rr*vth*(vth+2*vbe)*sin(th);
  f2 = m2*da*rr*vbe^2*sin(th);
  f3 = fx*(sc*cos(ga)-sd*sin(ga))+fy*(sd*cos(ga)+sc*sin(ga));
  f4 = m4*zt*(e-ea)*vde^2*cos(ph);
  f5 = -m4*zt*(e-ea)*vph*(vph+2*vde)*cos(ph);
  f6 = -m6*u*(zf-fa)*vep^2*cos(om);
  f7 = m6*u*(zf-fa)*vom*(vom+2*vep)*cos(om);
  G11 = d*sin(be + th) - rr*sin(be);
  G12 = d*sin(be + th);
  G13 = -ss*cos(ga);
  G21 = -d*cos(be + th) + rr*cos(be);
  G22 = -d*cos(be + th);
  G23 = -ss*sin(ga);
  G31 = d*sin(be + th) - rr*sin(be);
  G32 = d*sin(be + th);
  G34 = -e*cos(de + ph);
  G35 = -e*cos(de + ph) + zt*sin(de);
  G41 = -d*cos(be + th) + rr*cos(be);
  G42 = -d*cos(be + th);
  G44 = -e*sin(de + ph);
  G45 = -e*sin(de + ph) - zt*cos(de);
  G51 = d*sin(be + th) - rr*sin(be);
  G52 = d*sin(be + th);
  G56 = zf*sin(ep + om);
  G57 = -u*cos(ep) + zf*sin(ep + om);
  G61 = -d*cos(be + th) + rr*cos(be);
  G62 = -d*cos(be + th);
  G66 = -zf*cos(ep + om);
  G67 = -u*sin(ep) - zf*cos(ep + om);
  der(be) = vbe;
  der(th) = vth;
  der(ga) = vga;
  der(ph) = vph;
  der(de) = vde;
  der(om) = vom;
  der(ep) = vep;
  der(vbe) = wbe;
  der(vth) = wth;
  der(vga) = wga;
  der(vph) = wph;
  der(vde) = wde;
  der(vom) = wom;
  der(vep) = wep;
  0 = M11*wbe+M21*wth-f1+G11*lam1+G21*lam2+G31*lam3+G41*lam4+G51*lam5+G61*lam6;
  0 = M21*wbe+M22*wth-f2+G12*lam1+G22*lam2+G32*lam3+G42*lam4+G52*lam5+G62*lam6;
  0 = M33*wga-f3+G13*lam1+G23*lam2;
  0 = M44*wph+M54*wde-f4+G34*lam3+G44*lam4;
  0 = M54*wph+M55*wde-f5+G35*lam3+G45*lam4;
  0 = M66*wom+M76*wep-f6+G56*lam5+G66*lam6;
  0 = M76*wom+M77*wep-f7+G57*lam5+G67*lam6;
  0 = -d*cos(be + th) + rr*cos(be) - ss*sin(ga) - xb;
  0 = -d*sin(be + th) + rr*sin(be) + ss*cos(ga) - yb;
  0 = -d*cos(be + th) - e*sin(de + ph) + rr*cos(be) - xa - zt*cos(de);
  0 = -d*sin(be + th) + e*cos(de + ph) + rr*sin(be) - ya - zt*sin(de);
  0 = -d*cos(be + th) + rr*cos(be) - u*sin(ep) - xa - zf*cos(ep + om);
  0 = -d*sin(be + th) + rr*sin(be) + u*cos(ep) - ya - zf*sin(ep + om);
  annotation(experiment(StopTime = 0.03, Tolerance = 1e-7));
end AndrewsSqueezer;
