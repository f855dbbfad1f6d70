# A file of something else: one message.
printf 'GIF89a\001\002\000\003\000\004 model M end M;\000\n' > picture.mo
daedal solve picture.mo -t 1; echo "exit $?"
