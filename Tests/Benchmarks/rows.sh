# Compiles the module CRows into $work, with the module map that programs with the codecs need.
# Read by codecs.bench and vectors.bench.
rows=$(realpath ../../Sources/CRows)
printf 'module CRows { header "%s/include/rows.h" export * }\n' "$rows" >"$work/module.modulemap"
for part in rows rows_avx2; do
  clang -O2 -I"$rows/include" -c "$rows/$part.c" -o "$work/$part.o"
done
