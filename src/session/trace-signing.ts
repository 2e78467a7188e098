/** Signs traces with Ed25519 keys (RFC 8032) of PEM files, and checks their signatures. */
import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { InputError } from '../core/errors.ts';
import type { Checked } from '../core/trace/trace-check.ts';
import { signatureLine, type TraceSignature } from '../core/trace/trace-signature.ts';
import { fileError } from '../platform/file-error.ts';
import { sha256 } from '../platform/sha256.ts';

export interface TraceSigner {
  /** SHA-256 of the public key, as the signature names it. */
  readonly key: string;
  /** Returns the line that signs a trace with this seal, without its line end. */
  line(seal: string): string;
}

/**
 * - `unsigned`: the trace has no signature.
 * - `other-key`: it names another key than the checked key.
 * - `wrong-signature`: it is not what the checked key makes for this trace.
 */
export type SignatureFault = 'unsigned' | 'other-key' | 'wrong-signature';

/** Much more than any Ed25519 key file has; a device would never end. */
const MOST_BYTES = 64 * 1024;

/**
 * Reads a private key: PEM of PKCS#8, without a passphrase. Throws `InputError('bad-signing-key')`
 * for anything else, and `missing-file` or `unreadable-file`; no message shows what the file holds.
 */
export function readSigner(path: string): TraceSigner {
  const read = keyIn(path, 'PRIVATE KEY', createPrivateKey);
  if (typeof read === 'string')
    throw new InputError('bad-signing-key', `Cannot sign with ${JSON.stringify(path)}`, {
      expected: 'an Ed25519 private key in PEM ("BEGIN PRIVATE KEY", PKCS#8, no passphrase)',
      received: read,
      hint: 'Make one: openssl genpkey -algorithm ed25519 -out key.pem',
    });
  const key = fingerprint(createPublicKey(read));
  return {
    key,
    line: seal =>
      signatureLine({ key, value: signBytes(null, Buffer.from(seal), read).toString('hex') }),
  };
}

/**
 * Reads a public key: PEM of SPKI. Throws `InputError('bad-public-key')` for anything else, a
 * private key included, and `missing-file` or `unreadable-file`.
 */
export function readPublicKey(path: string): KeyObject {
  const read = keyIn(path, 'PUBLIC KEY', createPublicKey);
  if (typeof read === 'string')
    throw new InputError('bad-public-key', `Cannot check with ${JSON.stringify(path)}`, {
      expected: 'an Ed25519 public key in PEM ("BEGIN PUBLIC KEY", SPKI)',
      received: read,
      hint: 'Write it from the private key: openssl pkey -in key.pem -pubout -out key.pub',
    });
  return read;
}

/** Returns the result of a check, or a refusal if `key` did not sign the trace. */
export function checkSignature(checked: Checked, key: KeyObject): SignedCheck {
  if (!checked.ok) return checked;
  const { signature, heads } = checked;
  const found = signature ? faultOf(signature, key) : UNSIGNED;
  return found ? { ok: false, line: heads.count + (signature ? 2 : 1), ...found } : checked;
}

/** The result of checking a trace and, where a key is given, its signature. */
export type SignedCheck = Checked & { readonly fault?: SignatureFault };

interface Fault {
  readonly fault: SignatureFault;
  readonly problem: string;
}

const UNSIGNED: Fault = {
  fault: 'unsigned',
  problem: 'the trace is not signed: expected a signature after the seal',
};

function faultOf({ key, value, signed }: TraceSignature, by: KeyObject): Fault | undefined {
  const expected = fingerprint(by);
  if (key !== expected) {
    const keys = `expected key ${expected}, received ${key}`;
    return { fault: 'other-key', problem: `another key signed the trace: ${keys}` };
  }
  if (verifyBytes(null, Buffer.from(signed), by, Buffer.from(value, 'hex'))) return undefined;
  return {
    fault: 'wrong-signature',
    problem:
      'the signature is not of this trace: the trace was rewritten, or the signature is of another',
  };
}

const fingerprint = (key: KeyObject): string => sha256(key.export({ type: 'spki', format: 'der' }));

/** Returns the key, or what the file holds instead. */
function keyIn(path: string, label: string, parse: (pem: string) => KeyObject): KeyObject | string {
  const text = textOf(path);
  if (text === undefined) return `a file of more than ${MOST_BYTES} bytes`;
  const found = /-----BEGIN ([A-Z0-9 ]{1,40})-----/.exec(text)?.[1];
  if (found !== label) return found === undefined ? 'a file without PEM' : `"BEGIN ${found}"`;
  try {
    const key = parse(text);
    return key.asymmetricKeyType === 'ed25519' ? key : `a key of type ${key.asymmetricKeyType}`;
  } catch {
    // The parser's own message names no remedy, and may quote the file.
    return `a damaged "BEGIN ${label}"`;
  }
}

/** Returns the text of a file or a pipe; undefined if it is too long. */
function textOf(path: string): string | undefined {
  const bytes = Buffer.alloc(MOST_BYTES + 1);
  try {
    const file = openSync(path, 'r');
    try {
      let size = 0;
      for (let read = -1; read !== 0 && size < bytes.length; size += read)
        read = readSync(file, bytes, size, bytes.length - size, null);
      return size > MOST_BYTES ? undefined : bytes.toString('latin1', 0, size);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw fileError(path, error);
  }
}
