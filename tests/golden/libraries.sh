# Packages in directories: versions, resources, and what is wrong with them.
mkdir -p "lib/Lib 1.2.0" "lib/Lib 2.0.1/Data" lib/Plain/Sub
for v in 1.2.0 2.0.1; do
  cat > "lib/Lib $v/package.mo" <<END
package Lib "library, version $v"
  model M "a model"
    parameter Real k = ${v%.*};
    Real x = k;
  end M;
  annotation(version = "$v");
end Lib;
END
done
cat > "lib/Lib 2.0.1/T.mo" <<'END'
within Lib;
model T "reads a file of its package"
  parameter Real A[2, 2] = Modelica.Utilities.Streams.readRealMatrix(
    Modelica.Utilities.Files.loadResource("modelica://Lib/Data/a.txt"), "A", 2, 2);
  Real x = A[2, 1];
end T;
END
printf '#1\ndouble A(2,2)\n1 2\n3 4\n' > "lib/Lib 2.0.1/Data/a.txt"
use() {
  echo "model U M m; model M extends Lib.M; end M; annotation(uses(Lib(version = \"$1\"))); end U;" > u.mo
  daedal solve u.mo --path lib --at 0 --vars m.x; echo "exit status $?"
}
use 1.2.0
use 2.0.0
use 3.0
daedal solve Lib.M --path lib --at 0; echo "exit status $?"
daedal solve Lib.M --path "lib/Lib 1.2.0" --at 0 --vars x
daedal solve Lib.T --path "lib/Lib 2.0.1" --at 0 --vars x
rm -r "lib/Lib 1.2.0"
echo 'model U Lib.M m; annotation(uses(Lib(version = "1.2.0"))); end U;' > u.mo
daedal check u.mo --path lib; echo "exit status $?"
echo 'package Plain end Plain;' > lib/Plain/package.mo
echo 'within Plain; package Sub end Sub;' > lib/Plain/Sub/package.mo
echo 'within Other; model A Real x = 1; end A;' > lib/Plain/Sub/A.mo
daedal check Plain.Sub.A --path lib; echo "exit status $?"
echo 'within Plain.Sub; model A Real x = 1; end A;' > lib/Plain/Sub/A.mo
daedal check Plain.Sub.A --path lib; echo "exit status $?"
echo 'within Plain.Sub; model N A a; end N;' > lib/Plain/Sub/N.mo
daedal solve lib/Plain/Sub/N.mo --at 0
(cd lib/Plain/Sub && daedal solve ./N.mo --at 0); echo "exit status $?"
echo 'within Plain.Sub; model B Real x = 1; end B;' > lib/Plain/Sub/C.mo
daedal check Plain.Sub.C --path lib; echo "exit status $?"
printf 'within Plain.Sub; model D "caf\351" Real x = 1; end D;\n' > lib/Plain/Sub/D.mo
daedal check Plain.Sub.D --path lib; echo "exit status $?"
echo 'package Wrong end Wrong;' > lib/Plain/package.mo
daedal check Plain.Sub.A --path lib; echo "exit status $?"
daedal check Nowhere.A --path lib; echo "exit status $?"
daedal check u.mo --path nowhere; echo "exit status $?"
