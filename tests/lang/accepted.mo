// nothing to complain about: keywords as names in annotations, words of the draft as names
model Accepted
  Real partition, subpartition, guess, prioritize, connect;
  annotation(initial(equation = 1, end), each, final = true, each final a = 2, parameter(der));
equation
  partition = subpartition + 1;
  subpartition = f(partition)[1];
  prioritize(guess, connect);
  initial() = true;
end Accepted;
