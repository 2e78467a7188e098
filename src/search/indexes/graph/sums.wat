;; Adds up weighed values of the rows of a graph: row-sums.ts. bench/compile-kernel.ts compiles it
;; into sums.wasm.ts.
(module
  (import "multihop" "memory" (memory 1))

  ;; $starts and $targets hold i32, $weights f32, $values and $sums f64; there are $rows rows.
  (func (export "sums") (param $starts i32) (param $targets i32) (param $weights i32) (param $values i32) (param $sums i32) (param $rows i32)
    (local $at i32) (local $end i32) (local $last i32) (local $s v128)
    (local.set $last (i32.add (local.get $sums) (i32.shl (local.get $rows) (i32.const 3))))
    (loop $row
      (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
      (local.set $end (i32.shl (i32.load (local.get $starts)) (i32.const 2)))
      (local.set $s (v128.const i64x2 0 0))
      (block $odd
        (loop $two
          (br_if $odd (i32.gt_u (i32.add (local.get $at) (i32.const 8)) (local.get $end)))
          (local.set $s (f64x2.add (local.get $s) (f64x2.mul
            (f64x2.promote_low_f32x4 (v128.load64_zero (i32.add (local.get $weights) (local.get $at))))
            (v128.load64_lane 1
              (i32.add (local.get $values) (i32.shl (i32.load offset=4 (i32.add (local.get $targets) (local.get $at))) (i32.const 3)))
              (v128.load64_zero
                (i32.add (local.get $values) (i32.shl (i32.load (i32.add (local.get $targets) (local.get $at))) (i32.const 3))))))))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br $two)))
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (local.set $s (f64x2.add (local.get $s) (f64x2.mul
            (f64x2.promote_low_f32x4 (v128.load32_zero (i32.add (local.get $weights) (local.get $at))))
            (v128.load64_zero
              (i32.add (local.get $values) (i32.shl (i32.load (i32.add (local.get $targets) (local.get $at))) (i32.const 3)))))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))))
      (f64.store (local.get $sums) (f64.add (f64x2.extract_lane 0 (local.get $s)) (f64x2.extract_lane 1 (local.get $s))))
      (local.set $sums (i32.add (local.get $sums) (i32.const 8)))
      (br_if $row (i32.lt_u (local.get $sums) (local.get $last))))))
