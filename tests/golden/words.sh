daedal solve
daedal solve a.mo b.mo
daedal examples robertson hires
