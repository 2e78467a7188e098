;; Multiplies dense matrices in float64: block-products.ts. bench/compile-kernel.ts compiles it into
;; products.wasm.ts.
(module
  (import "multihop" "memory" (memory 1))

  ;; Adds the product of X transposed and Y to the matrix at $out: X is $rows x $p, Y $rows x $q,
  ;; the result $p x $q; $p and $q are multiples of 4. Sums of four by four entries stay in
  ;; registers.
  (func (export "cross") (param $x i32) (param $y i32) (param $out i32) (param $rows i32) (param $p i32) (param $q i32)
    (local $i i32) (local $j i32) (local $r i32) (local $xa i32) (local $ya i32) (local $o i32) (local $xs i32) (local $ys i32)
    (local $s v128) (local $b0 v128) (local $b1 v128)
    (local $a00 v128) (local $a01 v128) (local $a10 v128) (local $a11 v128)
    (local $a20 v128) (local $a21 v128) (local $a30 v128) (local $a31 v128)
    (local.set $xs (i32.shl (local.get $p) (i32.const 3)))
    (local.set $ys (i32.shl (local.get $q) (i32.const 3)))
    (loop $down
      (local.set $j (i32.const 0))
      (loop $across
        (local.set $a00 (v128.const i64x2 0 0)) (local.set $a01 (v128.const i64x2 0 0))
        (local.set $a10 (v128.const i64x2 0 0)) (local.set $a11 (v128.const i64x2 0 0))
        (local.set $a20 (v128.const i64x2 0 0)) (local.set $a21 (v128.const i64x2 0 0))
        (local.set $a30 (v128.const i64x2 0 0)) (local.set $a31 (v128.const i64x2 0 0))
        (local.set $xa (i32.add (local.get $x) (local.get $i)))
        (local.set $ya (i32.add (local.get $y) (local.get $j)))
        (local.set $r (local.get $rows))
        (loop $row
          (local.set $b0 (v128.load (local.get $ya)))
          (local.set $b1 (v128.load offset=16 (local.get $ya)))
          (local.set $s (v128.load64_splat (local.get $xa)))
          (local.set $a00 (f64x2.add (local.get $a00) (f64x2.mul (local.get $s) (local.get $b0))))
          (local.set $a01 (f64x2.add (local.get $a01) (f64x2.mul (local.get $s) (local.get $b1))))
          (local.set $s (v128.load64_splat offset=8 (local.get $xa)))
          (local.set $a10 (f64x2.add (local.get $a10) (f64x2.mul (local.get $s) (local.get $b0))))
          (local.set $a11 (f64x2.add (local.get $a11) (f64x2.mul (local.get $s) (local.get $b1))))
          (local.set $s (v128.load64_splat offset=16 (local.get $xa)))
          (local.set $a20 (f64x2.add (local.get $a20) (f64x2.mul (local.get $s) (local.get $b0))))
          (local.set $a21 (f64x2.add (local.get $a21) (f64x2.mul (local.get $s) (local.get $b1))))
          (local.set $s (v128.load64_splat offset=24 (local.get $xa)))
          (local.set $a30 (f64x2.add (local.get $a30) (f64x2.mul (local.get $s) (local.get $b0))))
          (local.set $a31 (f64x2.add (local.get $a31) (f64x2.mul (local.get $s) (local.get $b1))))
          (local.set $xa (i32.add (local.get $xa) (local.get $xs)))
          (local.set $ya (i32.add (local.get $ya) (local.get $ys)))
          (br_if $row (local.tee $r (i32.sub (local.get $r) (i32.const 1)))))
        (local.set $o (i32.add (i32.add (local.get $out) (i32.mul (i32.shr_u (local.get $i) (i32.const 3)) (local.get $ys))) (local.get $j)))
        (call $add (local.get $o) (local.get $a00) (local.get $a01))
        (call $add (local.tee $o (i32.add (local.get $o) (local.get $ys))) (local.get $a10) (local.get $a11))
        (call $add (local.tee $o (i32.add (local.get $o) (local.get $ys))) (local.get $a20) (local.get $a21))
        (call $add (i32.add (local.get $o) (local.get $ys)) (local.get $a30) (local.get $a31))
        (br_if $across (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 32))) (local.get $ys))))
      (br_if $down (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 32))) (local.get $xs)))))

  (func $add (param $o i32) (param $a v128) (param $b v128)
    (v128.store (local.get $o) (f64x2.add (v128.load (local.get $o)) (local.get $a)))
    (v128.store offset=16 (local.get $o) (f64x2.add (v128.load offset=16 (local.get $o)) (local.get $b)))))
