//! base 0.1.0
package 'Circuit' "exported"
  function 'A.f' "with a derivative"
    input Real 'x';
    input Real 'e'[3](each unit = "1");
    input Integer 'n' = 2;
    output Real 'y';
    protected
    Real 't'[:, size('e', 1)];
  algorithm
    'y' := if 'x' >= 0.0 then 'x' else if 'x' < -1.0 then -0.0 else 'x' ^ 2.0;
    for 'i' in 1:2:'n' loop
      'y' := 'y' + 'e'['i'];
      if 'y' > 3.0 then
        break;
      elseif 'y' == 2.0 then
        return;
      else
        assert(noEvent('y' > 1e-10), "\nmessage \"quoted\"", AssertionLevel.error);
      end if;
    end for;
    while 'y' < 1.0 loop
      ('y', , 't') := 'A.g'('x', 'n' = 3);
    end while;
    annotation(derivative(order = 1, zeroDerivative = 'n') = 'A.f_der', inverse('x' = 'A.inv'('y')), smoothOrder = 1, Inline = true, LateInline = false);
  end 'A.f';

  pure function 'A.ext'
    input Real 'x';
    output Real 'y';
    external "C" 'y' = ext_f('x', 2.5) annotation(Include = "#include \"x.h\"", Library = {"a", "b"});
  end 'A.ext';

  impure function 'A.now'
    output Real 'y';
  external;
  end 'A.now';

  class 'Table'
    extends ExternalObject;

    function constructor "open"
      input String 'name';
      output 'Table' 'table';
      external "C" 'table' = open('name');
    end constructor;

    function destructor
      input 'Table' 'table';
      external "C" close('table');
    end destructor;
  end 'Table';

  type 'Mode' = enumeration('off' "not on", 'on');
  type 'Any' = enumeration(:);
  type 'Length' = Real(final quantity = "Length", unit = "m") "with a comment";
  record 'R' "a record"
    Real 'T'(start = 300.0, min = 0.0);
    Real[3] 'v';
  end 'R';
  constant Real 'pi' = 3.141592653589793;

  model 'Circuit' "top"
    parameter Real 'C.C'(start = 1.0, unit = "F", quantity = "Capacitance") = 1e-6 "capacitance" annotation(Evaluate = true);
    parameter 'Mode' 'mode' = 'Mode'.'on';
    Real 'a.b[1].c'(fixed = true, start = -1.0, stateSelect = StateSelect.prefer);
    discrete Real 'd';
    Boolean 'sw';
    flow Real 'i';
    'R' 'state';
    Real '$i\'15';
  initial equation
    pre('d') = 0.0;
    der('a.b[1].c') = 0.0;
  initial algorithm
    'd' := 2.0;
  equation
    der('a.b[1].c') = -'a.b[1].c' * -0.0 + 3.*'d';
    ('A.f'('a.b[1].c', {1.0, 2.0, 3.0}))[2] = (if 'sw' then 'state' else 'R'(1.0, fill(0.0, 3))).T;
    when {'sw', initial(), sample(0.0, 0.1)} then
      'd' = pre('d') + 1.0;
      reinit('a.b[1].c', 0.0);
    elsewhen edge('sw') then
      'd' = 0.0;
    end when;
    if 'sw' then
      'i' = 0.0;
    else
      'i' = #EMPTY#;
    end if;
    assert('i' < 10.0, "too much: " + String('i', significantDigits = 6));
    annotation(experiment(StartTime = 0.0, StopTime = 1.5, Interval = 0.001, Tolerance = 1e-6));
  end 'Circuit';
end 'Circuit';
