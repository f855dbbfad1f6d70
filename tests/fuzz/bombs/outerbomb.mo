model M
 Real x = sum((1:100000)*transpose(1:100000));
 parameter Real y[:,:] = matrix(1:10000)*transpose(matrix(1:10000)); end M;
