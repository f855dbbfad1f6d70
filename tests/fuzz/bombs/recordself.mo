model M record R R r; Real x; end R;
 R r;
equation r.x=1;
end M;
