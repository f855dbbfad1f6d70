daedal export "$MODELS/robertson.mo"
daedal export --c "$MODELS/robertson.mo"
