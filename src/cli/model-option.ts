/** Parses a field of requests to a language model: `KEY=VALUE`. */
import { InputError } from '../core/errors.ts';
import { parseJson } from '../core/text/bounded-json.ts';

/**
 * Returns the name and the value: JSON, such as a number, `true`, `null` or an object, else a text.
 * Throws `InputError('bad-model-option')`.
 */
export function parseModelOption(text: string): readonly [name: string, value: unknown] {
  const [, name, value] = /^\s*([a-z][\w-]*)\s*=(.*)$/is.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, read(value.trim())];
  throw new InputError('bad-model-option', 'Cannot read the option of a model', {
    expected: 'KEY=VALUE, such as reasoning_effort=low or top_k=20',
    received: `"${text.slice(0, 80)}"`,
  });
}

function read(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
