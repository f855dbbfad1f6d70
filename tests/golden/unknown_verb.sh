daedal slove model.mo
daedal pendulum.mo
daedal --plot pendulum.mo
daedal help analyse
daedal frobnicate
