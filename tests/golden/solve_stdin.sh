# tolerance: 1e-5
daedal examples rc_circuit | daedal solve - --at 1e-3 --vars vC
