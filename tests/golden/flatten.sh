cat > Parts.mo <<'END'
package Parts "parts of circuits"
  connector Pin "a wire ends here"
    Real v(unit = "V") "potential";
    flow Real i(unit = "A") "current";
  end Pin;
  partial model TwoPins
    Pin p, n;
  equation
    p.i + n.i = 0;
  end TwoPins;
  model Resistor "Ohm's law"
    extends TwoPins;
    parameter Real R = 1 "resistance";
  equation
    p.v - n.v = R*p.i;
  end Resistor;
  model Source "sine"
    Pin p;
    parameter Real phase = 0;
  equation
    p.v = sin(time + phase);
  end Source;
  model Ladder "resistors in a row"
    parameter Integer n = 2;
    Resistor r[n](R = {k^2 for k in 1:n});
    Source from, to[1](each phase = -2e-3);
  equation
    for k in 1:n - 1 loop
      connect(r[k].n, r[k + 1].p);
    end for;
    connect(from.p, r[1].p);
    connect(r[n].n, to[1].p);
    annotation(experiment(StopTime = 1));
  end Ladder;
end Parts;
END
daedal flatten Parts.mo
daedal flatten Parts.mo -p n=3 -o flat.mo && grep -c resistance flat.mo
daedal solve flat.mo --at 1 --vars 'r[3].p.i' && daedal solve Parts.mo -p n=3 --at 1 --vars 'r[3].p.i'
daedal flatten flat.mo -p n=3
daedal browse Parts.mo
daedal browse Parts.mo --json | head -12
daedal browse Parts.Resistor --path .
daedal check Parts.mo
daedal check Parts.mo --model Parts.TwoPins
sed 's/p.i + n.i = 0/p.i + n.j = k/' Parts.mo > wrong.mo
daedal check wrong.mo --json 2> messages; echo "exit status $?"; cat messages
daedal browse
daedal browse Part --path .
daedal browse Parts.Resistr --path .
