;; Asks the machine for a dot product of relaxed SIMD. bench/compile-kernel.ts compiles this file
;; into relaxed-dot.wasm.ts.
(module
  ;; Returns the dot product of operands whose result depends on the machine: 65,534 if pairs of
  ;; products saturate at 16 bits before they are added.
  (func (export "beyond") (result i32)
    (i32x4.extract_lane 0 (i32x4.relaxed_dot_i8x16_i7x16_add_s
      (i8x16.splat (i32.const 127)) (i8x16.splat (i32.const -1)) (v128.const i32x4 0 0 0 0)))))
