/** Defines `--sign`, an option of the commands that write traces. */
import { InputError } from '../core/errors.ts';
import { readSigner, type TraceSigner } from '../session/trace-signing.ts';
import type { Option } from './command.ts';
import type { OptionValues } from './option-values.ts';

export const SIGN_OPTION: Option = {
  name: 'sign',
  value: 'KEYFILE',
  access: 'read',
  summary:
    'sign each trace with this Ed25519 private key in PEM; openssl genpkey -algorithm ed25519 -out KEYFILE makes one',
};

/** Options of which one must say where the traces go. */
const TARGETS = { ask: ['trace', 'jsonl'], eval: ['out'] } as const;

/**
 * Reads the key of `--sign`; undefined without the option. Throws `InputError('missing-option')` if
 * no trace is written, and what `readSigner` throws.
 */
export function signerOf(
  options: Pick<OptionValues, 'text' | 'flag'>,
  command: keyof typeof TARGETS,
): TraceSigner | undefined {
  const path = options.text('sign');
  if (path === undefined) return undefined;
  const targets = TARGETS[command];
  if (!targets.some(name => options.flag(name)))
    throw new InputError('missing-option', 'There is no trace to sign', {
      expected: `--${targets.join(' or --')} beside --sign`,
      received: '--sign alone',
    });
  return readSigner(path);
}
