# combinations with a derivative (Gear and Petzold): index 2 and no freedom, structurally index 1
printf 'model M\n  Real y1, y2;\nequation\n  y1 - 0.25*time*y2 = exp(-time);\n  der(y1) - 0.25*time*der(y2) + 0.75*y2 = 0;\nend M;\n' > m.mo
daedal analyze m.mo --json | grep -E '"(index|structural_index|degrees_of_freedom)"'
