/**
 * Reads `multihop.config.json`: values of options that a command line leaves out. Keys are names of
 * options, or a command with further options:
 *
 *     { "store": "notes.store", "ask": { "answer-at": 0.6, "model": "ollama:qwen3" } }
 */
import { dirname, resolve } from 'node:path';
import type { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/naming/nearest.ts';
import { parseJson } from '../core/text/bounded-json.ts';
import { isServerAddress } from '../stores/servers/engine-address.ts';
import type { CommandEntry } from './command.ts';
import { commands } from './commands.ts';
import {
  type ConfigurationFile,
  type ConfigurationSearch,
  findConfiguration,
  badConfiguration as problem,
} from './configuration-file.ts';
import type { Defaults, Option } from './option.ts';
import { checkValue } from './parse-arguments.ts';

/** Values whose paths are those of the file, not of the working folder. */
const PATHS: ReadonlySet<string> = new Set(['DIR', 'FILE', 'KEYFILE', 'PATH', 'PLACE']);
/** A file of settings is committed and shared; a key is not. */
const SECRET = /key|secret|password|passphrase|credential|bearer|token$/i;

type Fields = Readonly<Record<string, unknown>>;

/** The values that a file gives to the options of a command. */
export interface Configured {
  readonly path: string;
  readonly values: Defaults;
}

/**
 * Returns the values of the nearest configuration; undefined if it has none for the command. Throws
 * `InputError('bad-configuration')` for what cannot be read, unknown keys, and values that an
 * option does not take.
 */
export async function configured(
  search: ConfigurationSearch,
  command: string,
  options: readonly Option[],
): Promise<Configured | undefined> {
  const found = findConfiguration(search);
  if (found === undefined) return undefined;
  const { path } = found;
  const file = readFields(found);
  const ofCommand = isFields(file[command]) ? file[command] : {};
  const shared = Object.keys(file).filter(key => !isFields(file[key]));
  await checkKeys(path, file, shared, options);
  for (const key of Object.keys(ofCommand))
    if (!options.some(({ name }) => name === key))
      throw unknownKey(
        path,
        `${command}.${key}`,
        key,
        options.map(({ name }) => name),
      );
  const fields = { ...Object.fromEntries(shared.map(key => [key, file[key]])), ...ofCommand };
  const values = options.flatMap(option => {
    const texts = Object.hasOwn(fields, option.name)
      ? textsOf(path, option, fields[option.name])
      : [];
    return texts.length > 0 ? [[option.name, texts] as const] : [];
  });
  return values.length === 0 ? undefined : { path, values: new Map(values) };
}

/** Tells if a value names a file or folder; a `PLACE` may be a server instead. */
export const isPath = ({ value = '' }: Option, text: string): boolean =>
  PATHS.has(value) && !(value === 'PLACE' && isServerAddress(text));

function readFields({ path, text }: ConfigurationFile): Fields {
  try {
    const value: unknown = parseJson(text);
    if (isFields(value)) return value;
  } catch (error) {
    throw problem(path, `it cannot be read: ${(error as Error).message}`);
  }
  throw problem(path, 'expected one object of options');
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Refuses keys that no command knows; other commands are loaded only to tell. */
async function checkKeys(
  path: string,
  file: Fields,
  shared: readonly string[],
  options: readonly Option[],
): Promise<void> {
  const known = new Set(options.map(({ name }) => name));
  const sections = Object.keys(file).filter(key => isFields(file[key]));
  const names = commands.map(({ name }) => name);
  for (const key of sections) if (!names.includes(key)) throw unknownKey(path, key, key, names);
  if (shared.every(key => known.has(key))) return;
  for (const option of await everyOption(commands)) known.add(option);
  for (const key of shared) if (!known.has(key)) throw unknownKey(path, key, key, [...known]);
}

async function everyOption(entries: readonly CommandEntry[]): Promise<string[]> {
  const loaded = await Promise.all(entries.map(entry => entry.load()));
  return loaded.flatMap(({ command }) => command.options.map(({ name }) => name));
}

/** Returns the value of an option as the command line would give it; none for `false`. */
function textsOf(path: string, option: Option, value: unknown): string[] {
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (option.value === undefined) {
    if (typeof value === 'boolean') return value ? [''] : [];
    throw problem(path, `"${option.name}" is true or false`);
  }
  if (list.length > 1 && !option.repeatable)
    throw problem(path, `"${option.name}" takes one value, not ${list.length}`);
  return list.map(value => {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw problem(path, `"${option.name}" is a text or a number`);
    const text = String(value);
    try {
      checkValue(option, text);
    } catch (error) {
      throw problem(path, (error as Error).message);
    }
    if (!isPath(option, text)) return text;
    // It says that a folder is meant.
    return `${resolve(dirname(path), text)}${/[^/]\/$/.test(text) ? '/' : ''}`;
  });
}

function unknownKey(
  path: string,
  written: string,
  key: string,
  names: readonly string[],
): InputError {
  if (SECRET.test(key))
    return problem(
      path,
      `"${written}" is a secret, and this file may be committed`,
      'Set it in the environment, as MULTIHOP_MODEL_API_KEY',
    );
  const near = didYouMean(key, names);
  return problem(path, `"${written}" is no option of a command`, near || undefined);
}
