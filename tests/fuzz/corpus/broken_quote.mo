model M Real 'x = 3;
end M;