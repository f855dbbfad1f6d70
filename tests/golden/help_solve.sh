daedal help solve
daedal solve --help | head -1
daedal analyze -h | head -1
