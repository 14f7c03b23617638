cd .h200
ls *.cu | xargs -P 16 -I{} sh -c 'nvcc -w -O3 -std=c++20 -arch=sm_90 {} -o {}.exe 2>{}.log || echo "{} does not compile"'
for f in *.cu; do echo "=== $f"; timeout 40 ./$f.exe 2>&1 | head -60; done > $OUT/all.txt
tail -c 11000 $OUT/all.txt
