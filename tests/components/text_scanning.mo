// rule: tokens of texts are read as the library says
// expect x(0) = -12.5
// expect i(0) = 9
// expect j(0) = 3
// expect k(0) = 4
// expect e(0) = 1
package Modelica
  package Utilities
    package Strings
      package Advanced
        function scanReal
          input String string;
          input Integer startIndex = 1;
          input Boolean unsigned = false;
          output Integer nextIndex;
          output Real number;
          external "C" ModelicaStrings_scanReal(string, startIndex, unsigned, nextIndex, number);
        end scanReal;
        function scanIdentifier
          input String string;
          input Integer startIndex = 1;
          output Integer nextIndex;
          output String identifier;
          external "C" ModelicaStrings_scanIdentifier(string, startIndex, nextIndex, identifier);
        end scanIdentifier;
        function skipWhiteSpace
          input String string;
          input Integer startIndex = 1;
          output Integer nextIndex;
          external "C" nextIndex = ModelicaStrings_skipWhiteSpace(string, startIndex);
        end skipWhiteSpace;
      end Advanced;
    end Strings;
  end Utilities;
end Modelica;
block Scan
  import Modelica.Utilities.Strings.Advanced.*;
  Integer i;
  Real x;
  Integer j;
  Real nothing;
  Integer k = skipWhiteSpace("ab cd", 3);
  Boolean same;
protected
  function is_name
    input String text;
    output Boolean is;
  protected
    Integer next;
    String name;
  algorithm
    (next, name) := scanIdentifier(text, 2);
    is := name == "x_1" and next == 6;
  end is_name;
equation
  (i, x) = scanReal(" -1.25e1;", 1) ;
  (j, nothing) = scanReal("a b", 3);
  same = is_name("+ x_1*2");
end Scan;
model Top
  extends Scan;
  Real e = if same then 1 else 0;
end Top;
