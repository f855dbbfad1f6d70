// rule: start values that contradict one another give way by an impulse: here charge is conserved
// expect u1(0) = 1.8571428571
// expect u2(0) = 3.7142857143
// expect u3(0) = 5.5714285714
// expect u4(0) = 7
model StartImpulseCharge "1 + 2 - 6 = -3 is shared out by 1/C; u4 hangs on nothing"
  parameter Real C1 = 2, C2 = 1, C3 = 4;
  Real u1(start = 1), u2(start = 2), u3(start = 6), u4(start = 7), i;
equation
  C1*der(u1) = i;
  C2*der(u2) = i;
  C3*der(u3) = -i;
  u1 + u2 = u3;
  der(u4) = 1 - u4;
  annotation(experiment(StopTime = 1));
end StartImpulseCharge;
