daedal export --c "$MODELS/robertson.mo"
daedal export "$MODELS/robertson.mo"
