// expect-error: 4:8: '#': the program that exported this model failed here
model Exporter
algorithm
  x := #UNKNOWN STATEMENT#;
  y := #EMPTY#;
end Exporter;
