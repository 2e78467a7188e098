/** Runs the command line as a function of its words, streams, environment and signal. */
import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/naming/nearest.ts';
import { monotonicClock } from '../platform/clock.ts';
import { thisPackage } from '../platform/package-root.ts';
import type { CommandEntry, Program, Terminal } from './command.ts';
import { MULTIHOP } from './commands.ts';
import { parseConfigured } from './configured-arguments.ts';
import { Consent } from './consent.ts';
import { nearestStore } from './default-store.ts';
import { reportFailure } from './failure.ts';
import { commandHelp, generalHelp, startText } from './help-text.ts';
import { runWithConsent } from './named-addresses.ts';
import { Output, type Sink } from './output.ts';
import type { Environment } from './style.ts';

export interface Surroundings {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  /** See `CommandContext`. */
  readonly terminal?: Terminal;
  readonly env?: Environment;
  /** Those of multihop if missing. */
  readonly program?: Program;
  /** The working folder, where the configuration and the default store are looked for. */
  readonly folder?: string;
  /** Aborts when the user interrupts. */
  readonly signal?: AbortSignal;
  /** Milliseconds after an abort at which a command is left that has not ended; none if missing. */
  readonly graceMs?: number;
  /** See `CommandContext`. */
  readonly listen?: () => void;
  /** Milliseconds, by which progress is drawn; those of this machine if missing. */
  readonly clock?: () => number;
  /** Time at which the command began, on the clock of `monotonicClock`; now if missing. */
  readonly startedAt?: number;
}

async function* nothing(): AsyncGenerator<string, void, void> {}

/** Runs a command and returns its exit code; see `EXIT_CODES`. Never throws. */
export async function main(words: readonly string[], around: Surroundings): Promise<number> {
  const { env = {}, startedAt = monotonicClock(), program = MULTIHOP } = around;
  const { commands } = program;
  const signal = around.signal ?? new AbortController().signal;
  const output = new Output({ ...around, env, ...looks(words) });
  let { name } = program;
  try {
    const found = findCommand(words, commands);
    if (found === 'version')
      return print(output, { version: thisPackage().version }, thisPackage().version);
    if (found === 'help')
      return print(
        output,
        helpObject(commands),
        generalHelp(program, thisPackage().version, output.style, output.width),
      );
    if (found === 'start') {
      const { version } = thisPackage();
      const folder = around.folder ?? process.cwd();
      const store = nearestStore(folder);
      const { filesText, foundFiles } = await import('./found-files.ts');
      const files = store === undefined ? await foundFiles(folder) : undefined;
      const text = startText(version, output.style, store, files && filesText(files));
      return print(output, helpObject(commands), text);
    }
    const command = found.entry.name;
    name = `${program.name} ${command}`;
    const { command: loaded } = await found.entry.load();
    const folder = around.folder ?? process.cwd();
    const { stdin = nothing(), listen = () => {}, terminal } = around;
    const consent = new Consent(env, output, terminal);
    const { positionals, options } = await parseConfigured(found.words, command, loaded, {
      folder,
      env,
      output,
      consent,
    });
    if (options.flag('help'))
      return print(
        output,
        helpObject(commands),
        commandHelp(
          name,
          found.entry.summary,
          loaded,
          output.style,
          output.width,
          positionals.includes('all'),
        ),
      );
    const world = { commands, output, signal, listen, env, startedAt, stdin, terminal };
    const run = runWithConsent(loaded, { ...world, positionals, options }, consent);
    if (around.graceMs === undefined) return await run;
    return await untilGrace(run, signal, Math.max(around.graceMs, loaded.graceMs ?? 0));
  } catch (error) {
    return reportFailure(error, { output, signal, name, debug: Boolean(env['MULTIHOP_DEBUG']) });
  }
}

/** Waits for a command, but not longer than `ms` after an abort: then throws its reason. */
async function untilGrace<T>(run: Promise<T>, signal: AbortSignal, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const left = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      timer = setTimeout(() => reject(signal.reason), ms);
    });
  });
  try {
    return await Promise.race([run, left]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The options that shape the output are wanted before a command is known: its errors obey them too.
 */
function looks(words: readonly string[]): { json: boolean; quiet: boolean; verbose: boolean } {
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  const has = (...patterns: RegExp[]): boolean =>
    before.some(word => patterns.some(pattern => pattern.test(word)));
  return {
    json: has(/^--jsonl?$/),
    quiet: has(/^--quiet$/, /^-[hqv]*q[hqv]*$/),
    verbose: has(/^--verbose$/, /^-[hqv]*v[hqv]*$/),
  };
}

function findCommand(
  words: readonly string[],
  commands: readonly CommandEntry[],
): 'start' | 'help' | 'version' | { entry: CommandEntry; words: readonly string[] } {
  if (words.length === 0) return commands === MULTIHOP.commands ? 'start' : 'help';
  const at = words.findIndex(word => !word.startsWith('-'));
  const leading = at < 0 ? words : words.slice(0, at);
  if (leading.some(word => word === '--version' || word === '-V')) return 'version';
  if (at < 0) {
    const strange = leading.find(
      word => !['--help', '-h', '--json', '--quiet', '-q', '--verbose', '-v'].includes(word),
    );
    if (strange !== undefined)
      throw new InputError('unknown-option', `Unknown option ${strange}`, {
        expected: 'a command, --help or --version',
      });
    return 'help';
  }
  const name = words[at]!;
  if (name === 'version') return 'version';
  if (name !== 'help')
    return { entry: entryOf(name, commands), words: [...leading, ...words.slice(at + 1)] };
  const [about, ...more] = words.slice(at + 1).filter(word => !word.startsWith('-'));
  if (about === undefined) return 'help';
  return { entry: entryOf(about, commands), words: ['--help', ...more] };
}

function entryOf(name: string, commands: readonly CommandEntry[]): CommandEntry {
  const entry = commands.find(candidate => candidate.name === name);
  if (entry) return entry;
  const names = [...commands.map(candidate => candidate.name), 'help'];
  const near = didYouMean(name, names);
  throw new InputError('unknown-command', `Unknown command "${name}"`, {
    expected: `one of ${names.join(', ')}`,
    hint: near || undefined,
  });
}

function print(output: Output, object: unknown, text: string): number {
  if (output.json) output.object(object);
  else output.line(text);
  return 0;
}

function helpObject(commands: readonly CommandEntry[]): unknown {
  return {
    version: thisPackage().version,
    commands: commands.map(({ name, summary }) => ({ name, summary })),
  };
}
