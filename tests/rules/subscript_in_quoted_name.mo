//! base 0.1.0
// rule: a quoted name may carry subscripts of loop variables, as the exporter writes them
// expect total(1) = 6
// expect 'x[2]'(1) = 2
package 'Subscripts'
  model 'Subscripts'
    Real 'x[1]';
    Real 'x[2]';
    Real 'x[3]';
    Real 'total';
  equation
    'x[1]' = 1.0;
    'x[2]' = 2.0;
    'x[3]' = 3.0;
    'total' = sum('x[(1:size(\'x\', 1))[\'$i1\']]' for '$i1' in 1:3);
    annotation(experiment(StopTime = 1.0));
  end 'Subscripts';
end 'Subscripts';
