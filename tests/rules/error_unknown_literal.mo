// rule: an unknown literal of an enumeration is named
// expect exit 3
// expect error 6 'yellow'
type Color = enumeration(red, green);
model ErrorUnknownLiteral
  Boolean b = Color.red == Color.yellow;
  annotation(experiment(StopTime = 1));
end ErrorUnknownLiteral;
