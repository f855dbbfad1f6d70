type T = U; type U = T[2];
model M T x; equation x = 1; end M;