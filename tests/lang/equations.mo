// expect-error: 12:5: ':=' belongs to algorithms; an equation is written with '='
// expect-error: 13:4: '==' compares; an equation is written with '='
// expect-error: 14:8: expected '=' and the right side of the equation, found ';'
// expect-error: 15:6: '^' is not associative
// expect-error: 16:9: relations cannot be chained
// expect-error: 17:8: expected '='; declarations must stand before 'equation'
// expect-error: 18:3: 'while' belongs to algorithms
// expect-error: 20:3: 'return' belongs to algorithms
// expect-error: 21:18: expected '(', found ';'
model Equations
equation
  z := 3;
  y == 2*x;
  x + y;
  a^b^c = 2;
  a < b < c;
  Real q;
  while x loop y = 1;
  end while;
  return;
  x = 'der' + der;
end Equations;
