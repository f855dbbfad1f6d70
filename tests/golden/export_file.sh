daedal export --c "$MODELS/robertson.mo" -o r.c && grep -c Robertson_residual r.c
daedal export --c "$MODELS/robertson.mo" -o no_folder/r.c
