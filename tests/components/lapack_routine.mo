// rule: LAPACK routines that the library declares as Fortran functions are called, with numbers and
//   during the run, matrices by rows and by columns exchanged, work arrays without values
// expect a(0) = sqrt(2)*3
// expect b(0) = 1
// expect lu(1) = 6
// expect lu(2) = 7
// expect n(0) = 6
package Modelica
  package Math
    package Matrices
      package LAPACK
        function dgesvd
          input Real A[:, :];
          output Real sigma[min(size(A, 1), size(A, 2))];
          output Real U[size(A, 1), size(A, 1)];
          output Real VT[size(A, 2), size(A, 2)];
          output Integer info;
        protected
          Integer m = size(A, 1);
          Integer n = size(A, 2);
          Real Awork[size(A, 1), size(A, 2)] = A;
          Integer lwork = 5*size(A, 1) + 5*size(A, 2);
          Real work[lwork];
          external "FORTRAN 77" dgesvd("A", "A", m, n, Awork, m, sigma, U, m, VT, n, work, lwork, info);
        end dgesvd;
        function dgetrf
          input Real A[:, :];
          output Real LU[size(A, 1), size(A, 2)] = A;
          output Integer pivots[min(size(A, 1), size(A, 2))];
          output Integer info;
        protected
          Integer m = size(A, 1);
          Integer n = size(A, 2);
          external "FORTRAN 77" dgetrf(m, n, LU, m, pivots, info);
        end dgetrf;
        function dlange
          input Real A[:, :];
          input String norm = "1";
          output Real anorm;
        protected
          Integer m = size(A, 1);
          Integer n = size(A, 2);
          Real work[2*size(A, 1)];
          external "FORTRAN 77" anorm = dlange(norm, m, n, A, m, work);
        end dlange;
      end LAPACK;
    end Matrices;
  end Math;
end Modelica;
function ratio
  input Real A[2, 3];
  output Real largest;
  output Real second;
protected
  Real s[2];
algorithm
  s := Modelica.Math.Matrices.LAPACK.dgesvd(A);
  largest := s[1];
  second := s[2];
end ratio;
function product
  input Real A[2, 2];
  output Real d;
protected
  Real LU[2, 2];
  Integer p[2];
algorithm
  (LU, p) := Modelica.Math.Matrices.LAPACK.dgetrf(A);
  d := LU[1, 1]*LU[2, 2]*(if p[1] == 1 then 1 else -1);
end product;
block Numbers
  Real a;
  Real b;
  Real n = Modelica.Math.Matrices.LAPACK.dlange([1, 5; -2, 1]);
equation
  (a, b) = ratio([0, 3, 3; 1, 0, 0]);
end Numbers;
model Top
  extends Numbers;
  Real lu = product([1, time; -5, 5 + 0*time] + [0, 0; 4, 0] + [0, 0; 0, 0*time]);
end Top;
