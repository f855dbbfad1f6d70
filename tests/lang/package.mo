// expect-error: 4:1: a package has no equations and algorithms
package P
  constant Real c = 1;
equation
  c = 2;
end P;
