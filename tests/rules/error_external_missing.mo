// rule: a shared object or a function that does not exist is named
// run solve --allow-external
// expect exit 3
// expect error 'the shared object of 'f' cannot be loaded'
// expect error 'no shared object of 'g' has a function 'no_such_function''
package External
  function f
    input Real x;
    output Real y;
  external "C" y = f(x) annotation(Library = "no_such_library");
  end f;
  function g
    input Real x;
    output Real y;
  external "C" y = no_such_function(x);
  end g;
  model ErrorExternalMissing
    Real y = f(time), z = g(time);
    annotation(experiment(StopTime = 1));
  end ErrorExternalMissing;
end External;
