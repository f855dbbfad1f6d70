daedal | head -1
daedal >/dev/null
