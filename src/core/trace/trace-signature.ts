/**
 * Defines the line after the seal that signs a trace. The signature covers the seal, which holds
 * the heads of all lines before it.
 */

/** A signature as it stands in a trace; its reader checks it with a public key of its own. */
export interface TraceSignature {
  /** SHA-256 of the public key, in DER of its SPKI, in hexadecimal: says which key signed. */
  readonly key: string;
  /** Ed25519 signature (RFC 8032) of `signed` in UTF-8, in hexadecimal. */
  readonly value: string;
  /** The seal, without its line end. */
  readonly signed: string;
}

// Lower case alone, so that one signature is written in one way.
const SIGNATURE_LINE =
  /^\{"signature":"ed25519","key":"(?<key>[0-9a-f]{64})","value":"(?<value>[0-9a-f]{128})"\}$/;

/** Returns the last line of a signed trace, without its line end. */
export const signatureLine = ({ key, value }: Omit<TraceSignature, 'signed'>): string =>
  `{"signature":"ed25519","key":"${key}","value":"${value}"}`;

/** Reads the line after the seal `signed`; undefined if it is no signature. */
export function readSignature(line: string, signed: string): TraceSignature | undefined {
  const found = SIGNATURE_LINE.exec(line)?.groups;
  return found && { key: found['key']!, value: found['value']!, signed };
}
