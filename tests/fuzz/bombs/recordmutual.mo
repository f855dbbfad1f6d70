package P record R S s; Real x; end R; record S R r; end S; model M
 R r;
equation r.x=1;
end M; end P;
