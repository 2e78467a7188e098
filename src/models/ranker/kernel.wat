;; Computes the network of a ranker (plain-forward.ts) for one pair at a time. All addresses and
;; strides are in bytes. bench/compile-kernel.ts compiles this file into kernel.wasm.ts.
(module
  (import "multihop" "memory" (memory 1))

  ;; Returns e to the power of four numbers, none above 0: 2 to a whole power times a polynomial of
  ;; the rest, within 3e-6 of it relatively; below -87 as for -87.
  (func $exp (param $x v128) (result v128)
    (local $n v128) (local $r v128)
    (local.set $x (f32x4.mul (v128.const f32x4 1.44269504 1.44269504 1.44269504 1.44269504) (f32x4.pmax (v128.const f32x4 -87 -87 -87 -87) (local.get $x))))
    ;; The last bits of a number plus this one are the number, rounded.
    (local.set $n (f32x4.add (local.get $x) (v128.const f32x4 12582912 12582912 12582912 12582912)))
    (local.set $r (f32x4.sub (local.get $x) (f32x4.sub (local.get $n) (v128.const f32x4 12582912 12582912 12582912 12582912))))
    (local.set $x (f32x4.add (f32x4.mul (local.get $r) (v128.const f32x4 0.0095701011 0.0095701011 0.0095701011 0.0095701011)) (v128.const f32x4 0.0559178649 0.0559178649 0.0559178649 0.0559178649)))
    (local.set $x (f32x4.add (f32x4.mul (local.get $r) (local.get $x)) (v128.const f32x4 0.2402474489 0.2402474489 0.2402474489 0.2402474489)))
    (local.set $x (f32x4.add (f32x4.mul (local.get $r) (local.get $x)) (v128.const f32x4 0.6931218142 0.6931218142 0.6931218142 0.6931218142)))
    (local.set $x (f32x4.add (f32x4.mul (local.get $r) (local.get $x)) (v128.const f32x4 0.9999992614 0.9999992614 0.9999992614 0.9999992614)))
    ;; Adds the whole power to the exponent.
    (i32x4.add (local.get $x) (i32x4.shl (local.get $n) (i32.const 23))))

  (func $sum (param $x v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $x)) (f32x4.extract_lane 1 (local.get $x)))
      (f32.add (f32x4.extract_lane 2 (local.get $x)) (f32x4.extract_lane 3 (local.get $x)))))

  (func $greatest (param $x v128) (result f32)
    (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $x)) (f32x4.extract_lane 1 (local.get $x)))
      (f32.max (f32x4.extract_lane 2 (local.get $x)) (f32x4.extract_lane 3 (local.get $x)))))

  ;; Rounds rows of floats to codes from -127 to 127; a number is its code times the scale of the
  ;; row. Rows are adjacent and a multiple of 32 bytes. Codes stand in bytes, or in 16 bits where
  ;; `wide` is not 0; the last may be followed by 8 bytes that are written. `scales` has, a row, its
  ;; scale and -64 times the sum of its codes (i32), what linear.wat begins with.
  (func (export "quantise") (param $x i32) (param $rows i32) (param $bytes i32) (param $wide i32) (param $codes i32) (param $scales i32)
    (local $end i32) (local $p i32) (local $step i32) (local $most v128) (local $top f32) (local $factor v128) (local $total v128) (local $a v128) (local $b v128) (local $magic v128)
    ;; The last bits of a number plus this one are the number, rounded.
    (local.set $magic (v128.const f32x4 12582912 12582912 12582912 12582912))
    (local.set $step (select (i32.const 16) (i32.const 8) (local.get $wide)))
    (loop $row
      (local.set $end (i32.add (local.get $x) (local.get $bytes)))
      (local.set $p (local.get $x))
      (local.set $most (v128.const f32x4 0 0 0 0))
      ;; Numbers without sign are in the order of their bits.
      (loop $look
        (local.set $most (i32x4.max_s (local.get $most) (f32x4.abs (v128.load (local.get $p)))))
        (br_if $look (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      ;; A row of zeros has codes of zero: its scale may be any.
      (local.set $top (f32.max (call $greatest (local.get $most)) (f32.const 1e-30)))
      (f32.store (local.get $scales) (f32.div (local.get $top) (f32.const 127)))
      (local.set $factor (f32x4.splat (f32.div (f32.const 127) (local.get $top))))
      (local.set $total (v128.const i32x4 0 0 0 0))
      (loop $round
        (local.set $a (i32x4.sub (f32x4.add (f32x4.mul (v128.load (local.get $x)) (local.get $factor)) (local.get $magic)) (local.get $magic)))
        (local.set $b (i32x4.sub (f32x4.add (f32x4.mul (v128.load offset=16 (local.get $x)) (local.get $factor)) (local.get $magic)) (local.get $magic)))
        (local.set $total (i32x4.add (local.get $total) (i32x4.add (local.get $a) (local.get $b))))
        (local.set $a (i16x8.narrow_i32x4_s (local.get $a) (local.get $b)))
        (if (i32.eqz (local.get $wide))
          (then (local.set $a (i8x16.narrow_i16x8_s (local.get $a) (local.get $a)))))
        (v128.store (local.get $codes) (local.get $a))
        (local.set $codes (i32.add (local.get $codes) (local.get $step)))
        (br_if $round (i32.ne (local.tee $x (i32.add (local.get $x) (i32.const 32))) (local.get $end))))
      (i32.store offset=4 (local.get $scales) (i32.mul (i32.const -64) (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $total)) (i32x4.extract_lane 1 (local.get $total)))
        (i32.add (i32x4.extract_lane 2 (local.get $total)) (i32x4.extract_lane 3 (local.get $total))))))
      (local.set $scales (i32.add (local.get $scales) (i32.const 8)))
      (br_if $row (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))

  ;; Multiplies `fours` times 4 rows of `terms` floats with a matrix of `terms` rows and `panels`
  ;; times 8 columns.
  (func (export "products") (param $a i32) (param $aBytes i32) (param $fours i32) (param $terms i32) (param $b i32) (param $bBytes i32) (param $panels i32) (param $out i32) (param $outBytes i32)
    (local $r i32) (local $w i32) (local $x i32) (local $y i32) (local $z i32) (local $p i32) (local $o i32) (local $n i32) (local $k i32)
    (local $u v128) (local $v v128) (local $s v128)
    (local $a0 v128) (local $b0 v128) (local $a1 v128) (local $b1 v128) (local $a2 v128) (local $b2 v128) (local $a3 v128) (local $b3 v128)
    (loop $panel
      (local.set $r (local.get $a))
      (local.set $o (local.get $out))
      (local.set $n (local.get $fours))
      (loop $four
        (local.set $p (local.get $b))
        (local.set $w (local.get $r))
        (local.set $x (i32.add (local.get $w) (local.get $aBytes)))
        (local.set $y (i32.add (local.get $x) (local.get $aBytes)))
        (local.set $z (i32.add (local.get $y) (local.get $aBytes)))
        (local.set $r (i32.add (local.get $z) (local.get $aBytes)))
        (local.set $k (local.get $terms))
        (local.set $a0 (v128.const i32x4 0 0 0 0))
        (local.set $b0 (v128.const i32x4 0 0 0 0))
        (local.set $a1 (v128.const i32x4 0 0 0 0))
        (local.set $b1 (v128.const i32x4 0 0 0 0))
        (local.set $a2 (v128.const i32x4 0 0 0 0))
        (local.set $b2 (v128.const i32x4 0 0 0 0))
        (local.set $a3 (v128.const i32x4 0 0 0 0))
        (local.set $b3 (v128.const i32x4 0 0 0 0))
        (loop $term
          (local.set $u (v128.load (local.get $p)))
          (local.set $v (v128.load offset=16 (local.get $p)))
          (local.set $s (v128.load32_splat (local.get $w)))
          (local.set $a0 (f32x4.add (local.get $a0) (f32x4.mul (local.get $u) (local.get $s))))
          (local.set $b0 (f32x4.add (local.get $b0) (f32x4.mul (local.get $v) (local.get $s))))
          (local.set $s (v128.load32_splat (local.get $x)))
          (local.set $a1 (f32x4.add (local.get $a1) (f32x4.mul (local.get $u) (local.get $s))))
          (local.set $b1 (f32x4.add (local.get $b1) (f32x4.mul (local.get $v) (local.get $s))))
          (local.set $s (v128.load32_splat (local.get $y)))
          (local.set $a2 (f32x4.add (local.get $a2) (f32x4.mul (local.get $u) (local.get $s))))
          (local.set $b2 (f32x4.add (local.get $b2) (f32x4.mul (local.get $v) (local.get $s))))
          (local.set $s (v128.load32_splat (local.get $z)))
          (local.set $a3 (f32x4.add (local.get $a3) (f32x4.mul (local.get $u) (local.get $s))))
          (local.set $b3 (f32x4.add (local.get $b3) (f32x4.mul (local.get $v) (local.get $s))))
          (local.set $p (i32.add (local.get $p) (local.get $bBytes)))
          (local.set $w (i32.add (local.get $w) (i32.const 4)))
          (local.set $x (i32.add (local.get $x) (i32.const 4)))
          (local.set $y (i32.add (local.get $y) (i32.const 4)))
          (local.set $z (i32.add (local.get $z) (i32.const 4)))
          (br_if $term (local.tee $k (i32.sub (local.get $k) (i32.const 1)))))
        (v128.store (local.get $o) (local.get $a0))
        (v128.store offset=16 (local.get $o) (local.get $b0))
        (local.set $o (i32.add (local.get $o) (local.get $outBytes)))
        (v128.store (local.get $o) (local.get $a1))
        (v128.store offset=16 (local.get $o) (local.get $b1))
        (local.set $o (i32.add (local.get $o) (local.get $outBytes)))
        (v128.store (local.get $o) (local.get $a2))
        (v128.store offset=16 (local.get $o) (local.get $b2))
        (local.set $o (i32.add (local.get $o) (local.get $outBytes)))
        (v128.store (local.get $o) (local.get $a3))
        (v128.store offset=16 (local.get $o) (local.get $b3))
        (local.set $o (i32.add (local.get $o) (local.get $outBytes)))
        (br_if $four (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
      (local.set $b (i32.add (local.get $b) (i32.const 32)))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (br_if $panel (local.tee $panels (i32.sub (local.get $panels) (i32.const 1))))))

  ;; Writes `fours` times 4 rows of floats as columns; the width is a multiple of 4 floats.
  (func (export "transpose") (param $rows i32) (param $fours i32) (param $bytes i32) (param $out i32) (param $outBytes i32)
    (local $w i32) (local $x i32) (local $y i32) (local $z i32) (local $end i32) (local $o i32)
    (local $ab v128) (local $cd v128) (local $ef v128) (local $gh v128)
    (loop $four
      (local.set $w (local.get $rows))
      (local.set $x (i32.add (local.get $w) (local.get $bytes)))
      (local.set $y (i32.add (local.get $x) (local.get $bytes)))
      (local.set $z (i32.add (local.get $y) (local.get $bytes)))
      (local.set $end (local.get $x))
      (local.set $o (local.get $out))
      (loop $columns
        (local.set $ab (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (v128.load (local.get $w)) (v128.load (local.get $x))))
        (local.set $cd (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (v128.load (local.get $w)) (v128.load (local.get $x))))
        (local.set $ef (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (v128.load (local.get $y)) (v128.load (local.get $z))))
        (local.set $gh (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (v128.load (local.get $y)) (v128.load (local.get $z))))
        (v128.store (local.get $o) (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $ab) (local.get $ef)))
        (local.set $o (i32.add (local.get $o) (local.get $outBytes)))
        (v128.store (local.get $o) (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $ab) (local.get $ef)))
        (local.set $o (i32.add (local.get $o) (local.get $outBytes)))
        (v128.store (local.get $o) (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $cd) (local.get $gh)))
        (local.set $o (i32.add (local.get $o) (local.get $outBytes)))
        (v128.store (local.get $o) (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $cd) (local.get $gh)))
        (local.set $o (i32.add (local.get $o) (local.get $outBytes)))
        (local.set $x (i32.add (local.get $x) (i32.const 16)))
        (local.set $y (i32.add (local.get $y) (i32.const 16)))
        (local.set $z (i32.add (local.get $z) (i32.const 16)))
        (br_if $columns (i32.ne (local.tee $w (i32.add (local.get $w) (i32.const 16))) (local.get $end))))
      (local.set $rows (local.get $z))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $four (local.tee $fours (i32.sub (local.get $fours) (i32.const 1))))))

  ;; Turns the first `count` scores of each row into shares that add up to 1: e to the power of
  ;; `factor` times the score. What is behind them in the row is no score.
  (func (export "softmax") (param $x i32) (param $rows i32) (param $count i32) (param $bytes i32) (param $factor f32)
    (local $p i32) (local $end i32) (local $most v128) (local $total v128) (local $s v128)
    (loop $row
      (local.set $end (i32.add (local.get $x) (local.get $bytes)))
      (local.set $p (i32.add (local.get $x) (i32.shl (local.get $count) (i32.const 2))))
      (block $full
        (loop $behind
          (br_if $full (i32.eq (local.get $p) (local.get $end)))
          (f32.store (local.get $p) (f32.const -1e30))
          (local.set $p (i32.add (local.get $p) (i32.const 4)))
          (br $behind)))
      (local.set $p (local.get $x))
      (local.set $most (v128.const f32x4 -1e30 -1e30 -1e30 -1e30))
      (loop $look
        (local.set $most (f32x4.pmax (local.get $most) (v128.load (local.get $p))))
        (br_if $look (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (local.set $most (f32x4.splat (call $greatest (local.get $most))))
      (local.set $total (v128.const f32x4 0 0 0 0))
      (local.set $p (local.get $x))
      (loop $raise
        (v128.store (local.get $p) (local.tee $s (call $exp (f32x4.mul
          (f32x4.sub (v128.load (local.get $p)) (local.get $most)) (f32x4.splat (local.get $factor))))))
        (local.set $total (f32x4.add (local.get $total) (local.get $s)))
        (br_if $raise (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (local.set $total (f32x4.splat (f32.div (f32.const 1) (call $sum (local.get $total)))))
      (loop $share
        (v128.store (local.get $x) (f32x4.mul (v128.load (local.get $x)) (local.get $total)))
        (br_if $share (i32.ne (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
      (br_if $row (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))

  ;; Adds rows to rows and norms each sum: mean 0, variance 1, then times gamma plus beta.
  (func (export "norm") (param $x i32) (param $added i32) (param $rows i32) (param $bytes i32) (param $gamma i32) (param $beta i32)
    (local $p i32) (local $end i32) (local $g i32) (local $b i32) (local $total v128) (local $mean v128) (local $s v128) (local $width f32)
    (local.set $width (f32.convert_i32_u (i32.shr_u (local.get $bytes) (i32.const 2))))
    (loop $row
      (local.set $end (i32.add (local.get $x) (local.get $bytes)))
      (local.set $p (local.get $x))
      (local.set $total (v128.const f32x4 0 0 0 0))
      (loop $add
        (v128.store (local.get $p) (local.tee $s (f32x4.add (v128.load (local.get $p)) (v128.load (local.get $added)))))
        (local.set $total (f32x4.add (local.get $total) (local.get $s)))
        (local.set $added (i32.add (local.get $added) (i32.const 16)))
        (br_if $add (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (local.set $mean (f32x4.splat (f32.div (call $sum (local.get $total)) (local.get $width))))
      (local.set $p (local.get $x))
      (local.set $total (v128.const f32x4 0 0 0 0))
      (loop $centre
        (v128.store (local.get $p) (local.tee $s (f32x4.sub (v128.load (local.get $p)) (local.get $mean))))
        (local.set $total (f32x4.add (local.get $total) (f32x4.mul (local.get $s) (local.get $s))))
        (br_if $centre (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (local.set $s (f32x4.splat (f32.div (f32.const 1) (f32.sqrt
        (f32.add (f32.div (call $sum (local.get $total)) (local.get $width)) (f32.const 1e-12))))))
      (local.set $g (local.get $gamma))
      (local.set $b (local.get $beta))
      (loop $scale
        (v128.store (local.get $x) (f32x4.add (v128.load (local.get $b))
          (f32x4.mul (v128.load (local.get $g)) (f32x4.mul (v128.load (local.get $x)) (local.get $s)))))
        (local.set $g (i32.add (local.get $g) (i32.const 16)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (br_if $scale (i32.ne (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
      (br_if $row (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))

  ;; Replaces floats by their GELU: x times the share of the normal distribution below x. That share
  ;; less a half is an odd polynomial up to 4.5, where it stays; GELU is within 8e-5.
  (func (export "gelu") (param $x i32) (param $end i32)
    (local $v v128) (local $z v128) (local $t v128) (local $h v128)
    (loop $next
      (local.set $v (v128.load (local.get $x)))
      (local.set $z (f32x4.pmin (v128.const f32x4 4.5 4.5 4.5 4.5) (f32x4.pmax (v128.const f32x4 -4.5 -4.5 -4.5 -4.5) (local.get $v))))
      (local.set $t (f32x4.mul (local.get $z) (local.get $z)))
      (local.set $h (f32x4.add (f32x4.mul (local.get $t) (v128.const f32x4 3.03639995e-11 3.03639995e-11 3.03639995e-11 3.03639995e-11)) (v128.const f32x4 -3.31464367e-09 -3.31464367e-09 -3.31464367e-09 -3.31464367e-09)))
      (local.set $h (f32x4.add (f32x4.mul (local.get $t) (local.get $h)) (v128.const f32x4 1.59099088e-07 1.59099088e-07 1.59099088e-07 1.59099088e-07)))
      (local.set $h (f32x4.add (f32x4.mul (local.get $t) (local.get $h)) (v128.const f32x4 -4.45171736e-06 -4.45171736e-06 -4.45171736e-06 -4.45171736e-06)))
      (local.set $h (f32x4.add (f32x4.mul (local.get $t) (local.get $h)) (v128.const f32x4 8.14250307e-05 8.14250307e-05 8.14250307e-05 8.14250307e-05)))
      (local.set $h (f32x4.add (f32x4.mul (local.get $t) (local.get $h)) (v128.const f32x4 -0.00103759032 -0.00103759032 -0.00103759032 -0.00103759032)))
      (local.set $h (f32x4.add (f32x4.mul (local.get $t) (local.get $h)) (v128.const f32x4 0.00958519895 0.00958519895 0.00958519895 0.00958519895)))
      (local.set $h (f32x4.add (f32x4.mul (local.get $t) (local.get $h)) (v128.const f32x4 -0.0659846514 -0.0659846514 -0.0659846514 -0.0659846514)))
      (local.set $h (f32x4.add (f32x4.mul (local.get $t) (local.get $h)) (v128.const f32x4 0.398712605 0.398712605 0.398712605 0.398712605)))
      (v128.store (local.get $x) (f32x4.mul (local.get $v)
        (f32x4.add (v128.const f32x4 0.5 0.5 0.5 0.5) (f32x4.mul (local.get $z) (local.get $h)))))
      (br_if $next (i32.ne (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))))
