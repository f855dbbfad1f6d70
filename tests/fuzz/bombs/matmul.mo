model M
 parameter Real y[2000,2000] = fill(1.0,2000,2000)*fill(2.0,2000,2000)*fill(2.0,2000,2000); end M;
