// rule: generators, seeds and hashes of the library give the numbers of their published algorithms
// expect h(0) = 163662653
// expect l(0) = 163662654
// expect a(1) = 0.3135925178776172 +- 1e-14
// expect a(3) = 0.04244575388960031 +- 1e-14
// expect b(1) = 0.4611540572500742 +- 1e-14
// expect b(3) = 0.9192264762816789 +- 1e-14
// expect c(20) = 0.7288612030545093 +- 1e-14
model RandomSequences "The numbers were computed apart, with Python"
  parameter Integer hash = Modelica.Utilities.Strings.hashString("AutomaticSeed.automaticSeed1");
  parameter Integer seed = Modelica.Math.Random.Utilities.automaticLocalSeed("AutomaticSeed.automaticSeed2");
  parameter Integer i2[2] = Modelica.Math.Random.Generators.Xorshift64star.initialState(614657, 30020);
  parameter Integer i4[4] = Modelica.Math.Random.Generators.Xorshift128plus.initialState(614657, 30020);
  parameter Integer i33[33] = Modelica.Math.Random.Generators.Xorshift1024star.initialState(614657, 30020);
  discrete Real a, b, c;
  Real h = hash, l = seed;
  discrete Integer s2[2], s4[4], s33[33];
initial equation
  pre(s2) = i2;
  pre(s4) = i4;
  pre(s33) = i33;
  a = 0;
  b = 0;
  c = 0;
equation
  when sample(0.5, 1) then
    (a, s2) = Modelica.Math.Random.Generators.Xorshift64star.random(pre(s2));
    (b, s4) = Modelica.Math.Random.Generators.Xorshift128plus.random(pre(s4));
    (c, s33) = Modelica.Math.Random.Generators.Xorshift1024star.random(pre(s33));
  end when;
  annotation(experiment(StopTime = 20));
end RandomSequences;
