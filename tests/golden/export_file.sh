daedal export --c "$MODELS/robertson.mo" -o r.c && grep -c Robertson_residual r.c
daedal export --c "$MODELS/robertson.mo" -o no_folder/r.c; echo "exit $?"
ln -s /dev/full full.c
daedal export --c "$MODELS/robertson.mo" -o full.c; echo "exit $?"
daedal export --c "$MODELS/robertson.mo" > /dev/full; echo "exit $?"
daedal help export
