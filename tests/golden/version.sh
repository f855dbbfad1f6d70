daedal --version
