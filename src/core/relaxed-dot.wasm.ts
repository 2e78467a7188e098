/** relaxed-dot.wat as compiled by bench/compile-kernel.ts with wabt; do not edit. 70 bytes. */
export const RELAXED_DOT_BASE64 =
  'AGFzbQEAAAABBQFgAAF/AwIBAAcKAQZiZXlvbmQAAAolASMAQf8A/Q9Bf/0P/QwAAAAAAAAAAAAAAAAAAAAA/ZMC/RsACw==';
