daedal help
