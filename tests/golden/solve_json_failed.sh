daedal solve nothing.mo --json
