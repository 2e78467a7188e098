;; Adds quantised contributions to the sums of one block and finds the items that may be among the
;; best k. bench/compile-kernel.ts compiles it into kernel.wasm.ts. compiled-search.ts shares the
;; layout below.
;;
;;      0  addresses of the columns of this block, largest contributions first (u32, at most 63)
;;    256  largest sum that each column and all after it can add, then 0 (u32)
;;    768  the 8 sums of one vector (u16)
;;   1024  the best k sums so far, descending (u32, at most 768)
;;   4096  candidates: item, sum (u32 each, at most 4096)
;;  40960  sums of the 65,536 items of a block (u16); all zero between searches
;; 172032  allowed items (one byte each, 1 if allowed)
;;         afterwards: frequencies of the terms of the query in the candidates (one byte each)
;; 262144  postings and dense columns
(module
  (import "multihop" "memory" (memory 1))
  (global $k (mut i32) (i32.const 0))
  ;; Distance below the k-th best sum within which a sum may still be among the best k.
  (global $slack (mut i32) (i32.const 0))
  (global $cut (mut i32) (i32.const 1))      ;; smallest sum of a candidate
  (global $ranked (mut i32) (i32.const 0))
  (global $count (mut i32) (i32.const 0))
  (global $dense (mut i32) (i32.const 0))
  (global $filtered (mut i32) (i32.const 0))

  ;; Starts a query whose results must reach a sum of $cut (at least 1).
  (func (export "begin") (param $k i32) (param $slack i32) (param $columns i32) (param $filtered i32) (param $cut i32)
    (global.set $k (local.get $k))
    (global.set $slack (local.get $slack))
    (global.set $dense (i32.shl (local.get $columns) (i32.const 2)))
    (global.set $filtered (local.get $filtered))
    (global.set $ranked (i32.const 0))
    (global.set $count (i32.const 0))
    (global.set $cut (local.get $cut)))

  ;; Adds the postings in [from, to): item * 2 | min(frequency, 31) << 17 | contribution << 22.
  (func (export "add") (param $from i32) (param $to i32)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32) (local $four i32)
    (local.set $four (i32.sub (local.get $to) (i32.const 12)))
    (block $tail
      (loop $unrolled
        (br_if $tail (i32.ge_s (local.get $from) (local.get $four)))
        (local.set $a (i32.load (local.get $from)))
        (local.set $b (i32.load offset=4 (local.get $from)))
        (local.set $c (i32.load offset=8 (local.get $from)))
        (local.set $d (i32.load offset=12 (local.get $from)))
        (i32.store16 offset=40960 (i32.and (local.get $a) (i32.const 0x1ffff))
          (i32.add (i32.load16_u offset=40960 (i32.and (local.get $a) (i32.const 0x1ffff))) (i32.shr_u (local.get $a) (i32.const 22))))
        (i32.store16 offset=40960 (i32.and (local.get $b) (i32.const 0x1ffff))
          (i32.add (i32.load16_u offset=40960 (i32.and (local.get $b) (i32.const 0x1ffff))) (i32.shr_u (local.get $b) (i32.const 22))))
        (i32.store16 offset=40960 (i32.and (local.get $c) (i32.const 0x1ffff))
          (i32.add (i32.load16_u offset=40960 (i32.and (local.get $c) (i32.const 0x1ffff))) (i32.shr_u (local.get $c) (i32.const 22))))
        (i32.store16 offset=40960 (i32.and (local.get $d) (i32.const 0x1ffff))
          (i32.add (i32.load16_u offset=40960 (i32.and (local.get $d) (i32.const 0x1ffff))) (i32.shr_u (local.get $d) (i32.const 22))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br $unrolled)))
    (block $done
      (loop $single
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (local.set $a (i32.load (local.get $from)))
        (i32.store16 offset=40960 (i32.and (local.get $a) (i32.const 0x1ffff))
          (i32.add (i32.load16_u offset=40960 (i32.and (local.get $a) (i32.const 0x1ffff))) (i32.shr_u (local.get $a) (i32.const 22))))
        (local.set $from (i32.add (local.get $from) (i32.const 4)))
        (br $single))))

  ;; Ranks the items of the postings in [from, to) before the scan, so that it starts with a high
  ;; cut. Bit 15 marks ranked items.
  (func (export "seed") (param $from i32) (param $to i32)
    (local $at i32) (local $sum i32) (local $column i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (local.set $at (i32.and (i32.load (local.get $from)) (i32.const 0x1ffff)))
        (local.set $from (i32.add (local.get $from) (i32.const 4)))
        (local.set $sum (i32.load16_u offset=40960 (local.get $at)))
        (br_if $next (i32.ge_u (local.get $sum) (i32.const 0x8000)))
        (i32.store16 offset=40960 (local.get $at) (i32.or (local.get $sum) (i32.const 0x8000)))
        (if (global.get $filtered)
          (then (br_if $next (i32.ne (i32.load8_u offset=172032 (i32.shr_u (local.get $at) (i32.const 1))) (i32.const 1)))))
        (local.set $column (i32.const 0))
        (block $added
          (loop $columns
            (br_if $added (i32.ge_u (local.get $column) (global.get $dense)))
            (local.set $sum (i32.add (local.get $sum)
              (i32.and (i32.load16_u (i32.add (i32.load (local.get $column)) (local.get $at))) (i32.const 0x3ff))))
            (local.set $column (i32.add (local.get $column) (i32.const 4)))
            (br $columns)))
        (call $rank (local.get $sum))
        (br $next))))

  ;; Removes the marks of `seed`.
  (func (export "unmark") (param $from i32) (param $to i32)
    (local $at i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (local.set $at (i32.and (i32.load (local.get $from)) (i32.const 0x1ffff)))
        (i32.store16 offset=40960 (local.get $at) (i32.and (i32.load16_u offset=40960 (local.get $at)) (i32.const 0x7fff)))
        (local.set $from (i32.add (local.get $from) (i32.const 4)))
        (br $next)))
    (global.set $ranked (i32.const 0)))

  ;; Scans the sums in [0, end) bytes, end a multiple of 64, and sets them to zero. Returns the
  ;; number of candidates, or -1 if there are too many. Adds columns to 32 sums at a time, one after
  ;; the other, as long as the remaining ones may lift one of them to the cut.
  (func (export "scan") (param $end i32) (param $base i32) (result i32)
    (local $at i32) (local $from i32) (local $column i32) (local $early i32)
    (local $v0 v128) (local $v1 v128) (local $v2 v128) (local $v3 v128) (local $zero v128) (local $mask v128)
    (local.set $mask (v128.const i16x8 1023 1023 1023 1023 1023 1023 1023 1023))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $v0 (v128.load offset=40960 (local.get $at)))
        (local.set $v1 (v128.load offset=40976 (local.get $at)))
        (local.set $v2 (v128.load offset=40992 (local.get $at)))
        (local.set $v3 (v128.load offset=41008 (local.get $at)))
        (v128.store offset=40960 (local.get $at) (local.get $zero))
        (v128.store offset=40976 (local.get $at) (local.get $zero))
        (v128.store offset=40992 (local.get $at) (local.get $zero))
        (v128.store offset=41008 (local.get $at) (local.get $zero))
        (local.set $column (i32.const 0))
        (block $low
          (loop $columns
            (local.set $early (i32.sub (global.get $cut) (i32.load offset=256 (local.get $column))))
            (br_if $low (i32.eqz (v128.any_true (i16x8.ge_u
              (i16x8.max_u (i16x8.max_u (local.get $v0) (local.get $v1)) (i16x8.max_u (local.get $v2) (local.get $v3)))
              (i16x8.splat (select (local.get $early) (i32.const 0) (i32.gt_s (local.get $early) (i32.const 0))))))))
            (if (i32.lt_u (local.get $column) (global.get $dense))
              (then
                (local.set $from (i32.add (i32.load (local.get $column)) (local.get $at)))
                (local.set $v0 (i16x8.add (local.get $v0) (v128.and (v128.load (local.get $from)) (local.get $mask))))
                (local.set $v1 (i16x8.add (local.get $v1) (v128.and (v128.load offset=16 (local.get $from)) (local.get $mask))))
                (local.set $v2 (i16x8.add (local.get $v2) (v128.and (v128.load offset=32 (local.get $from)) (local.get $mask))))
                (local.set $v3 (i16x8.add (local.get $v3) (v128.and (v128.load offset=48 (local.get $from)) (local.get $mask))))
                (local.set $column (i32.add (local.get $column) (i32.const 4)))
                (br $columns))))
          (call $look (local.get $base) (local.get $at) (local.get $v0))
          (call $look (local.get $base) (i32.add (local.get $at) (i32.const 16)) (local.get $v1))
          (call $look (local.get $base) (i32.add (local.get $at) (i32.const 32)) (local.get $v2))
          (call $look (local.get $base) (i32.add (local.get $at) (i32.const 48)) (local.get $v3)))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $next)))
    (global.get $count))

  ;; Records those of the 8 complete sums at `at` that are allowed and reach the cut.
  (func $look (param $base i32) (param $at i32) (param $sums v128)
    (local $bits i32) (local $lane i32) (local $sum i32)
    (if (global.get $filtered)
      (then (local.set $sums (v128.and (local.get $sums)
        (i16x8.eq (v128.load8x8_u offset=172032 (i32.shr_u (local.get $at) (i32.const 1))) (i16x8.splat (i32.const 1)))))))
    (local.set $bits (i16x8.bitmask (i16x8.ge_u (local.get $sums) (i16x8.splat (global.get $cut)))))
    (if (i32.eqz (local.get $bits)) (then (return)))
    (v128.store offset=768 (i32.const 0) (local.get $sums))
    (local.set $base (i32.add (local.get $base) (i32.shr_u (local.get $at) (i32.const 1))))
    (block $done
      (loop $lanes
        (br_if $done (i32.eqz (local.get $bits)))
        (local.set $lane (i32.ctz (local.get $bits)))
        (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
        (local.set $sum (i32.load16_u offset=768 (i32.shl (local.get $lane) (i32.const 1))))
        (br_if $lanes (i32.lt_u (local.get $sum) (global.get $cut)))
        (call $take (i32.add (local.get $base) (local.get $lane)) (local.get $sum))
        (br $lanes))))

  ;; Records a candidate.
  (func $take (param $item i32) (param $sum i32)
    (local $at i32)
    (if (i32.lt_s (global.get $count) (i32.const 0)) (then (return)))
    (if (i32.eq (global.get $count) (i32.const 4096)) (then (drop (call $drop))))
    (if (i32.eq (global.get $count) (i32.const 4096)) (then (global.set $count (i32.const -1)) (global.set $cut (i32.const 65535)) (return)))
    (local.set $at (i32.shl (global.get $count) (i32.const 3)))
    (i32.store offset=4096 (local.get $at) (local.get $item))
    (i32.store offset=4100 (local.get $at) (local.get $sum))
    (global.set $count (i32.add (global.get $count) (i32.const 1)))
    (call $rank (local.get $sum)))

  ;; Inserts a sum among the best k and raises the cut.
  (func $rank (param $sum i32)
    (local $at i32)
    (if (i32.lt_u (global.get $ranked) (global.get $k))
      (then
        (local.set $at (i32.shl (global.get $ranked) (i32.const 2)))
        (global.set $ranked (i32.add (global.get $ranked) (i32.const 1))))
      (else
        (local.set $at (i32.shl (i32.sub (global.get $k) (i32.const 1)) (i32.const 2)))
        (if (i32.le_u (local.get $sum) (i32.load offset=1024 (local.get $at))) (then (return)))))
    (block $placed
      (loop $up
        (br_if $placed (i32.eqz (local.get $at)))
        (br_if $placed (i32.ge_u (i32.load offset=1020 (local.get $at)) (local.get $sum)))
        (i32.store offset=1024 (local.get $at) (i32.load offset=1020 (local.get $at)))
        (local.set $at (i32.sub (local.get $at) (i32.const 4)))
        (br $up)))
    (i32.store offset=1024 (local.get $at) (local.get $sum))
    (if (i32.eq (global.get $ranked) (global.get $k))
      (then
        (local.set $sum (i32.sub (i32.load offset=1020 (i32.shl (global.get $k) (i32.const 2))) (global.get $slack)))
        (if (i32.gt_s (local.get $sum) (global.get $cut)) (then (global.set $cut (local.get $sum)))))))

  ;; Drops the candidates below the cut and returns the number that remain.
  (func $drop (export "drop") (result i32)
    (local $from i32) (local $to i32) (local $end i32)
    (local.set $end (i32.shl (global.get $count) (i32.const 3)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (if (i32.ge_u (i32.load offset=4100 (local.get $from)) (global.get $cut))
          (then
            (i64.store offset=4096 (local.get $to) (i64.load offset=4096 (local.get $from)))
            (local.set $to (i32.add (local.get $to) (i32.const 8)))))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (br $next)))
    (global.set $count (i32.shr_u (local.get $to) (i32.const 3)))
    (global.get $count))

  ;; Writes the frequencies of a term with postings [from, to) in the candidates [first, last) of
  ;; one block, as bytes from `out` on.
  (func (export "frequencies") (param $from i32) (param $to i32) (param $first i32) (param $last i32) (param $out i32)
    (local $wanted i32) (local $low i32) (local $length i32) (local $half i32) (local $word i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $first) (local.get $last)))
        (local.set $wanted (i32.shl (i32.and (i32.load offset=4096 (i32.shl (local.get $first) (i32.const 3))) (i32.const 0xffff)) (i32.const 1)))
        (local.set $low (local.get $from))
        (local.set $length (i32.shr_u (i32.sub (local.get $to) (local.get $from)) (i32.const 2)))
        (block $found
          (loop $search
            (br_if $found (i32.le_u (local.get $length) (i32.const 1)))
            (local.set $half (i32.shr_u (local.get $length) (i32.const 1)))
            (local.set $word (i32.add (local.get $low) (i32.shl (local.get $half) (i32.const 2))))
            (local.set $low (select (local.get $word) (local.get $low)
              (i32.le_u (i32.and (i32.load (local.get $word)) (i32.const 0x1ffff)) (local.get $wanted))))
            (local.set $length (i32.sub (local.get $length) (local.get $half)))
            (br $search)))
        (local.set $word (i32.load (local.get $low)))
        (i32.store8 (local.get $out) (select
          (i32.and (i32.shr_u (local.get $word) (i32.const 17)) (i32.const 31))
          (i32.const 0)
          (i32.eq (i32.and (local.get $word) (i32.const 0x1ffff)) (local.get $wanted))))
        (local.set $out (i32.add (local.get $out) (i32.const 1)))
        (local.set $first (i32.add (local.get $first) (i32.const 1)))
        (br $next))))

  ;; Writes the frequencies of a term whose column of this block is at `column`.
  (func (export "columnFrequencies") (param $column i32) (param $first i32) (param $last i32) (param $out i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $first) (local.get $last)))
        (i32.store8 (local.get $out) (i32.shr_u (i32.load16_u (i32.add (local.get $column)
          (i32.shl (i32.and (i32.load offset=4096 (i32.shl (local.get $first) (i32.const 3))) (i32.const 0xffff)) (i32.const 1)))) (i32.const 10)))
        (local.set $out (i32.add (local.get $out) (i32.const 1)))
        (local.set $first (i32.add (local.get $first) (i32.const 1)))
        (br $next)))))
