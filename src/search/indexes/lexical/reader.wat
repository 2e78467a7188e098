;; Reads texts into terms and postings: term-reader.ts, dictionary.ts and plain-forward.ts, with the
;; letters of search-form.ts, in two loops: one over blocks of 16 bytes, one over words.
;; bench/compile-kernel.ts compiles it into reader.wasm.ts. fast-forward.ts shares the layout.
;;
;;      0  a byte for each code point up to U+FFFF of a text in its form: 1 = in a term, 2 = not in
;;         a term, 0 = ask
;;  65536  the same of a text as it is written: 3 = in a term, see its form; 4 = the text must be
;;         put in its form by JavaScript
;; 131072  forms of code points up to U+1FFF: UTF-8 of as many bytes (3 bytes), 1 for a capital;
;;         UTF-8 without accents (3 bytes), their number, 0 if there is no accent
;; 196608  borders of words that are read and not yet counted, in turn their starts and ends (u32
;;         each, at most 1024, and room for 32 more)
;; 200832  places of letters with accents in these words (u32 each, at most 1024 and 16 more)
;; 204992  places of signs of identifiers in a text, in code units (u32 each, at most 1024)
;; The regions of slots, records, bytes and postings begin at the globals; `grow` moves one and sets
;; them anew. A record is hash, start, length, last posting + 1 (u32 each) and the first eight
;; bytes, with zeros after the end of the term; a posting is term and frequency (u32 each). 16 zero
;; bytes stand before a text, and room for 16 after it.
(module
  (import "multihop" "memory" (memory 4))
  (import "multihop" "letter" (func $letter (param i32) (result i32)))
  (import "multihop" "written" (func $written (param i32) (result i32)))
  (import "multihop" "grow" (func $grow (param i32)))
  ;; Bytes of ASCII that words hold beside letters and digits: 0x5f, or 0 for none.
  (global $underscore (export "underscore") (mut i32) (i32.const 0))
  ;; 1 if terms beside words are read too.
  (global $beside (export "beside") (mut i32) (i32.const 0))
  ;; Least number of characters of a term.
  (global $shortest (export "shortest") (mut i32) (i32.const 1))
  (global $slots (export "slots") (mut i32) (i32.const 0))
  (global $slotBits (export "slotBits") (mut i32) (i32.const 0))
  (global $records (export "records") (mut i32) (i32.const 0))
  (global $recordLimit (export "recordLimit") (mut i32) (i32.const 0))
  (global $bytes (export "bytes") (mut i32) (i32.const 0))
  (global $byteLimit (export "byteLimit") (mut i32) (i32.const 0))
  (global $postings (export "postings") (mut i32) (i32.const 0))
  (global $postingLimit (export "postingLimit") (mut i32) (i32.const 0))
  (global $terms (export "terms") (mut i32) (i32.const 0))
  (global $byteCount (export "byteCount") (mut i32) (i32.const 0))
  (global $postingCount (export "postingCount") (mut i32) (i32.const 0))
  ;; Address of the words without their accents, and their end.
  (global $bare (export "bare") (mut i32) (i32.const 0))
  (global $bareEnd (mut i32) (i32.const 0))
  ;; Signs of the last text; 1024 if there may be more.
  (global $signs (export "signs") (mut i32) (i32.const 0))
  (global $itemStart (mut i32) (i32.const 0))
  ;; Bytes of the lists of borders and accents.
  (global $borders (mut i32) (i32.const 0))
  (global $accents (mut i32) (i32.const 0))
  ;; Bits of the bytes of a block, and of those after it, that are of letters beyond ASCII, of
  ;; capitals among these, and that continue a character.
  (global $letters (mut i32) (i32.const 0))
  (global $capitals (mut i32) (i32.const 0))
  (global $continued (mut i32) (i32.const 0))

  ;; Starts an item. Returns the number of postings before it.
  (func (export "start") (result i32)
    (global.set $itemStart (global.get $postingCount))
    (global.get $postingCount))

  ;; Returns 1 if no character in [at, limit) asks for JavaScript.
  (func (export "isSimple") (param $at i32) (param $limit i32) (result i32)
    (local $bytes v128) (local $lead i32) (local $place i32) (local $class i32)
    (v128.store (local.get $limit) (v128.const i64x2 0 0))
    (block $end
      (loop $next
        (br_if $end (i32.ge_u (local.get $at) (local.get $limit)))
        (local.set $bytes (v128.load (local.get $at)))
        (local.set $lead (i8x16.bitmask (i8x16.ge_u (local.get $bytes) (i8x16.splat (i32.const 0xc0)))))
        (block $done
          (loop $beyond
            (br_if $done (i32.eqz (local.get $lead)))
            (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $lead))))
            (if (i32.ge_u (i32.load8_u (local.get $place)) (i32.const 0xf0)) (then (return (i32.const 0))))
            (if (i32.eq (call $classOf (call $codeAt (local.get $place))) (i32.const 4)) (then (return (i32.const 0))))
            (local.set $lead (i32.and (local.get $lead) (i32.sub (local.get $lead) (i32.const 1))))
            (br $beyond)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (i32.const 1))

  ;; Reads UTF-8 in [at, limit) and returns the number of terms. `asWritten`: 0 for a text in its
  ;; form, 1 for one as it is written, which is simple. If that has signs it lists them, leaves the
  ;; words without their accents to `readBare`, and returns the number with all bits inverted.
  (func $read (export "read") (param $at i32) (param $limit i32) (param $times i32) (param $asWritten i32) (result i32)
    (local $base i32) (local $bytes v128) (local $upper v128) (local $digits v128) (local $symbols v128)
    (local $high i32) (local $word i32) (local $wasWord i32) (local $border i32) (local $to i32) (local $count i32)
    (local $listed i32) (local $looks i32) (local $extra i32)
    (local $j i32) (local $u i32) (local $d i32) (local $a i32) (local $uu i32) (local $ends i32) (local $lines i32) (local $sign i32) (local $bit i32)
    (local $wasJ i32) (local $wasU i32) (local $wasD i32) (local $wasA i32) (local $wasUU i32)
    (v128.store (local.get $limit) (v128.const i64x2 0 0))
    (local.set $base (local.get $at))
    (local.set $looks (i32.and (local.get $asWritten) (global.get $beside)))
    (global.set $letters (i32.const 0))
    (global.set $capitals (i32.const 0))
    (global.set $continued (i32.const 0))
    (if (local.get $asWritten) (then (global.set $bareEnd (global.get $bare))))
    (block $end
      (loop $next
        (br_if $end (i32.ge_u (local.get $at) (local.get $limit)))
        (local.set $bytes (v128.load (local.get $at)))
        (local.set $upper (i8x16.lt_u (i8x16.sub (local.get $bytes) (i8x16.splat (i32.const 65))) (i8x16.splat (i32.const 26))))
        (v128.store (local.get $at) (v128.or (local.get $bytes) (v128.and (local.get $upper) (i8x16.splat (i32.const 32)))))
        (local.set $digits (i8x16.lt_u (i8x16.sub (local.get $bytes) (i8x16.splat (i32.const 48))) (i8x16.splat (i32.const 10))))
        (local.set $a (i8x16.bitmask (i8x16.lt_u
          (i8x16.sub (v128.or (local.get $bytes) (i8x16.splat (i32.const 32))) (i8x16.splat (i32.const 97)))
          (i8x16.splat (i32.const 26)))))
        (local.set $d (i8x16.bitmask (local.get $digits)))
        (local.set $high (i8x16.bitmask (local.get $bytes)))
        (global.set $letters (i32.shr_u (global.get $letters) (i32.const 16)))
        (global.set $capitals (i32.shr_u (global.get $capitals) (i32.const 16)))
        (global.set $continued (i32.shr_u (global.get $continued) (i32.const 16)))
        (if (local.get $high)
          (then
            (call $readBeyond (local.get $at)
              (i8x16.bitmask (i8x16.ge_u (local.get $bytes) (i8x16.splat (i32.const 0xc0))))
              (local.get $asWritten))))
        (local.set $a (i32.or (local.get $a) (i32.and (global.get $letters) (i32.const 0xffff))))
        (local.set $word (i32.or (local.get $a) (local.get $d)))
        (if (global.get $underscore)
          (then (local.set $word (i32.or (local.get $word)
            (i8x16.bitmask (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5f))))))))
        (if (local.get $looks)
          (then
            ;; The symbols # $ % & + - . / : = ? @ \ _ ~ by their upper and lower four bits.
            (local.set $symbols (i8x16.ne
              (v128.and
                (i8x16.swizzle (v128.const i8x16 4 0 0 1 1 1 1 0 0 0 2 1 8 3 17 11) (v128.and (local.get $bytes) (i8x16.splat (i32.const 15))))
                (i8x16.swizzle (v128.const i8x16 0 0 1 2 4 8 0 16 0 0 0 0 0 0 0 0) (i8x16.shr_u (local.get $bytes) (i32.const 4))))
              (v128.const i64x2 0 0)))
            (local.set $j (i8x16.bitmask (local.get $symbols)))
            (local.set $u (i32.or (i8x16.bitmask (local.get $upper)) (i32.and (global.get $capitals) (i32.const 0xffff))))
            ;; Finds bytes of words after a symbol, letters and digits beside each other, capitals
            ;; after small letters, small letters after two capitals.
            (local.set $uu (i32.and (local.get $u) (i32.or (i32.shl (local.get $u) (i32.const 1)) (local.get $wasU))))
            (local.set $sign (i32.or
              (i32.or
                (i32.and (local.get $word) (i32.or (i32.shl (local.get $j) (i32.const 1)) (local.get $wasJ)))
                (i32.or
                  (i32.and (local.get $a) (i32.or (i32.shl (local.get $d) (i32.const 1)) (local.get $wasD)))
                  (i32.and (local.get $d) (i32.or (i32.shl (local.get $a) (i32.const 1)) (local.get $wasA)))))
              (i32.or
                (i32.and (local.get $u)
                  (i32.or (i32.shl (i32.and (local.get $a) (i32.xor (local.get $u) (i32.const -1))) (i32.const 1))
                    (i32.gt_u (local.get $wasA) (local.get $wasU))))
                (i32.and (i32.and (local.get $a) (i32.xor (local.get $u) (i32.const -1)))
                  (i32.or (i32.shl (local.get $uu) (i32.const 1)) (local.get $wasUU))))))
            ;; The symbols + and # after a word, and _ after a word or another symbol: words with
            ;; hyphens and _ at the end are no prose.
            (local.set $ends (i32.or
              (i32.or (i32.shl (local.get $word) (i32.const 1)) (i32.or (local.get $wasA) (local.get $wasD)))
              (i32.and (local.tee $lines (i8x16.bitmask (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5f)))))
                (i32.or (i32.shl (local.get $j) (i32.const 1)) (local.get $wasJ)))))
            (if (i32.and (local.get $j) (local.get $ends))
              (then (local.set $sign (i32.or (local.get $sign) (i32.and
                (local.get $ends)
                (i32.or (local.get $lines) (i8x16.bitmask (v128.or
                  (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 43)))
                  (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 35)))))))))))
            (local.set $wasJ (i32.and (i32.shr_u (local.get $j) (i32.const 15)) (i32.const 1)))
            (local.set $wasU (i32.and (i32.shr_u (local.get $u) (i32.const 15)) (i32.const 1)))
            (local.set $wasD (i32.and (i32.shr_u (local.get $d) (i32.const 15)) (i32.const 1)))
            (local.set $wasA (i32.and (i32.shr_u (local.get $a) (i32.const 15)) (i32.const 1)))
            (local.set $wasUU (i32.and (i32.shr_u (local.get $uu) (i32.const 15)) (i32.const 1)))
            (local.set $sign (i32.and (local.get $sign) (i32.const 0xffff)))
            (block $all
              (loop $each
                (br_if $all (i32.eqz (local.get $sign)))
                (local.set $bit (i32.ctz (local.get $sign)))
                (local.set $sign (i32.and (local.get $sign) (i32.sub (local.get $sign) (i32.const 1))))
                (br_if $each (call $isOfProse (i32.add (local.get $at) (local.get $bit)) (i32.shr_u (local.get $u) (local.get $bit))))
                (br_if $all (i32.eq (local.get $listed) (i32.const 1024)))
                (i32.store offset=204992 (i32.shl (local.get $listed) (i32.const 2))
                  (i32.sub
                    (i32.sub (i32.add (local.get $at) (local.get $bit)) (local.get $base))
                    (i32.add (local.get $extra) (i32.popcnt (i32.and (global.get $continued)
                      (i32.sub (i32.shl (i32.const 1) (local.get $bit)) (i32.const 1)))))))
                (local.set $listed (i32.add (local.get $listed) (i32.const 1)))
                (br $each)))
            (local.set $extra (i32.add (local.get $extra) (i32.popcnt (i32.and (global.get $continued) (i32.const 0xffff)))))))
        ;; Lists the bytes at which a word begins or has ended. Most blocks have no more than eight;
        ;; what is written beyond their number is overwritten.
        (local.set $border (i32.and (i32.const 0xffff)
          (i32.xor (local.get $word) (i32.or (i32.shl (local.get $word) (i32.const 1)) (local.get $wasWord)))))
        (local.set $wasWord (i32.and (i32.shr_u (local.get $word) (i32.const 15)) (i32.const 1)))
        (local.set $to (global.get $borders))
        (global.set $borders (i32.add (local.get $to) (i32.shl (i32.popcnt (local.get $border)) (i32.const 2))))
        (loop $eight
          (i32.store offset=196608 (local.get $to) (i32.add (local.get $at) (i32.ctz (local.get $border))))
          (local.set $border (i32.and (local.get $border) (i32.sub (local.get $border) (i32.const 1))))
          (i32.store offset=196612 (local.get $to) (i32.add (local.get $at) (i32.ctz (local.get $border))))
          (local.set $border (i32.and (local.get $border) (i32.sub (local.get $border) (i32.const 1))))
          (i32.store offset=196616 (local.get $to) (i32.add (local.get $at) (i32.ctz (local.get $border))))
          (local.set $border (i32.and (local.get $border) (i32.sub (local.get $border) (i32.const 1))))
          (i32.store offset=196620 (local.get $to) (i32.add (local.get $at) (i32.ctz (local.get $border))))
          (local.set $border (i32.and (local.get $border) (i32.sub (local.get $border) (i32.const 1))))
          (i32.store offset=196624 (local.get $to) (i32.add (local.get $at) (i32.ctz (local.get $border))))
          (local.set $border (i32.and (local.get $border) (i32.sub (local.get $border) (i32.const 1))))
          (i32.store offset=196628 (local.get $to) (i32.add (local.get $at) (i32.ctz (local.get $border))))
          (local.set $border (i32.and (local.get $border) (i32.sub (local.get $border) (i32.const 1))))
          (i32.store offset=196632 (local.get $to) (i32.add (local.get $at) (i32.ctz (local.get $border))))
          (local.set $border (i32.and (local.get $border) (i32.sub (local.get $border) (i32.const 1))))
          (i32.store offset=196636 (local.get $to) (i32.add (local.get $at) (i32.ctz (local.get $border))))
          (local.set $border (i32.and (local.get $border) (i32.sub (local.get $border) (i32.const 1))))
          (local.set $to (i32.add (local.get $to) (i32.const 32)))
          (br_if $eight (local.get $border)))
        (if (i32.or
              (i32.ge_u (global.get $borders) (i32.const 4032))
              (i32.ge_u (global.get $accents) (i32.const 4032)))
          (then (local.set $count (i32.add (local.get $count) (call $countWords (local.get $times))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (if (local.get $wasWord)
      (then
        (i32.store offset=196608 (global.get $borders) (local.get $limit))
        (global.set $borders (i32.add (global.get $borders) (i32.const 4)))))
    (local.set $count (i32.add (local.get $count) (call $countWords (local.get $times))))
    (if (local.get $asWritten)
      (then
        (global.set $signs (local.get $listed))
        (if (local.get $listed) (then (return (i32.xor (local.get $count) (i32.const -1)))))
        (call $readBare (local.get $times))))
    (local.get $count))

  ;; Reads the words of the last text without their accents.
  (func $readBare (export "readBare") (param $times i32)
    (if (i32.ne (global.get $bare) (global.get $bareEnd))
      (then (drop (call $read (global.get $bare) (global.get $bareEnd) (local.get $times) (i32.const 0))))))

  ;; Reads the characters beyond ASCII of a block, of which `lead` marks the first bytes: their
  ;; forms replace them.
  (func $readBeyond (param $at i32) (param $lead i32) (param $asWritten i32)
    (local $place i32) (local $class i32) (local $code i32) (local $bits i32) (local $width i32) (local $form i64)
    (block $end
      (loop $next
        (br_if $end (i32.eqz (local.get $lead)))
        (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $lead))))
        (local.set $width (call $width (i32.load8_u (local.get $place))))
        (local.set $bits (i32.shl
          (i32.sub (i32.shl (i32.const 1) (local.get $width)) (i32.const 1))
          (i32.ctz (local.get $lead))))
        (global.set $continued (i32.or (global.get $continued)
          (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1)))))
        (local.set $lead (i32.and (local.get $lead) (i32.sub (local.get $lead) (i32.const 1))))
        (if (local.get $asWritten)
          (then
            (local.set $code (call $codeAt (local.get $place)))
            (local.set $class (call $classOf (local.get $code)))
            (br_if $next (i32.eq (local.get $class) (i32.const 2)))
            (if (i32.eq (local.get $class) (i32.const 3))
              (then
                (local.set $form (i64.load offset=131072 (i32.shl (local.get $code) (i32.const 3))))
                (i64.store16 (local.get $place) (local.get $form))
                (if (i32.eq (local.get $width) (i32.const 3))
                  (then (i64.store8 offset=2 (local.get $place) (i64.shr_u (local.get $form) (i64.const 16)))))
                (if (i32.and (i32.wrap_i64 (i64.shr_u (local.get $form) (i64.const 24))) (i32.const 1))
                  (then (global.set $capitals (i32.or (global.get $capitals) (local.get $bits)))))
                (if (i32.and (i64.ge_u (local.get $form) (i64.const 0x100000000000000)) (global.get $beside))
                  (then
                    (i32.store offset=200832 (global.get $accents) (local.get $place))
                    (global.set $accents (i32.add (global.get $accents) (i32.const 4))))))))
          (else (br_if $next (i32.eqz (call $isLetter (local.get $place))))))
        (global.set $letters (i32.or (global.get $letters) (local.get $bits)))
        (br $next))))

  ;; Returns 1 for a sign of which it is plain that it has no terms (`usual-identifier.ts`): within
  ;; words with hyphens and initials, ordinals and years with an s. Any other sign of the same
  ;; run is listed, so that all of the run is looked at. `capitals`: from the bit of the sign on.
  (func $isOfProse (param $at i32) (param $capitals i32) (result i32)
    (local $before i32) (local $here i32) (local $after i32)
    (local.set $before (i32.load8_u (i32.sub (local.get $at) (i32.const 1))))
    (local.set $here (i32.load8_u (local.get $at)))
    (if (i32.eq (local.get $before) (i32.const 0x2d))
      (then (return (i32.and
        (i32.ne (local.get $here) (i32.const 0x5f))
        (call $isAlphanumeric (i32.load8_u (i32.sub (local.get $at) (i32.const 2))))))))
    (local.set $after (i32.load8_u offset=1 (local.get $at)))
    (if (i32.eq (local.get $before) (i32.const 0x2e))
      (then (return (i32.and
        (i32.and
          (call $isAsciiLetter (local.get $here))
          (call $isAsciiLetter (i32.load8_u (i32.sub (local.get $at) (i32.const 2)))))
        (i32.and
          (call $isNoSign (local.get $after))
          (call $isNoSign (i32.load8_u (i32.sub (local.get $at) (i32.const 3)))))))))
    (if (i32.ge_u (i32.sub (local.get $before) (i32.const 48)) (i32.const 10)) (then (return (i32.const 0))))
    (if (i32.and (local.get $capitals) (i32.const 3)) (then (return (i32.const 0))))
    (if (i32.eq (local.get $here) (i32.const 0x73))
      (then (if (call $isNoWord (local.get $after)) (then (return (i32.const 1))))))
    (local.set $here (i32.or (i32.shl (local.get $here) (i32.const 8)) (local.get $after)))
    ;; st, nd, rd, th
    (i32.and
      (i32.or
        (i32.or (i32.eq (local.get $here) (i32.const 0x7374)) (i32.eq (local.get $here) (i32.const 0x6e64)))
        (i32.or (i32.eq (local.get $here) (i32.const 0x7264)) (i32.eq (local.get $here) (i32.const 0x7468))))
      (call $isNoWord (i32.load8_u offset=2 (local.get $at)))))

  (func $isAsciiLetter (param $byte i32) (result i32)
    (i32.lt_u (i32.sub (i32.or (local.get $byte) (i32.const 32)) (i32.const 97)) (i32.const 26)))

  (func $isAlphanumeric (param $byte i32) (result i32)
    (i32.or
      (call $isAsciiLetter (local.get $byte))
      (i32.lt_u (i32.sub (local.get $byte) (i32.const 48)) (i32.const 10))))

  ;; Returns 1 for ASCII that is of no word.
  (func $isNoWord (param $byte i32) (result i32)
    (i32.and (i32.lt_u (local.get $byte) (i32.const 128)) (i32.eqz (call $isAlphanumeric (local.get $byte)))))

  ;; Returns 1 for ASCII that is of no identifier, and for the point.
  (func $isNoSign (param $byte i32) (result i32)
    (i32.and
      (i32.lt_u (local.get $byte) (i32.const 128))
      (i32.wrap_i64 (i64.shr_u
        (select (i64.const 0x58005787ffffffff) (i64.const 0xb800000168000000) (i32.lt_u (local.get $byte) (i32.const 64)))
        (i64.extend_i32_u (local.get $byte))))))

  ;; Counts the words of the list and returns their number; the start of a word that has not ended
  ;; stays.
  (func $countWords (param $times i32) (result i32)
    (local $at i32) (local $end i32) (local $start i32) (local $to i32) (local $length i32) (local $count i32)
    (local $hash i32) (local $key i64) (local $tail i64) (local $slot i32) (local $entry i32) (local $record i32)
    (local $last i32) (local $posting i32) (local $isKnown i32) (local $accent i32) (local $nextAccent i32)
    (i32.store offset=200832 (global.get $accents) (i32.const -1))
    (local.set $accent (i32.load offset=200832 (i32.const 0)))
    (local.set $end (i32.and (global.get $borders) (i32.const -8)))
    (block $fits
      (loop $more
        (br_if $fits (i32.le_u
          (i32.add (global.get $postingCount) (i32.shr_u (local.get $end) (i32.const 3)))
          (global.get $postingLimit)))
        (call $grow (i32.const 3))
        (br $more)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $start (i32.load offset=196608 (local.get $at)))
        (local.set $to (i32.load offset=196612 (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (local.set $length (i32.sub (local.get $to) (local.get $start)))
        (if (i32.gt_u (global.get $shortest) (i32.const 1))
          (then (br_if $next (i32.le_u (local.get $length) (call $width (i32.load8_u (local.get $start)))))))
        (local.set $count (i32.add (local.get $count) (i32.const 1)))
        (if (i32.lt_u (local.get $accent) (local.get $to))
          (then
            (call $writeBare (local.get $start) (local.get $to))
            (loop $skip
              (local.set $nextAccent (i32.add (local.get $nextAccent) (i32.const 4)))
              (local.set $accent (i32.load offset=200832 (local.get $nextAccent)))
              (br_if $skip (i32.lt_u (local.get $accent) (local.get $to))))))
        ;; The key is the first eight bytes. The hash takes the last eight of a longer word, and
        ;; those between.
        (local.set $key (i64.load (local.get $start)))
        (if (i32.le_u (local.get $length) (i32.const 8))
          (then
            (local.set $key (i64.and (local.get $key)
              (i64.shr_u (i64.const -1) (i64.extend_i32_u (i32.sub (i32.const 64) (i32.shl (local.get $length) (i32.const 3)))))))
            (local.set $hash (i32.wrap_i64 (i64.shr_u (i64.mul (local.get $key) (i64.const 0x9e3779b97f4a7c15)) (i64.const 32)))))
          (else (local.set $hash (call $hashLong (local.get $start) (local.get $to) (local.get $key)))))
        (local.set $slot (i32.shr_u (local.get $hash) (i32.sub (i32.const 32) (global.get $slotBits))))
        (block $known
          (loop $probe
            (local.set $entry (i32.load (i32.add (global.get $slots) (i32.shl (local.get $slot) (i32.const 2)))))
            (if (i32.eqz (local.get $entry))
              (then
                (local.set $entry (i32.add (global.get $terms) (i32.const 1)))
                (i32.store (i32.add (global.get $slots) (i32.shl (local.get $slot) (i32.const 2))) (local.get $entry))
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
            (local.set $slot (i32.and
              (i32.add (local.get $slot) (i32.const 1))
              (i32.sub (i32.shl (i32.const 1) (global.get $slotBits)) (i32.const 1))))
            (br $probe)))
        ;; Chooses no branch by it: that the item holds the word already is hard to predict.
        (local.set $last (i32.load offset=12 (local.get $record)))
        (local.set $isKnown (i32.gt_u (local.get $last) (global.get $itemStart)))
        (local.set $last (select (local.get $last) (i32.add (global.get $postingCount) (i32.const 1)) (local.get $isKnown)))
        (i32.store offset=12 (local.get $record) (local.get $last))
        (global.set $postingCount (i32.sub (i32.add (global.get $postingCount) (i32.const 1)) (local.get $isKnown)))
        (local.set $posting (i32.add (global.get $postings) (i32.shl (i32.sub (local.get $last) (i32.const 1)) (i32.const 3))))
        (i32.store (local.get $posting) (i32.sub (local.get $entry) (i32.const 1)))
        (i32.store offset=4 (local.get $posting) (i32.add (local.get $times)
          (select (i32.load offset=4 (local.get $posting)) (i32.const 0) (local.get $isKnown))))
        (br $next)))
    ;; Keeps the start, and one accent, of the word that has not ended.
    (i32.store offset=196608 (i32.const 0) (i32.load offset=196608 (local.get $end)))
    (global.set $borders (i32.sub (global.get $borders) (local.get $end)))
    (i32.store offset=200832 (i32.const 0) (local.get $accent))
    (global.set $accents (select (i32.const 0) (i32.const 4) (i32.eq (local.get $accent) (i32.const -1))))
    (local.get $count))

  ;; Returns the hash of a word of more than eight bytes.
  (func $hashLong (param $start i32) (param $to i32) (param $hash i64) (result i32)
    (local.set $start (i32.add (local.get $start) (i32.const 8)))
    (local.set $to (i32.sub (local.get $to) (i32.const 8)))
    (block $end
      (loop $next
        (br_if $end (i32.ge_u (local.get $start) (local.get $to)))
        (local.set $hash (i64.rotl
          (i64.mul (i64.xor (local.get $hash) (i64.load (local.get $start))) (i64.const 0x9e3779b97f4a7c15))
          (i64.const 32)))
        (local.set $start (i32.add (local.get $start) (i32.const 8)))
        (br $next)))
    (local.set $hash (i64.add
      (local.get $hash)
      (i64.rotl (i64.mul (i64.load (local.get $to)) (i64.const 0xd6e8feb86659fd93)) (i64.const 32))))
    (i32.wrap_i64 (i64.shr_u (i64.mul (local.get $hash) (i64.const 0x9e3779b97f4a7c15)) (i64.const 32))))

  ;; Writes a word without its accents, as `bareTerms` does.
  (func $writeBare (param $at i32) (param $to i32)
    (local $end i32) (local $byte i32) (local $width i32) (local $form i64) (local $code i32)
    (local.set $end (global.get $bareEnd))
    ;; U+0403
    (i32.store16 (local.get $end) (i32.const 0x83d0))
    (local.set $end (i32.add (local.get $end) (i32.const 2)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $to)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $width (call $width (local.get $byte)))
        (local.set $form (i64.const 0))
        (if (i32.ge_u (local.get $byte) (i32.const 128))
          (then
            (local.set $code (call $codeAt (local.get $at)))
            (if (i32.eq (call $classOf (local.get $code)) (i32.const 3))
              (then (local.set $form (i64.load offset=131072 (i32.shl (local.get $code) (i32.const 3))))))))
        (if (i64.ge_u (local.get $form) (i64.const 0x100000000000000))
          (then
            (i64.store32 (local.get $end) (i64.shr_u (local.get $form) (i64.const 32)))
            (local.set $end (i32.add (local.get $end) (i32.wrap_i64 (i64.shr_u (local.get $form) (i64.const 56))))))
          (else
            (i32.store (local.get $end) (i32.load (local.get $at)))
            (local.set $end (i32.add (local.get $end) (local.get $width)))))
        (local.set $at (i32.add (local.get $at) (local.get $width)))
        (br $next)))
    (i32.store8 (local.get $end) (i32.const 0x20))
    (global.set $bareEnd (i32.add (local.get $end) (i32.const 1))))

  ;; Returns the number of bytes of the character that starts with the byte.
  (func $width (param $byte i32) (result i32)
    (i32.add (i32.const 1) (i32.add
      (i32.ge_u (local.get $byte) (i32.const 0xc0))
      (i32.add (i32.ge_u (local.get $byte) (i32.const 0xe0)) (i32.ge_u (local.get $byte) (i32.const 0xf0))))))

  ;; Returns the code point of a character of two or three bytes.
  (func $codeAt (param $at i32) (result i32)
    (local $byte i32)
    (local.set $byte (i32.load8_u (local.get $at)))
    (if (i32.lt_u (local.get $byte) (i32.const 0xe0))
      (then (return (i32.or
        (i32.shl (i32.and (local.get $byte) (i32.const 0x1f)) (i32.const 6))
        (i32.and (i32.load8_u offset=1 (local.get $at)) (i32.const 0x3f))))))
    (i32.or (i32.or
      (i32.shl (i32.and (local.get $byte) (i32.const 0x0f)) (i32.const 12))
      (i32.shl (i32.and (i32.load8_u offset=1 (local.get $at)) (i32.const 0x3f)) (i32.const 6)))
      (i32.and (i32.load8_u offset=2 (local.get $at)) (i32.const 0x3f))))

  ;; Returns the class of a code point of a text as it is written.
  (func $classOf (param $code i32) (result i32)
    (local $class i32)
    (local.set $class (i32.load8_u offset=65536 (local.get $code)))
    (if (i32.eqz (local.get $class))
      (then
        (local.set $class (call $written (local.get $code)))
        (i32.store8 offset=65536 (local.get $code) (local.get $class))))
    (local.get $class))

  ;; Returns 1 if the character beyond ASCII of a text in its form belongs to a term.
  (func $isLetter (param $at i32) (result i32)
    (local $byte i32) (local $code i32) (local $class i32)
    (local.set $byte (i32.load8_u (local.get $at)))
    (if (i32.ge_u (local.get $byte) (i32.const 0xf0))
      (then (return (call $letter (i32.or (i32.or
        (i32.shl (i32.and (local.get $byte) (i32.const 0x07)) (i32.const 18))
        (i32.shl (i32.and (i32.load8_u offset=1 (local.get $at)) (i32.const 0x3f)) (i32.const 12)))
        (i32.or
        (i32.shl (i32.and (i32.load8_u offset=2 (local.get $at)) (i32.const 0x3f)) (i32.const 6))
        (i32.and (i32.load8_u offset=3 (local.get $at)) (i32.const 0x3f))))))))
    (local.set $code (call $codeAt (local.get $at)))
    (local.set $class (i32.load8_u (local.get $code)))
    (if (i32.eqz (local.get $class))
      (then
        (local.set $class (select (i32.const 1) (i32.const 2) (call $letter (local.get $code))))
        (i32.store8 (local.get $code) (local.get $class))))
    (i32.eq (local.get $class) (i32.const 1)))

  (func $same (param $a i32) (param $b i32) (param $length i32) (result i32)
    (block $tail
      (loop $words
        (br_if $tail (i32.lt_u (local.get $length) (i32.const 8)))
        (if (i64.ne (i64.load (local.get $a)) (i64.load (local.get $b))) (then (return (i32.const 0))))
        (local.set $a (i32.add (local.get $a) (i32.const 8)))
        (local.set $b (i32.add (local.get $b) (i32.const 8)))
        (local.set $length (i32.sub (local.get $length) (i32.const 8)))
        (br $words)))
    ;; Compares the last bytes, at most seven, as one word, shifted so that the bytes after them do
    ;; not count. Both regions are padded.
    (if (i32.eqz (local.get $length)) (then (return (i32.const 1))))
    (i64.eqz (i64.shl
      (i64.xor (i64.load (local.get $a)) (i64.load (local.get $b)))
      (i64.extend_i32_u (i32.sub (i32.const 64) (i32.shl (local.get $length) (i32.const 3)))))))

  ;; Adds a new term.
  (func $append (param $start i32) (param $length i32) (param $hash i32) (param $key i64)
    (local $record i32) (local $to i32) (local $end i32)
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
    (local.set $to (i32.add (global.get $bytes) (global.get $byteCount)))
    (local.set $end (i32.add (local.get $to) (local.get $length)))
    ;; Copies eight bytes at a time: the last ones reach into the padding.
    (loop $copy
      (i64.store (local.get $to) (i64.load (local.get $start)))
      (local.set $to (i32.add (local.get $to) (i32.const 8)))
      (local.set $start (i32.add (local.get $start) (i32.const 8)))
      (br_if $copy (i32.lt_u (local.get $to) (local.get $end))))
    (global.set $byteCount (i32.add (global.get $byteCount) (local.get $length)))
    (global.set $terms (i32.add (global.get $terms) (i32.const 1)))
    (if (i32.gt_u (i32.shl (global.get $terms) (i32.const 1)) (i32.shl (i32.const 1) (global.get $slotBits)))
      (then (call $grow (i32.const 0)))))

  ;; Enters the terms into slots that are free, 2 to the power of `bits` of them, by the hashes of
  ;; the records.
  (func (export "enter") (param $slots i32) (param $bits i32)
    (local $term i32) (local $at i32) (local $slot i32)
    (block $end
      (loop $next
        (br_if $end (i32.ge_u (local.get $term) (global.get $terms)))
        (local.set $slot (i32.shr_u
          (i32.load (i32.add (global.get $records) (i32.mul (local.get $term) (i32.const 24))))
          (i32.sub (i32.const 32) (local.get $bits))))
        (loop $probe
          (local.set $at (i32.add (local.get $slots) (i32.shl (local.get $slot) (i32.const 2))))
          (local.set $slot (i32.and
            (i32.add (local.get $slot) (i32.const 1))
            (i32.sub (i32.shl (i32.const 1) (local.get $bits)) (i32.const 1))))
          (br_if $probe (i32.load (local.get $at))))
        (local.set $term (i32.add (local.get $term) (i32.const 1)))
        (i32.store (local.get $at) (local.get $term))
        (br $next))))

  ;; Does the same by the hashes of a dictionary (dictionary.ts), which differ, and writes the ends
  ;; of the terms.
  (func (export "finish") (param $slots i32) (param $bits i32) (param $ends i32)
    (local $term i32) (local $at i32) (local $slot i32) (local $hash i32) (local $byte i32) (local $end i32) (local $mask i32)
    (local.set $mask (i32.sub (i32.shl (i32.const 1) (local.get $bits)) (i32.const 1)))
    (local.set $byte (global.get $bytes))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $term) (global.get $terms)))
        (local.set $hash (i32.const 0x811c9dc5))
        (local.set $end (i32.add (local.get $byte)
          (i32.load offset=8 (i32.add (global.get $records) (i32.mul (local.get $term) (i32.const 24))))))
        (i32.store (i32.add (local.get $ends) (i32.shl (local.get $term) (i32.const 2)))
          (i32.sub (local.get $end) (global.get $bytes)))
        (loop $bytes
          (local.set $hash (i32.mul (i32.xor (local.get $hash) (i32.load8_u (local.get $byte))) (i32.const 0x01000193)))
          (local.set $byte (i32.add (local.get $byte) (i32.const 1)))
          (br_if $bytes (i32.lt_u (local.get $byte) (local.get $end))))
        (local.set $slot (i32.and (i32.xor (local.get $hash) (i32.shr_u (local.get $hash) (i32.const 15))) (local.get $mask)))
        (loop $probe
          (local.set $at (i32.add (local.get $slots) (i32.shl (local.get $slot) (i32.const 2))))
          (local.set $slot (i32.and (i32.add (local.get $slot) (i32.const 1)) (local.get $mask)))
          (br_if $probe (i32.load (local.get $at))))
        (local.set $term (i32.add (local.get $term) (i32.const 1)))
        (i32.store (local.get $at) (local.get $term))
        (br $next))))
)
