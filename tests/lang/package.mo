// expect-error: 4:1: a package cannot have equations or algorithms
package P
  constant Real c = 1;
equation
  c = 2;
end P;
