daedal examples | cut -d' ' -f1 | tr '\n' ' '
echo
daedal examples robertson | grep -c 'der(y1)'
daedal examples robertson | cmp - "$MODELS/robertson.mo" && echo same
daedal examples robertsen
