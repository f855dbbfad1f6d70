daedal solve x.mo --rtoll 1e-3
daedal solve x.mo --plott
daedal solve x.mo -q
daedal solve x.mo --frobnicate
daedal analyze x.mo -t 3
daedal examples --rtol 3
