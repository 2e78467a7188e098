;; Reads texts into terms and postings: term-reader.ts, dictionary.ts and plain-forward.ts in one
;; loop. bench/compile-kernel.ts compiles it into reader.wasm.ts. fast-forward.ts shares the layout.
;;
;;      0  a byte for each code point up to U+FFFF: 1 = in a term, 2 = not in a term, 0 = ask
;;  65536  for each ASCII byte its lower-case byte if it belongs to a term, else 0
;;  65664  terms read and not yet counted: start, length, hash, content of the first slot
;;         (u32 each, at most 256)
;;  69824  places of signs of identifiers in a text, in code units (u32 each, at most 1024)
;; The regions of slots, records, bytes and postings begin at the globals; `grow` moves one and sets
;; them anew. A record is hash, start, length, last posting + 1 (u32 each) and the first eight
;; bytes, with zeros after the end of the term; a posting is term and frequency (u32 each).
(module
  (import "multihop" "memory" (memory 3))
  (import "multihop" "letter" (func $letter (param i32) (result i32)))
  (import "multihop" "grow" (func $grow (param i32)))
  (global $shortest (export "shortest") (mut i32) (i32.const 1))
  (global $slots (export "slots") (mut i32) (i32.const 0))
  (global $slotCount (export "slotCount") (mut i32) (i32.const 0))
  (global $records (export "records") (mut i32) (i32.const 0))
  (global $recordLimit (export "recordLimit") (mut i32) (i32.const 0))
  (global $bytes (export "bytes") (mut i32) (i32.const 0))
  (global $byteLimit (export "byteLimit") (mut i32) (i32.const 0))
  (global $postings (export "postings") (mut i32) (i32.const 0))
  (global $postingLimit (export "postingLimit") (mut i32) (i32.const 0))
  (global $terms (export "terms") (mut i32) (i32.const 0))
  (global $byteCount (export "byteCount") (mut i32) (i32.const 0))
  (global $postingCount (export "postingCount") (mut i32) (i32.const 0))
  (global $itemStart (mut i32) (i32.const 0))

  ;; Starts an item.
  (func (export "start") (global.set $itemStart (global.get $postingCount)))

  ;; Reads UTF-8 in [at, limit): ASCII of either case, or a text as indexForm writes it. Returns the
  ;; number of terms.
  (func (export "read") (param $at i32) (param $limit i32) (param $times i32) (result i32)
    (local $start i32) (local $hash i32) (local $byte i32) (local $characters i32) (local $length i32) (local $count i32) (local $span i32)
    (block $end
      (loop $next
        (br_if $end (i32.ge_u (local.get $at) (local.get $limit)))
        (local.set $hash (i32.const 0x811c9dc5))
        (local.set $start (local.get $at))
        (local.set $characters (i32.const 0))
        (block $run
          (loop $character
            (br_if $run (i32.ge_u (local.get $at) (local.get $limit)))
            (local.set $byte (i32.load8_u (local.get $at)))
            (if (i32.lt_u (local.get $byte) (i32.const 128))
              (then
                (local.set $byte (i32.load8_u offset=65536 (local.get $byte)))
                (br_if $run (i32.eqz (local.get $byte)))
                (i32.store8 (local.get $at) (local.get $byte))
                (local.set $hash (i32.mul (i32.xor (local.get $hash) (local.get $byte)) (i32.const 0x01000193)))
                (local.set $at (i32.add (local.get $at) (i32.const 1))))
              (else
                (br_if $run (i32.eqz (call $isLetter (local.get $at))))
                (local.set $length (call $width (local.get $byte)))
                (loop $bytes
                  (local.set $hash (i32.mul (i32.xor (local.get $hash) (i32.load8_u (local.get $at))) (i32.const 0x01000193)))
                  (local.set $at (i32.add (local.get $at) (i32.const 1)))
                  (br_if $bytes (local.tee $length (i32.sub (local.get $length) (i32.const 1)))))))
            (local.set $characters (i32.add (local.get $characters) (i32.const 1)))
            (br $character)))
        (if (i32.ge_u (local.get $characters) (global.get $shortest))
          (then
            (i32.store offset=65664 (local.get $span) (local.get $start))
            (i32.store offset=65668 (local.get $span) (i32.sub (local.get $at) (local.get $start)))
            (i32.store offset=65672 (local.get $span) (local.get $hash))
            (local.set $span (i32.add (local.get $span) (i32.const 16)))
            (local.set $count (i32.add (local.get $count) (i32.const 1)))
            (if (i32.eq (local.get $span) (i32.const 4096))
              (then
                (call $countAll (local.get $span) (local.get $times))
                (local.set $span (i32.const 0))))))
        (br_if $end (i32.ge_u (local.get $at) (local.get $limit)))
        (local.set $at (i32.add (local.get $at) (call $width (i32.load8_u (local.get $at)))))
        (br $next)))
    (call $countAll (local.get $span) (local.get $times))
    (local.get $count))

  ;; Looks for signs of identifiers in UTF-8 in [at, limit), 16 bytes at a time: a symbol before a
  ;; letter or digit; + or # after one; a capital after a small letter; a small letter after two
  ;; capitals; a letter beside a digit; if $beyond is 1, all characters beyond ASCII, which may be
  ;; any of these. Returns their number, 1024 if there may be more. The bytes after the limit
  ;; are read too.
  (func (export "scan") (param $at i32) (param $limit i32) (param $beyond i32) (result i32)
    (local $base i32) (local $extra i32) (local $count i32) (local $bytes v128) (local $joins v128) (local $capitals v128) (local $digits v128)
    (local $j i32) (local $u i32) (local $d i32) (local $a i32) (local $w i32) (local $uu i32) (local $e i32) (local $high i32) (local $sign i32)
    (local $wasJ i32) (local $wasU i32) (local $wasD i32) (local $wasA i32) (local $wasUU i32) (local $bit i32)
    (local.set $base (local.get $at))
    (block $end
      (loop $next
        (br_if $end (i32.ge_u (local.get $at) (local.get $limit)))
        (local.set $bytes (v128.load (local.get $at)))
        (local.set $capitals (i8x16.lt_u (i8x16.sub (local.get $bytes) (i8x16.splat (i32.const 65))) (i8x16.splat (i32.const 26))))
        (local.set $digits (i8x16.lt_u (i8x16.sub (local.get $bytes) (i8x16.splat (i32.const 48))) (i8x16.splat (i32.const 10))))
        ;; The symbols # $ % & + - . / : = ? @ \ _ ~ by their upper and lower four bits.
        (local.set $joins (i8x16.ne
          (v128.and
            (i8x16.swizzle (v128.const i8x16 4 0 0 1 1 1 1 0 0 0 2 1 8 3 17 11) (v128.and (local.get $bytes) (i8x16.splat (i32.const 15))))
            (i8x16.swizzle (v128.const i8x16 0 0 1 2 4 8 0 16 0 0 0 0 0 0 0 0) (i8x16.shr_u (local.get $bytes) (i32.const 4))))
          (v128.const i64x2 0 0)))
        (local.set $high (i8x16.bitmask (local.get $bytes)))
        (if (i32.or
              (i32.or (local.get $high) (i32.or (local.get $wasJ) (i32.or (local.get $wasU) (local.get $wasD))))
              (v128.any_true (v128.or (local.get $joins) (v128.or (local.get $capitals) (local.get $digits)))))
          (then
            (local.set $j (i8x16.bitmask (local.get $joins)))
            (local.set $u (i8x16.bitmask (local.get $capitals)))
            (local.set $d (i8x16.bitmask (local.get $digits)))
            (local.set $e (i8x16.bitmask (v128.or
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 43)))
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 35))))))
            (local.set $a (i32.or
              (i8x16.bitmask (i8x16.lt_u
                (i8x16.sub (v128.or (local.get $bytes) (i8x16.splat (i32.const 32))) (i8x16.splat (i32.const 97)))
                (i8x16.splat (i32.const 26))))
              (local.tee $high (select (local.get $high) (i32.const 0) (local.get $beyond)))))
            (local.set $w (i32.or (local.get $a) (local.get $d)))
            (local.set $uu (i32.and (local.get $u) (i32.or (i32.shl (local.get $u) (i32.const 1)) (local.get $wasU))))
            (local.set $sign (i32.or
              (i32.or
                (i32.and (local.get $w) (i32.or (i32.shl (local.get $j) (i32.const 1)) (local.get $wasJ)))
                (i32.and (local.get $e) (i32.or (i32.shl (local.get $w) (i32.const 1)) (i32.or (local.get $wasA) (local.get $wasD)))))
              (i32.or
                (i32.or
                  (i32.and (local.get $a) (i32.or (i32.shl (local.get $d) (i32.const 1)) (local.get $wasD)))
                  (i32.and (local.get $d) (i32.or (i32.shl (local.get $a) (i32.const 1)) (local.get $wasA))))
                (i32.or
                  (i32.and (local.get $u)
                    (i32.or (i32.shl (i32.and (local.get $a) (i32.xor (local.get $u) (i32.const -1))) (i32.const 1))
                      (i32.gt_u (local.get $wasA) (local.get $wasU))))
                  (i32.and (i32.and (local.get $a) (i32.xor (local.get $u) (i32.const -1)))
                    (i32.or (i32.shl (local.get $uu) (i32.const 1)) (local.get $wasUU)))))))
            (local.set $wasJ (i32.and (i32.shr_u (local.get $j) (i32.const 15)) (i32.const 1)))
            (local.set $wasU (i32.and (i32.shr_u (local.get $u) (i32.const 15)) (i32.const 1)))
            (local.set $wasD (i32.and (i32.shr_u (local.get $d) (i32.const 15)) (i32.const 1)))
            (local.set $wasA (i32.and (i32.shr_u (local.get $a) (i32.const 15)) (i32.const 1)))
            (local.set $wasUU (i32.and (i32.shr_u (local.get $uu) (i32.const 15)) (i32.const 1)))
            (local.set $sign (i32.and (i32.const 0xffff)
              (i32.or (local.get $sign) (i32.and (local.get $high)
                (i32.xor (i8x16.bitmask (i8x16.lt_s (local.get $bytes) (i8x16.splat (i32.const -64)))) (i32.const -1))))))
            (local.set $high (i8x16.bitmask (local.get $bytes)))
            (block $listed
              (loop $list
                (br_if $listed (i32.eqz (local.get $sign)))
                (if (i32.eq (local.get $count) (i32.const 1024)) (then (return (i32.const 1024))))
                (local.set $bit (i32.ctz (local.get $sign)))
                (i32.store offset=69824 (i32.shl (local.get $count) (i32.const 2))
                  (i32.sub
                    (i32.add (i32.sub (local.get $at) (local.get $base)) (local.get $bit))
                    (i32.add (local.get $extra)
                      (call $beyondUnits (local.get $at) (local.get $high) (local.get $bit)))))
                (local.set $count (i32.add (local.get $count) (i32.const 1)))
                (local.set $sign (i32.and (local.get $sign) (i32.sub (local.get $sign) (i32.const 1))))
                (br $list)))
            (if (local.get $high)
              (then (local.set $extra (i32.add (local.get $extra)
                (call $beyondUnits (local.get $at) (local.get $high) (i32.const 16)))))))
          (else
            (local.set $wasUU (i32.const 0))
            (local.set $wasA (i32.and
              (i32.shr_u (i8x16.bitmask (i8x16.lt_u (i8x16.sub (local.get $bytes) (i8x16.splat (i32.const 97))) (i8x16.splat (i32.const 26)))) (i32.const 15))
              (i32.const 1)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (local.get $count))

  ;; Returns by how many the first bytes of a block are more than the code units that they begin:
  ;; bytes that continue a character, less one for each of four bytes, which are two code units.
  (func $beyondUnits (param $at i32) (param $high i32) (param $bytes i32) (result i32)
    (local $block v128) (local $below i32)
    (if (i32.eqz (local.get $high)) (then (return (i32.const 0))))
    (local.set $block (v128.load (local.get $at)))
    (local.set $below (i32.sub (i32.shl (i32.const 1) (local.get $bytes)) (i32.const 1)))
    (i32.sub
      (i32.popcnt (i32.and (local.get $below) (i8x16.bitmask (i8x16.lt_s (local.get $block) (i8x16.splat (i32.const -64))))))
      (i32.popcnt (i32.and (local.get $below) (i8x16.bitmask (i8x16.ge_u (local.get $block) (i8x16.splat (i32.const 0xf0))))))))

  ;; Counts the recorded terms in three passes, so that the memory reads of the first two overlap.
  (func $countAll (param $end i32) (param $times i32)
    (local $span i32) (local $hash i32) (local $entry i32)
    (block $probed
      (loop $probe
        (br_if $probed (i32.ge_u (local.get $span) (local.get $end)))
        (local.set $hash (i32.load offset=65672 (local.get $span)))
        (i32.store offset=65676 (local.get $span) (i32.load (i32.add (global.get $slots) (i32.shl
          (i32.and (i32.xor (local.get $hash) (i32.shr_u (local.get $hash) (i32.const 15))) (i32.sub (global.get $slotCount) (i32.const 1)))
          (i32.const 2)))))
        (local.set $span (i32.add (local.get $span) (i32.const 16)))
        (br $probe)))
    (local.set $span (i32.const 0))
    (block $touched
      (loop $touch
        (br_if $touched (i32.ge_u (local.get $span) (local.get $end)))
        (local.set $entry (i32.load offset=65676 (local.get $span)))
        ;; Entry 0 reads bytes before the records; they are never used.
        (i32.store offset=69760 (i32.const 0) (i32.load offset=12 (i32.add (global.get $records)
          (i32.mul (i32.sub (local.get $entry) (i32.const 1)) (i32.const 24)))))
        (local.set $span (i32.add (local.get $span) (i32.const 16)))
        (br $touch)))
    (local.set $span (i32.const 0))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $span) (local.get $end)))
        (call $count
          (i32.load offset=65664 (local.get $span))
          (i32.load offset=65668 (local.get $span))
          (i32.load offset=65672 (local.get $span))
          (local.get $times))
        (local.set $span (i32.add (local.get $span) (i32.const 16)))
        (br $next))))

  ;; Returns the number of bytes of the character that starts with the byte.
  (func $width (param $byte i32) (result i32)
    (i32.add (i32.const 1) (i32.add
      (i32.ge_u (local.get $byte) (i32.const 0xc0))
      (i32.add (i32.ge_u (local.get $byte) (i32.const 0xe0)) (i32.ge_u (local.get $byte) (i32.const 0xf0))))))

  ;; Returns 1 if the character beyond ASCII at `at` belongs to a term.
  (func $isLetter (param $at i32) (result i32)
    (local $byte i32) (local $code i32) (local $class i32)
    (local.set $byte (i32.load8_u (local.get $at)))
    (if (i32.lt_u (local.get $byte) (i32.const 0xe0))
      (then (local.set $code (i32.or
        (i32.shl (i32.and (local.get $byte) (i32.const 0x1f)) (i32.const 6))
        (i32.and (i32.load8_u offset=1 (local.get $at)) (i32.const 0x3f)))))
      (else (if (i32.lt_u (local.get $byte) (i32.const 0xf0))
        (then (local.set $code (i32.or (i32.or
          (i32.shl (i32.and (local.get $byte) (i32.const 0x0f)) (i32.const 12))
          (i32.shl (i32.and (i32.load8_u offset=1 (local.get $at)) (i32.const 0x3f)) (i32.const 6)))
          (i32.and (i32.load8_u offset=2 (local.get $at)) (i32.const 0x3f)))))
        (else (return (call $letter (i32.or (i32.or
          (i32.shl (i32.and (local.get $byte) (i32.const 0x07)) (i32.const 18))
          (i32.shl (i32.and (i32.load8_u offset=1 (local.get $at)) (i32.const 0x3f)) (i32.const 12)))
          (i32.or
          (i32.shl (i32.and (i32.load8_u offset=2 (local.get $at)) (i32.const 0x3f)) (i32.const 6))
          (i32.and (i32.load8_u offset=3 (local.get $at)) (i32.const 0x3f))))))))))
    (local.set $class (i32.load8_u (local.get $code)))
    (if (i32.eqz (local.get $class))
      (then
        (local.set $class (select (i32.const 1) (i32.const 2) (call $letter (local.get $code))))
        (i32.store8 (local.get $code) (local.get $class))))
    (i32.eq (local.get $class) (i32.const 1)))

  ;; Counts `times` occurrences of a term.
  (func $count (param $start i32) (param $length i32) (param $hash i32) (param $times i32)
    (local $slot i32) (local $entry i32) (local $record i32) (local $last i32) (local $key i64)
    (local.set $key (i64.load (local.get $start)))
    (if (i32.lt_u (local.get $length) (i32.const 8))
      (then (local.set $key (i64.and (local.get $key)
        (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (i32.shl (local.get $length) (i32.const 3)))) (i64.const 1))))))
    (local.set $slot (i32.xor (local.get $hash) (i32.shr_u (local.get $hash) (i32.const 15))))
    (block $known
      (loop $probe
        (local.set $slot (i32.and (local.get $slot) (i32.sub (global.get $slotCount) (i32.const 1))))
        (local.set $entry (i32.load (i32.add (global.get $slots) (i32.shl (local.get $slot) (i32.const 2)))))
        (if (i32.eqz (local.get $entry))
          (then
            (i32.store (i32.add (global.get $slots) (i32.shl (local.get $slot) (i32.const 2))) (i32.add (global.get $terms) (i32.const 1)))
            (local.set $entry (i32.add (global.get $terms) (i32.const 1)))
            (call $append (local.get $start) (local.get $length) (local.get $hash) (local.get $key))
            (local.set $record (i32.add (global.get $records) (i32.mul (i32.sub (local.get $entry) (i32.const 1)) (i32.const 24))))
            (br $known)))
        (local.set $record (i32.add (global.get $records) (i32.mul (i32.sub (local.get $entry) (i32.const 1)) (i32.const 24))))
        (if (i32.and
              (i64.eq (i64.load offset=16 (local.get $record)) (local.get $key))
              (i32.eq (i32.load offset=8 (local.get $record)) (local.get $length)))
          (then
            (br_if $known (i32.le_u (local.get $length) (i32.const 8)))
            (br_if $known (call $same (local.get $start) (i32.add (global.get $bytes) (i32.load offset=4 (local.get $record))) (local.get $length)))))
        (local.set $slot (i32.add (local.get $slot) (i32.const 1)))
        (br $probe)))
    (local.set $last (i32.load offset=12 (local.get $record)))
    (if (i32.gt_u (local.get $last) (global.get $itemStart))
      (then
        (local.set $last (i32.add (global.get $postings) (i32.shl (i32.sub (local.get $last) (i32.const 1)) (i32.const 3))))
        (i32.store offset=4 (local.get $last) (i32.add (i32.load offset=4 (local.get $last)) (local.get $times)))
        (return)))
    (if (i32.eq (global.get $postingCount) (global.get $postingLimit)) (then (call $grow (i32.const 3))))
    (local.set $last (i32.add (global.get $postings) (i32.shl (global.get $postingCount) (i32.const 3))))
    (i32.store (local.get $last) (i32.sub (local.get $entry) (i32.const 1)))
    (i32.store offset=4 (local.get $last) (local.get $times))
    (global.set $postingCount (i32.add (global.get $postingCount) (i32.const 1)))
    (i32.store offset=12 (local.get $record) (global.get $postingCount)))

  (func $same (param $a i32) (param $b i32) (param $length i32) (result i32)
    (block $tail
      (loop $words
        (br_if $tail (i32.lt_u (local.get $length) (i32.const 4)))
        (if (i32.ne (i32.load (local.get $a)) (i32.load (local.get $b))) (then (return (i32.const 0))))
        (local.set $a (i32.add (local.get $a) (i32.const 4)))
        (local.set $b (i32.add (local.get $b) (i32.const 4)))
        (local.set $length (i32.sub (local.get $length) (i32.const 4)))
        (br $words)))
    ;; Compares the last bytes, at most three, as one word, shifted so that the bytes after them do
    ;; not count. Both regions are padded.
    (if (i32.eqz (local.get $length)) (then (return (i32.const 1))))
    (i32.eqz (i32.shl
      (i32.xor (i32.load (local.get $a)) (i32.load (local.get $b)))
      (i32.sub (i32.const 32) (i32.shl (local.get $length) (i32.const 3))))))

  ;; Adds a new term.
  (func $append (param $start i32) (param $length i32) (param $hash i32) (param $key i64)
    (local $record i32)
    (if (i32.eq (global.get $terms) (global.get $recordLimit)) (then (call $grow (i32.const 1))))
    (block $fits
      (loop $more
        (br_if $fits (i32.le_u (i32.add (global.get $byteCount) (local.get $length)) (global.get $byteLimit)))
        (call $grow (i32.const 2))
        (br $more)))
    (local.set $record (i32.add (global.get $records) (i32.mul (global.get $terms) (i32.const 24))))
    (i32.store (local.get $record) (local.get $hash))
    (i32.store offset=4 (local.get $record) (global.get $byteCount))
    (i32.store offset=8 (local.get $record) (local.get $length))
    (i32.store offset=12 (local.get $record) (i32.const 0))
    (i64.store offset=16 (local.get $record) (local.get $key))
    (memory.copy (i32.add (global.get $bytes) (global.get $byteCount)) (local.get $start) (local.get $length))
    (global.set $byteCount (i32.add (global.get $byteCount) (local.get $length)))
    (global.set $terms (i32.add (global.get $terms) (i32.const 1)))
    (if (i32.gt_u (i32.shl (global.get $terms) (i32.const 1)) (global.get $slotCount)) (then (call $grow (i32.const 0)))))
)
