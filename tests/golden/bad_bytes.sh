printf '\000\377\001model' > m.mo
daedal solve m.mo -t 1 2>err
echo "exit $?"
cut -c 1-7 err | head -1
: > empty.mo
daedal analyze empty.mo 2>err
echo "exit $?"
