;; Computes inner products of one or four queries with many rows. bench/compile-kernel.ts compiles
;; it into kernel.wasm.ts.
;;
;; Rows are read in one stream, the fastest way to read main memory; all rows are padded with zeros
;; to a multiple of 16 dimensions.
;; Floats: rows and queries are `bytes` long and adjacent.
;; Codes: rows are stored in fours, 16 codes of each in turn (64 bytes), so that one stream feeds
;; four sums; a row takes `bytes` of it, a query of i16 twice as many. The sum is exact if it fits
;; in 32 bits; it is rounded to f32 and multiplied by the scale of the row.
(module
  (import "multihop" "memory" (memory 1))

  ;; Returns the sums of the lanes of four vectors: (l0 + l2) + (l1 + l3) of each.
  (func $sums (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result v128)
    (local $ab v128) (local $cd v128)
    (local.set $ab (f32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
    (local.set $cd (f32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
    (f32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $ab) (local.get $cd))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $ab) (local.get $cd))))

  ;; Returns the sums of integer lanes, as floats.
  (func $wholeSums (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result v128)
    (local $ab v128) (local $cd v128)
    (local.set $ab (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
    (local.set $cd (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
    (f32x4.convert_i32x4_s (i32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $ab) (local.get $cd))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $ab) (local.get $cd)))))

  ;; Returns the bits of exact-score.ts for a query of f64 and each of `count` rows of `bytes`, at
  ;; least one, whose indexes (i32) start at `items`: f64 each. Processes two rows at once, because
  ;; each addition waits for the previous one; a row without a partner is paired with itself.
  (func (export "exact") (param $query i32) (param $vectors i32) (param $bytes i32) (param $items i32) (param $count i32) (param $out i32)
    (local $last i32) (local $end i32) (local $q i32) (local $a i32) (local $b i32) (local $next i32)
    (local $v v128) (local $w v128) (local $low v128) (local $high v128)
    (local $va v128) (local $vb v128) (local $wa v128) (local $wb v128)
    (local.set $last (i32.add (local.get $items) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $end (i32.add (local.get $query) (i32.shl (local.get $bytes) (i32.const 1))))
    (loop $rows
      (local.set $next (i32.add (local.get $items) (i32.const 4)))
      (local.set $a (i32.add (local.get $vectors) (i32.mul (local.get $bytes) (i32.load (local.get $items)))))
      (local.set $b (i32.add (local.get $vectors) (i32.mul (local.get $bytes) (i32.load
        (select (local.get $next) (local.get $items) (i32.lt_u (local.get $next) (local.get $last)))))))
      (local.set $q (local.get $query))
      (local.set $va (v128.const f64x2 0 0))
      (local.set $vb (v128.const f64x2 0 0))
      (local.set $wa (v128.const f64x2 0 0))
      (local.set $wb (v128.const f64x2 0 0))
      (loop $dimensions
        (local.set $low (v128.load (local.get $q)))
        (local.set $high (v128.load offset=16 (local.get $q)))
        (local.set $v (v128.load (local.get $a)))
        (local.set $w (v128.load (local.get $b)))
        (local.set $va (f64x2.add (local.get $va) (f64x2.mul (local.get $low) (f64x2.promote_low_f32x4 (local.get $v)))))
        (local.set $wa (f64x2.add (local.get $wa) (f64x2.mul (local.get $low) (f64x2.promote_low_f32x4 (local.get $w)))))
        (local.set $vb (f64x2.add (local.get $vb) (f64x2.mul (local.get $high) (f64x2.promote_low_f32x4
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $v) (local.get $v))))))
        (local.set $wb (f64x2.add (local.get $wb) (f64x2.mul (local.get $high) (f64x2.promote_low_f32x4
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $w) (local.get $w))))))
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (br_if $dimensions (i32.ne (local.tee $q (i32.add (local.get $q) (i32.const 32))) (local.get $end))))
      (f64.store (local.get $out) (call $whole (local.get $va) (local.get $vb)))
      (if (i32.lt_u (local.get $next) (local.get $last))
        (then (f64.store offset=8 (local.get $out) (call $whole (local.get $wa) (local.get $wb)))))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $rows (i32.lt_u (local.tee $items (i32.add (local.get $items) (i32.const 8))) (local.get $last)))))

  (func $whole (param $ab v128) (param $cd v128) (result f64)
    (f64.add
      (f64.add (f64x2.extract_lane 0 (local.get $ab)) (f64x2.extract_lane 1 (local.get $ab)))
      (f64.add (f64x2.extract_lane 0 (local.get $cd)) (f64x2.extract_lane 1 (local.get $cd)))))

  ;; Scores one query against `count` rows, at least one: an f32 a row. Adds sixteen partial sums,
  ;; by dimension modulo 16.
  (func (export "floats1") (param $query i32) (param $rows i32) (param $count i32) (param $bytes i32) (param $out i32)
    (local $q i32) (local $end i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $end (i32.add (local.get $query) (local.get $bytes)))
    (loop $next
      (local.set $q (local.get $query))
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $c (v128.const i32x4 0 0 0 0))
      (local.set $d (v128.const i32x4 0 0 0 0))
      (loop $dimensions
        (local.set $a (f32x4.add (local.get $a) (f32x4.mul (v128.load (local.get $q)) (v128.load (local.get $rows)))))
        (local.set $b (f32x4.add (local.get $b) (f32x4.mul (v128.load offset=16 (local.get $q)) (v128.load offset=16 (local.get $rows)))))
        (local.set $c (f32x4.add (local.get $c) (f32x4.mul (v128.load offset=32 (local.get $q)) (v128.load offset=32 (local.get $rows)))))
        (local.set $d (f32x4.add (local.get $d) (f32x4.mul (v128.load offset=48 (local.get $q)) (v128.load offset=48 (local.get $rows)))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
        (local.set $q (i32.add (local.get $q) (i32.const 64)))
        (br_if $dimensions (i32.ne (local.get $q) (local.get $end))))
      (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
      (local.set $a (f32x4.add (local.get $a) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))))
      (f32.store (local.get $out) (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; Scores four adjacent queries against `count` rows, at least one: four f32 a row. Each score has
  ;; eight partial sums, by dimension modulo 8, each added in ascending order; then s(i) + s(i+4) =
  ;; t(i), and (t0 + t2) + (t1 + t3). multiply.ts guarantees these bits.
  (func (export "floats4") (param $query i32) (param $rows i32) (param $count i32) (param $bytes i32) (param $out i32)
    (local $w i32) (local $x i32) (local $y i32) (local $z i32) (local $end i32) (local $v v128)
    (local $w0 v128) (local $w1 v128) (local $x0 v128) (local $x1 v128)
    (local $y0 v128) (local $y1 v128) (local $z0 v128) (local $z1 v128)
    (local.set $end (i32.add (local.get $query) (local.get $bytes)))
    (loop $next
      (local.set $w (local.get $query))
      (local.set $x (i32.add (local.get $w) (local.get $bytes)))
      (local.set $y (i32.add (local.get $x) (local.get $bytes)))
      (local.set $z (i32.add (local.get $y) (local.get $bytes)))
      (local.set $w0 (v128.const i32x4 0 0 0 0))
      (local.set $w1 (v128.const i32x4 0 0 0 0))
      (local.set $x0 (v128.const i32x4 0 0 0 0))
      (local.set $x1 (v128.const i32x4 0 0 0 0))
      (local.set $y0 (v128.const i32x4 0 0 0 0))
      (local.set $y1 (v128.const i32x4 0 0 0 0))
      (local.set $z0 (v128.const i32x4 0 0 0 0))
      (local.set $z1 (v128.const i32x4 0 0 0 0))
      (loop $dimensions
        (local.set $v (v128.load (local.get $rows)))
        (local.set $w0 (f32x4.add (local.get $w0) (f32x4.mul (local.get $v) (v128.load (local.get $w)))))
        (local.set $x0 (f32x4.add (local.get $x0) (f32x4.mul (local.get $v) (v128.load (local.get $x)))))
        (local.set $y0 (f32x4.add (local.get $y0) (f32x4.mul (local.get $v) (v128.load (local.get $y)))))
        (local.set $z0 (f32x4.add (local.get $z0) (f32x4.mul (local.get $v) (v128.load (local.get $z)))))
        (local.set $v (v128.load offset=16 (local.get $rows)))
        (local.set $w1 (f32x4.add (local.get $w1) (f32x4.mul (local.get $v) (v128.load offset=16 (local.get $w)))))
        (local.set $x1 (f32x4.add (local.get $x1) (f32x4.mul (local.get $v) (v128.load offset=16 (local.get $x)))))
        (local.set $y1 (f32x4.add (local.get $y1) (f32x4.mul (local.get $v) (v128.load offset=16 (local.get $y)))))
        (local.set $z1 (f32x4.add (local.get $z1) (f32x4.mul (local.get $v) (v128.load offset=16 (local.get $z)))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 32)))
        (local.set $x (i32.add (local.get $x) (i32.const 32)))
        (local.set $y (i32.add (local.get $y) (i32.const 32)))
        (local.set $z (i32.add (local.get $z) (i32.const 32)))
        (local.set $w (i32.add (local.get $w) (i32.const 32)))
        (br_if $dimensions (i32.ne (local.get $w) (local.get $end))))
      (v128.store (local.get $out) (call $sums
        (f32x4.add (local.get $w0) (local.get $w1)) (f32x4.add (local.get $x0) (local.get $x1))
        (f32x4.add (local.get $y0) (local.get $y1)) (f32x4.add (local.get $z0) (local.get $z1))))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; Scores one query against `quads` fours of rows, at least one: an f32 a row.
  (func (export "codes1") (param $query i32) (param $rows i32) (param $quads i32) (param $bytes i32) (param $scales i32) (param $out i32)
    (local $q i32) (local $end i32) (local $v v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $end (i32.add (local.get $query) (i32.shl (local.get $bytes) (i32.const 1))))
    (loop $next
      (local.set $q (local.get $query))
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $c (v128.const i32x4 0 0 0 0))
      (local.set $d (v128.const i32x4 0 0 0 0))
      (loop $dimensions
        (local.set $v (v128.load (local.get $q)))
        (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s (local.get $rows)))))
        (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s offset=16 (local.get $rows)))))
        (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s offset=32 (local.get $rows)))))
        (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s offset=48 (local.get $rows)))))
        (local.set $v (v128.load offset=16 (local.get $q)))
        (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s offset=8 (local.get $rows)))))
        (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s offset=24 (local.get $rows)))))
        (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s offset=40 (local.get $rows)))))
        (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s offset=56 (local.get $rows)))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
        (local.set $q (i32.add (local.get $q) (i32.const 32)))
        (br_if $dimensions (i32.ne (local.get $q) (local.get $end))))
      (v128.store (local.get $out) (f32x4.mul (v128.load (local.get $scales))
        (call $wholeSums (local.get $a) (local.get $b) (local.get $c) (local.get $d))))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
      (br_if $next (local.tee $quads (i32.sub (local.get $quads) (i32.const 1))))))

  ;; Scores four adjacent queries against `quads` fours of rows, at least one: four f32 a row.
  ;; Passes over each four twice, for two rows each time.
  (func (export "codes4") (param $query i32) (param $rows i32) (param $quads i32) (param $bytes i32) (param $scales i32) (param $out i32)
    (local $w i32) (local $x i32) (local $y i32) (local $z i32) (local $end i32) (local $double i32) (local $last i32) (local $a i32)
    (local $va v128) (local $vb v128) (local $v v128)
    (local $wa v128) (local $wb v128) (local $xa v128) (local $xb v128)
    (local $ya v128) (local $yb v128) (local $za v128) (local $zb v128)
    (local.set $double (i32.shl (local.get $bytes) (i32.const 1)))
    (local.set $end (i32.add (local.get $query) (local.get $double)))
    (local.set $last (i32.add (local.get $scales) (i32.shl (local.get $quads) (i32.const 4))))
    (local.set $a (local.get $rows))
    (loop $next
      (local.set $w (local.get $query))
      (local.set $x (i32.add (local.get $w) (local.get $double)))
      (local.set $y (i32.add (local.get $x) (local.get $double)))
      (local.set $z (i32.add (local.get $y) (local.get $double)))
      (local.set $wa (v128.const i32x4 0 0 0 0))
      (local.set $wb (v128.const i32x4 0 0 0 0))
      (local.set $xa (v128.const i32x4 0 0 0 0))
      (local.set $xb (v128.const i32x4 0 0 0 0))
      (local.set $ya (v128.const i32x4 0 0 0 0))
      (local.set $yb (v128.const i32x4 0 0 0 0))
      (local.set $za (v128.const i32x4 0 0 0 0))
      (local.set $zb (v128.const i32x4 0 0 0 0))
      (loop $dimensions
        (local.set $va (v128.load8x8_s (local.get $a)))
        (local.set $vb (v128.load8x8_s offset=16 (local.get $a)))
        (local.set $v (v128.load (local.get $w)))
        (local.set $wa (i32x4.add (local.get $wa) (i32x4.dot_i16x8_s (local.get $v) (local.get $va))))
        (local.set $wb (i32x4.add (local.get $wb) (i32x4.dot_i16x8_s (local.get $v) (local.get $vb))))
        (local.set $v (v128.load (local.get $x)))
        (local.set $xa (i32x4.add (local.get $xa) (i32x4.dot_i16x8_s (local.get $v) (local.get $va))))
        (local.set $xb (i32x4.add (local.get $xb) (i32x4.dot_i16x8_s (local.get $v) (local.get $vb))))
        (local.set $v (v128.load (local.get $y)))
        (local.set $ya (i32x4.add (local.get $ya) (i32x4.dot_i16x8_s (local.get $v) (local.get $va))))
        (local.set $yb (i32x4.add (local.get $yb) (i32x4.dot_i16x8_s (local.get $v) (local.get $vb))))
        (local.set $v (v128.load (local.get $z)))
        (local.set $za (i32x4.add (local.get $za) (i32x4.dot_i16x8_s (local.get $v) (local.get $va))))
        (local.set $zb (i32x4.add (local.get $zb) (i32x4.dot_i16x8_s (local.get $v) (local.get $vb))))
        (local.set $va (v128.load8x8_s offset=8 (local.get $a)))
        (local.set $vb (v128.load8x8_s offset=24 (local.get $a)))
        (local.set $v (v128.load offset=16 (local.get $w)))
        (local.set $wa (i32x4.add (local.get $wa) (i32x4.dot_i16x8_s (local.get $v) (local.get $va))))
        (local.set $wb (i32x4.add (local.get $wb) (i32x4.dot_i16x8_s (local.get $v) (local.get $vb))))
        (local.set $v (v128.load offset=16 (local.get $x)))
        (local.set $xa (i32x4.add (local.get $xa) (i32x4.dot_i16x8_s (local.get $v) (local.get $va))))
        (local.set $xb (i32x4.add (local.get $xb) (i32x4.dot_i16x8_s (local.get $v) (local.get $vb))))
        (local.set $v (v128.load offset=16 (local.get $y)))
        (local.set $ya (i32x4.add (local.get $ya) (i32x4.dot_i16x8_s (local.get $v) (local.get $va))))
        (local.set $yb (i32x4.add (local.get $yb) (i32x4.dot_i16x8_s (local.get $v) (local.get $vb))))
        (local.set $v (v128.load offset=16 (local.get $z)))
        (local.set $za (i32x4.add (local.get $za) (i32x4.dot_i16x8_s (local.get $v) (local.get $va))))
        (local.set $zb (i32x4.add (local.get $zb) (i32x4.dot_i16x8_s (local.get $v) (local.get $vb))))
        (local.set $a (i32.add (local.get $a) (i32.const 64)))
        (local.set $x (i32.add (local.get $x) (i32.const 32)))
        (local.set $y (i32.add (local.get $y) (i32.const 32)))
        (local.set $z (i32.add (local.get $z) (i32.const 32)))
        (local.set $w (i32.add (local.get $w) (i32.const 32)))
        (br_if $dimensions (i32.ne (local.get $w) (local.get $end))))
      (v128.store (local.get $out) (f32x4.mul (v128.load32_splat (local.get $scales))
        (call $wholeSums (local.get $wa) (local.get $xa) (local.get $ya) (local.get $za))))
      (v128.store offset=16 (local.get $out) (f32x4.mul (v128.load32_splat offset=4 (local.get $scales))
        (call $wholeSums (local.get $wb) (local.get $xb) (local.get $yb) (local.get $zb))))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (local.set $scales (i32.add (local.get $scales) (i32.const 8)))
      ;; Continues with the other two rows of the four: $a points to the next four, or to the middle
      ;; of its first line.
      (if (i32.eq (local.get $a) (i32.add (local.get $rows) (i32.shl (local.get $bytes) (i32.const 2))))
        (then (local.set $a (i32.add (local.get $rows) (i32.const 32))))
        (else
          (local.set $rows (i32.add (local.get $rows) (i32.shl (local.get $bytes) (i32.const 2))))
          (local.set $a (local.get $rows))))
      (br_if $next (i32.ne (local.get $scales) (local.get $last)))))

  ;; Returns the address of the first product from `at` up to `end` (16 bytes at a time) that, plus
  ;; the error of its row times the slope, reaches the cut; `end` if none does. `limits` points to
  ;; four slopes and then four cuts, one for each query. This variant serves one query, four rows at
  ;; a time.
  (func (export "reach1") (param $at i32) (param $end i32) (param $errors i32) (param $limits i32) (result i32)
    (local $slope v128) (local $cut v128)
    (local.set $slope (v128.load32_splat (local.get $limits)))
    (local.set $cut (v128.load32_splat offset=16 (local.get $limits)))
    (block $found
      (loop $next
        (br_if $found (i32.ge_u (local.get $at) (local.get $end)))
        (br_if $found (i32.eqz (i32x4.all_true (f32x4.lt
          (f32x4.add (v128.load (local.get $at)) (f32x4.mul (local.get $slope) (v128.load (local.get $errors))))
          (local.get $cut)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $errors (i32.add (local.get $errors) (i32.const 16)))
        (br $next)))
    (local.get $at))

  ;; Serves four queries, row by row.
  (func (export "reach4") (param $at i32) (param $end i32) (param $errors i32) (param $limits i32) (result i32)
    (local $slope v128) (local $cut v128)
    (local.set $slope (v128.load (local.get $limits)))
    (local.set $cut (v128.load offset=16 (local.get $limits)))
    (block $found
      (loop $next
        (br_if $found (i32.ge_u (local.get $at) (local.get $end)))
        (br_if $found (i32.eqz (i32x4.all_true (f32x4.lt
          (f32x4.add (v128.load (local.get $at)) (f32x4.mul (local.get $slope) (v128.load32_splat (local.get $errors))))
          (local.get $cut)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $errors (i32.add (local.get $errors) (i32.const 4)))
        (br $next)))
    (local.get $at)))
