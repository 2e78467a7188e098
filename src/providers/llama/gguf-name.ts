/**
 * Reads names of GGUF models: `gguf:PATH` and `hf:ORG/NAME:FILE`, each with settings behind a
 * question mark, such as `gguf:model.gguf?threads=2&context=4096`.
 */
import { InputError } from '../../core/errors.ts';

/** Types of the cache of keys and values, by how they are named here. */
export const CACHE_TYPES = ['f16', 'q8_0', 'q4_0'] as const;
export type CacheType = (typeof CACHE_TYPES)[number];

/** Settings of a model in the process. */
export interface GgufSettings {
  /** Threads that compute; as many as there are cores by default. */
  readonly threads?: number | undefined;
  /** Tokens of a prompt and its completion; at most 8192 by default. */
  readonly contextTokens?: number | undefined;
  /** Type of the cache; smaller ones take less memory and change texts. "f16" by default. */
  readonly cacheType?: CacheType | undefined;
  /** Conversations whose prompts stay computed, so that the next one reuses its beginning. */
  readonly sequences?: number | undefined;
}

export interface GgufName {
  readonly file: string;
  readonly settings: GgufSettings;
}

/** Keys of settings in names. */
const NUMBERS: Readonly<Record<string, keyof GgufSettings>> = {
  threads: 'threads',
  context: 'contextTokens',
  sequences: 'sequences',
};

/** Throws `InputError('bad-model')` for an unknown setting, or a value that it cannot have. */
export function ggufNameOf(rest: string): GgufName {
  const mark = rest.lastIndexOf('?');
  const [file, query] = mark < 0 ? [rest, ''] : [rest.slice(0, mark), rest.slice(mark + 1)];
  if (file.trim() === '')
    throw new InputError('bad-model', 'The name of the GGUF model has no file', {
      expected: 'gguf:PATH, such as gguf:models/qwen2.5-1.5b-instruct-q4_k_m.gguf',
    });
  const pairs = [...new URLSearchParams(query)].map(([key, value]) => settingOf(key, value));
  return { file, settings: Object.fromEntries(pairs) };
}

function settingOf(key: string, value: string): [string, unknown] {
  const number = Object.hasOwn(NUMBERS, key) ? NUMBERS[key] : undefined;
  if (number !== undefined && /^[1-9]\d{0,8}$/.test(value)) return [number, Number(value)];
  if (key === 'cache' && CACHE_TYPES.some(type => type === value)) return ['cacheType', value];
  throw new InputError('bad-model', 'Unknown setting of a GGUF model', {
    expected: `${Object.keys(NUMBERS).join(', ')} with a whole number, or cache with ${CACHE_TYPES.join(', ')}`,
    received: `"${`${key}=${value}`.slice(0, 80)}"`,
  });
}

/** Returns the address of `hf:ORG/NAME:FILE` as the library writes it. Throws `InputError`. */
export function hubUri(rest: string): string {
  const [, repository, file] = /^([\w.-]+\/[\w.-]+):([\w./-]+)$/.exec(rest) ?? [];
  if (repository === undefined || file === undefined || rest.includes('..'))
    throw new InputError('bad-model', 'Invalid name of a GGUF model on the hub', {
      expected: 'hf:ORG/NAME:FILE, the name of a file or its quantisation, such as Q4_K_M',
      received: `"hf:${rest.slice(0, 80)}"`,
    });
  return `hf:${repository}${file.endsWith('.gguf') ? '/' : ':'}${file}`;
}
