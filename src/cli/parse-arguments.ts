/** Parses the words after a command into positionals and typed options. */

import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/naming/nearest.ts';
import { shownPlace } from '../stores/servers/engine-address.ts';
import type { Command } from './command.ts';
import type { Option } from './option.ts';
import { type Defaults, GLOBAL_OPTIONS, OptionValues } from './option.ts';

export interface Arguments {
  readonly positionals: readonly string[];
  readonly options: OptionValues;
}

/**
 * Accepts `--name value`, `--name=value`, `-k 5`, `-k5`, `-qv`; `--` ends the options, a single `-`
 * is a positional. `defaults` are values of options that stand nowhere on the command line. Throws
 * `InputError`; missing arguments are no error if help is asked for.
 */
export function parseArguments(
  words: readonly string[],
  command: Pick<Command, 'options' | 'positionals'>,
  defaults: Defaults = new Map(),
): Arguments {
  const known = [...command.options, ...GLOBAL_OPTIONS];
  const reader = new ArgumentReader(words, known, command.positionals[0]?.name);
  const { positionals, values } = reader.read();
  const left = [...defaults].filter(([name]) => !values.has(name));
  for (const [name, texts] of left) values.set(name, [...texts]);
  if (!values.has('help')) {
    checkPositionals(positionals, command);
    checkRequired(values, command.options);
  }
  const names = new Set(left.map(([name]) => name));
  return { positionals, options: new OptionValues(values, names) };
}

class ArgumentReader {
  private readonly words: readonly string[];
  readonly known: readonly Option[];
  readonly positional: string | undefined;
  private readonly values = new Map<string, string[]>();
  private readonly positionals: string[] = [];
  private at = 0;

  constructor(words: readonly string[], known: readonly Option[], positional: string | undefined) {
    this.words = words;
    this.known = known;
    this.positional = positional;
  }

  read(): { positionals: string[]; values: Map<string, string[]> } {
    while (this.at < this.words.length) {
      const word = this.words[this.at++]!;
      if (word === '--') {
        this.positionals.push(...this.words.slice(this.at));
        break;
      }
      if (word.startsWith('--')) this.long(word);
      else if (word.startsWith('-') && word.length > 1) this.short(word);
      else this.positionals.push(word);
    }
    return { positionals: this.positionals, values: this.values };
  }

  private long(word: string): void {
    const equals = word.indexOf('=');
    const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
    const option = this.known.find(candidate => candidate.name === name);
    if (!option) throw unknownOption(word, `--${name}`, this);
    if (equals >= 0 && option.value === undefined)
      throw new InputError('no-value', `The option --${name} takes no value`, { received: word });
    this.set(
      option,
      equals >= 0 ? word.slice(equals + 1) : option.value === undefined ? '' : this.value(option),
    );
  }

  private short(word: string): void {
    for (let position = 1; position < word.length; position++) {
      const option = this.known.find(candidate => candidate.short === word[position]);
      if (!option) throw unknownOption(word, `-${word[position]}`, this);
      if (option.value === undefined) this.set(option, '');
      else {
        const rest = word.slice(position + 1).replace(/^=/, '');
        this.set(option, rest === '' ? this.value(option) : rest);
        return;
      }
    }
  }

  /**
   * Returns the next word as a value. A word that looks like an option is none: the value was
   * probably forgotten.
   */
  private value(option: Option): string {
    const word = this.words[this.at];
    const expected = `a value: --${option.name} ${option.value}`;
    if (word === undefined)
      throw new InputError('missing-value', `The option --${option.name}`, {
        expected: expected,
        received: 'the end',
      });
    if (/^-[^\d.]/.test(word))
      throw new InputError('missing-value', `The option --${option.name}`, {
        expected: expected,
        received: `"${word}"`,
        hint: `If that is the value, write --${option.name}=${word}`,
      });
    this.at++;
    return word;
  }

  private set(option: Option, value: string): void {
    const before = this.values.get(option.name);
    if (before && option.value !== undefined && !option.repeatable)
      throw new InputError('duplicate-option', `The option --${option.name} was given twice`, {
        received: `"${shownPlace(before[0]!)}" and "${shownPlace(value)}"`,
      });
    checkValue(option, value);
    this.values.set(option.name, [...(before ?? []), value]);
  }
}

/** Throws `InputError` for a value that the option does not take. */
export function checkValue(option: Option, value: string): void {
  if (option.value === undefined) return;
  const received = `"${value}"`;
  if (value.trim() === '')
    throw new InputError('empty-value', `The option --${option.name} is empty`, {
      expected: option.value,
    });
  if (option.type !== 'integer') return;
  const min = option.min ?? 0;
  if (!/^[-+]?\d{1,15}$/.test(value) || Number(value) < min)
    throw new InputError('bad-value', `The option --${option.name}`, {
      expected: `a whole number of at least ${min}`,
      received,
    });
}

/** Names the option, and how to write the whole word if it is no option. */
function unknownOption(
  whole: string,
  word: string,
  { known, positional }: Pick<ArgumentReader, 'known' | 'positional'>,
): InputError {
  const names = known.map(({ name }) => `--${name}`);
  const near = word.startsWith('--') ? didYouMean(word, names) : '';
  const after =
    positional === undefined
      ? ''
      : `A ${positional} that begins with a hyphen stands last, after --: -- "${whole}".`;
  const hint = `${near}${near && after ? ' ' : ''}${after}`;
  return new InputError('unknown-option', `Unknown option ${word}`, {
    expected: `one of ${names.join(', ')}`,
    hint:
      word === '--engine' ? 'The address of a server is a store: --store URL.' : hint || undefined,
  });
}

function checkPositionals(
  words: readonly string[],
  { positionals }: Pick<Command, 'positionals'>,
): void {
  const most = positionals.some(({ repeatable }) => repeatable)
    ? Number.POSITIVE_INFINITY
    : positionals.length;
  if (words.length > most)
    throw new InputError('too-many-arguments', 'Too many arguments', {
      expected: most === 0 ? 'none' : positionals.map(({ name }) => name).join(' '),
      received: words.map(word => `"${word}"`).join(' '),
      hint: most > 0 ? 'Quote arguments that contain spaces.' : undefined,
    });
  const missing = positionals.filter(({ optional }) => !optional)[words.length];
  if (missing)
    throw new InputError('missing-argument', `${missing.name} is missing`, {
      expected: missing.summary,
      hint: 'If it begins with a hyphen, write it last, after --.',
    });
}

function checkRequired(values: ReadonlyMap<string, unknown>, options: readonly Option[]): void {
  for (const { name, value, required, summary } of options)
    if (required && !values.has(name))
      throw new InputError('missing-option', `--${name} ${value} is missing`, {
        expected: summary,
      });
}
