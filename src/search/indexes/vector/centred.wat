;; Scores 7-bit rows (centred.ts) on machines with relaxed SIMD. bench/compile-kernel.ts compiles it
;; into centred.wasm.ts.
;;
;; Rows are bytes from 1 to 127, a code plus 64 each, in fours as in kernel.wat; queries are signed
;; bytes. Uses only the part of relaxed SIMD that every machine computes alike: the second operand
;; of the dot product has 7 bits, and no sum of two products exceeds 16 bits. bench/compile-
;; kernel.ts also makes the variant centred-pairs.wasm.ts, which adds the products in two steps
;; instead of one.
(module
  (import "multihop" "memory" (memory 1))

  ;; Returns the sums of the lanes of four vectors.
  (func $sums (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result v128)
    (local $ab v128) (local $cd v128)
    (local.set $ab (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
    (local.set $cd (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $ab) (local.get $cd))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $ab) (local.get $cd))))

  ;; Returns (sums - shifts) * scale of the row + portions * share of the row: four f32. `terms`
  ;; points to four portions (f32) and four shifts (i32).
  (func $product (param $sums v128) (param $scale i32) (param $share i32) (param $terms i32) (result v128)
    (f32x4.add
      (f32x4.mul
        (f32x4.convert_i32x4_s (i32x4.sub (local.get $sums) (v128.load offset=16 (local.get $terms))))
        (v128.load32_splat (local.get $scale)))
      (f32x4.mul (v128.load (local.get $terms)) (v128.load32_splat (local.get $share)))))

  ;; Scores four adjacent queries of `bytes` against `quads` fours of rows, at least one: four f32 a
  ;; row. Passes over each four twice, for two rows each time.
  (func (export "centred4") (param $query i32) (param $rows i32) (param $quads i32) (param $bytes i32) (param $scales i32) (param $shares i32)
    (param $terms i32) (param $out i32)
    (local $w i32) (local $x i32) (local $y i32) (local $z i32) (local $end i32) (local $last i32) (local $a i32)
    (local $va v128) (local $vb v128) (local $v v128)
    (local $wa v128) (local $wb v128) (local $xa v128) (local $xb v128)
    (local $ya v128) (local $yb v128) (local $za v128) (local $zb v128)
    (local $ones v128)
    (local.set $ones (v128.const i16x8 1 1 1 1 1 1 1 1))
    (local.set $end (i32.add (local.get $query) (local.get $bytes)))
    (local.set $last (i32.add (local.get $scales) (i32.shl (local.get $quads) (i32.const 4))))
    (local.set $a (local.get $rows))
    (loop $next
      (local.set $w (local.get $query))
      (local.set $x (i32.add (local.get $w) (local.get $bytes)))
      (local.set $y (i32.add (local.get $x) (local.get $bytes)))
      (local.set $z (i32.add (local.get $y) (local.get $bytes)))
      (local.set $wa (v128.const i32x4 0 0 0 0))
      (local.set $wb (v128.const i32x4 0 0 0 0))
      (local.set $xa (v128.const i32x4 0 0 0 0))
      (local.set $xb (v128.const i32x4 0 0 0 0))
      (local.set $ya (v128.const i32x4 0 0 0 0))
      (local.set $yb (v128.const i32x4 0 0 0 0))
      (local.set $za (v128.const i32x4 0 0 0 0))
      (local.set $zb (v128.const i32x4 0 0 0 0))
      (loop $dimensions
        (local.set $va (v128.load (local.get $a)))
        (local.set $vb (v128.load offset=16 (local.get $a)))
        (local.set $v (v128.load (local.get $w)))
        (local.set $wa (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $v) (local.get $va) (local.get $wa)))
        (local.set $wb (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $v) (local.get $vb) (local.get $wb)))
        (local.set $v (v128.load (local.get $x)))
        (local.set $xa (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $v) (local.get $va) (local.get $xa)))
        (local.set $xb (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $v) (local.get $vb) (local.get $xb)))
        (local.set $v (v128.load (local.get $y)))
        (local.set $ya (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $v) (local.get $va) (local.get $ya)))
        (local.set $yb (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $v) (local.get $vb) (local.get $yb)))
        (local.set $v (v128.load (local.get $z)))
        (local.set $za (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $v) (local.get $va) (local.get $za)))
        (local.set $zb (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $v) (local.get $vb) (local.get $zb)))
        (local.set $a (i32.add (local.get $a) (i32.const 64)))
        (local.set $x (i32.add (local.get $x) (i32.const 16)))
        (local.set $y (i32.add (local.get $y) (i32.const 16)))
        (local.set $z (i32.add (local.get $z) (i32.const 16)))
        (local.set $w (i32.add (local.get $w) (i32.const 16)))
        (br_if $dimensions (i32.ne (local.get $w) (local.get $end))))
      (v128.store (local.get $out) (call $product
        (call $sums (local.get $wa) (local.get $xa) (local.get $ya) (local.get $za))
        (local.get $scales) (local.get $shares) (local.get $terms)))
      (v128.store offset=16 (local.get $out) (call $product
        (call $sums (local.get $wb) (local.get $xb) (local.get $yb) (local.get $zb))
        (i32.add (local.get $scales) (i32.const 4)) (i32.add (local.get $shares) (i32.const 4)) (local.get $terms)))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (local.set $scales (i32.add (local.get $scales) (i32.const 8)))
      (local.set $shares (i32.add (local.get $shares) (i32.const 8)))
      ;; Continues with the other two rows of the four, as in codes4 of kernel.wat.
      (if (i32.eq (local.get $a) (i32.add (local.get $rows) (i32.shl (local.get $bytes) (i32.const 2))))
        (then (local.set $a (i32.add (local.get $rows) (i32.const 32))))
        (else
          (local.set $rows (i32.add (local.get $rows) (i32.shl (local.get $bytes) (i32.const 2))))
          (local.set $a (local.get $rows))))
      (br_if $next (i32.ne (local.get $scales) (local.get $last)))))

  ;; Scores two adjacent queries in place of four, all rows of a four at once; the other two
  ;; products of a row belong to no query.
  (func (export "centred2") (param $query i32) (param $rows i32) (param $quads i32) (param $bytes i32) (param $scales i32) (param $shares i32)
    (param $terms i32) (param $out i32)
    (local $w i32) (local $end i32) (local $last i32) (local $x i32)
    (local $v v128) (local $q v128) (local $p v128)
    (local $wa v128) (local $wb v128) (local $wc v128) (local $wd v128)
    (local $xa v128) (local $xb v128) (local $xc v128) (local $xd v128) (local $zero v128)
    (local $ones v128)
    (local.set $ones (v128.const i16x8 1 1 1 1 1 1 1 1))
    (local.set $end (i32.add (local.get $query) (local.get $bytes)))
    (local.set $last (i32.add (local.get $scales) (i32.shl (local.get $quads) (i32.const 4))))
    (loop $next
      (local.set $w (local.get $query))
      (local.set $x (local.get $end))
      (local.set $wa (v128.const i32x4 0 0 0 0))
      (local.set $wb (v128.const i32x4 0 0 0 0))
      (local.set $wc (v128.const i32x4 0 0 0 0))
      (local.set $wd (v128.const i32x4 0 0 0 0))
      (local.set $xa (v128.const i32x4 0 0 0 0))
      (local.set $xb (v128.const i32x4 0 0 0 0))
      (local.set $xc (v128.const i32x4 0 0 0 0))
      (local.set $xd (v128.const i32x4 0 0 0 0))
      (loop $dimensions
        (local.set $q (v128.load (local.get $w)))
        (local.set $p (v128.load (local.get $x)))
        (local.set $v (v128.load offset=0 (local.get $rows)))
        (local.set $wa (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $q) (local.get $v) (local.get $wa)))
        (local.set $xa (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $p) (local.get $v) (local.get $xa)))
        (local.set $v (v128.load offset=16 (local.get $rows)))
        (local.set $wb (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $q) (local.get $v) (local.get $wb)))
        (local.set $xb (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $p) (local.get $v) (local.get $xb)))
        (local.set $v (v128.load offset=32 (local.get $rows)))
        (local.set $wc (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $q) (local.get $v) (local.get $wc)))
        (local.set $xc (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $p) (local.get $v) (local.get $xc)))
        (local.set $v (v128.load offset=48 (local.get $rows)))
        (local.set $wd (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $q) (local.get $v) (local.get $wd)))
        (local.set $xd (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $p) (local.get $v) (local.get $xd)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
        (local.set $x (i32.add (local.get $x) (i32.const 16)))
        (local.set $w (i32.add (local.get $w) (i32.const 16)))
        (br_if $dimensions (i32.ne (local.get $w) (local.get $end))))
      (v128.store offset=0 (local.get $out) (call $product
        (call $sums (local.get $wa) (local.get $xa) (local.get $zero) (local.get $zero))
        (i32.add (local.get $scales) (i32.const 0)) (i32.add (local.get $shares) (i32.const 0)) (local.get $terms)))
      (v128.store offset=16 (local.get $out) (call $product
        (call $sums (local.get $wb) (local.get $xb) (local.get $zero) (local.get $zero))
        (i32.add (local.get $scales) (i32.const 4)) (i32.add (local.get $shares) (i32.const 4)) (local.get $terms)))
      (v128.store offset=32 (local.get $out) (call $product
        (call $sums (local.get $wc) (local.get $xc) (local.get $zero) (local.get $zero))
        (i32.add (local.get $scales) (i32.const 8)) (i32.add (local.get $shares) (i32.const 8)) (local.get $terms)))
      (v128.store offset=48 (local.get $out) (call $product
        (call $sums (local.get $wd) (local.get $xd) (local.get $zero) (local.get $zero))
        (i32.add (local.get $scales) (i32.const 12)) (i32.add (local.get $shares) (i32.const 12)) (local.get $terms)))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
      (local.set $shares (i32.add (local.get $shares) (i32.const 16)))
      (br_if $next (i32.ne (local.get $scales) (local.get $last)))))

  ;; Scores one query in the same way.
  (func (export "centred1") (param $query i32) (param $rows i32) (param $quads i32) (param $bytes i32) (param $scales i32) (param $shares i32)
    (param $terms i32) (param $out i32)
    (local $w i32) (local $end i32) (local $last i32)
    (local $v v128) (local $q v128) (local $wa v128) (local $wb v128) (local $wc v128) (local $wd v128) (local $zero v128)
    (local $ones v128)
    (local.set $ones (v128.const i16x8 1 1 1 1 1 1 1 1))
    (local.set $end (i32.add (local.get $query) (local.get $bytes)))
    (local.set $last (i32.add (local.get $scales) (i32.shl (local.get $quads) (i32.const 4))))
    (loop $next
      (local.set $w (local.get $query))
      (local.set $wa (v128.const i32x4 0 0 0 0))
      (local.set $wb (v128.const i32x4 0 0 0 0))
      (local.set $wc (v128.const i32x4 0 0 0 0))
      (local.set $wd (v128.const i32x4 0 0 0 0))
      (loop $dimensions
        (local.set $q (v128.load (local.get $w)))
        (local.set $v (v128.load offset=0 (local.get $rows)))
        (local.set $wa (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $q) (local.get $v) (local.get $wa)))
        (local.set $v (v128.load offset=16 (local.get $rows)))
        (local.set $wb (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $q) (local.get $v) (local.get $wb)))
        (local.set $v (v128.load offset=32 (local.get $rows)))
        (local.set $wc (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $q) (local.get $v) (local.get $wc)))
        (local.set $v (v128.load offset=48 (local.get $rows)))
        (local.set $wd (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $q) (local.get $v) (local.get $wd)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
        (local.set $w (i32.add (local.get $w) (i32.const 16)))
        (br_if $dimensions (i32.ne (local.get $w) (local.get $end))))
      (v128.store offset=0 (local.get $out) (call $product
        (call $sums (local.get $wa) (local.get $zero) (local.get $zero) (local.get $zero))
        (i32.add (local.get $scales) (i32.const 0)) (i32.add (local.get $shares) (i32.const 0)) (local.get $terms)))
      (v128.store offset=16 (local.get $out) (call $product
        (call $sums (local.get $wb) (local.get $zero) (local.get $zero) (local.get $zero))
        (i32.add (local.get $scales) (i32.const 4)) (i32.add (local.get $shares) (i32.const 4)) (local.get $terms)))
      (v128.store offset=32 (local.get $out) (call $product
        (call $sums (local.get $wc) (local.get $zero) (local.get $zero) (local.get $zero))
        (i32.add (local.get $scales) (i32.const 8)) (i32.add (local.get $shares) (i32.const 8)) (local.get $terms)))
      (v128.store offset=48 (local.get $out) (call $product
        (call $sums (local.get $wd) (local.get $zero) (local.get $zero) (local.get $zero))
        (i32.add (local.get $scales) (i32.const 12)) (i32.add (local.get $shares) (i32.const 12)) (local.get $terms)))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
      (local.set $shares (i32.add (local.get $shares) (i32.const 16)))
      (br_if $next (i32.ne (local.get $scales) (local.get $last))))))
