package P record R0 Real x[10]; end R0;
record R1 R0 a[10]; end R1;
record R2 R1 a[10]; end R2;
record R3 R2 a[10]; end R3;
record R4 R3 a[10]; end R4;
record R5 R4 a[10]; end R5;
record R6 R5 a[10]; end R6;
record R7 R6 a[10]; end R7;
record R8 R7 a[10]; end R8;
record R9 R8 a[10]; end R9;
record R10 R9 a[10]; end R10;
record R11 R10 a[10]; end R11;
 model M
 R11 r;
equation r.a[1].a[1].a[1]=1;
end M; end P;
