/** Reads options of a GGUF model: how its texts are sampled, under the names of llama.cpp. */
import { InputError } from '../../core/errors.ts';

/** Settings as the library names them. */
export interface Sampling {
  readonly temperature?: number;
  readonly topK?: number;
  readonly topP?: number;
  readonly minP?: number;
  readonly seed?: number;
}

const NAMES: Readonly<Record<string, keyof Sampling>> = {
  temperature: 'temperature',
  top_k: 'topK',
  top_p: 'topP',
  min_p: 'minP',
  seed: 'seed',
};

/**
 * Returns the settings of these options; `null` leaves one out. Throws
 * `InputError('bad-model-option')` for another option, or a value that is no number.
 */
export function samplingOf(options: Readonly<Record<string, unknown>> = {}): Sampling {
  const settings = Object.entries(options).map(([name, value]) => {
    const known = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
    const isNumber = typeof value === 'number' && Number.isFinite(value) && value >= 0;
    if (known !== undefined && (isNumber || value === null)) return [known, value ?? undefined];
    throw new InputError('bad-model-option', 'A GGUF model does not take this option', {
      expected: `${Object.keys(NAMES).join(', ')}, each with a number`,
      received: `"${`${name}=${JSON.stringify(value)}`.slice(0, 80)}"`,
      hint: 'Context, threads and cache are part of its name: gguf:FILE?context=4096.',
    });
  });
  return Object.fromEntries(settings.filter(([, value]) => value !== undefined));
}
