/** Lays out the help from the declarations of the commands. */
import { type Command, EXIT_CODES, type Program } from './command.ts';
import { MULTIHOP } from './commands.ts';
import type { Option } from './option.ts';
import { GLOBAL_OPTIONS } from './option.ts';
import type { Style } from './style.ts';
import { wrap, wrapBehind } from './wrap.ts';

/** Lays out two columns and wraps the second. */
export function table(rows: readonly (readonly [string, string])[], width: number): string[] {
  const left = Math.min(30, Math.max(...rows.map(([name]) => name.length)));
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, width - left - 4);
    const head =
      name.length > left
        ? [`  ${name}`, `  ${' '.repeat(left)}  ${lines[0]}`]
        : [`  ${name.padEnd(left)}  ${lines[0]}`];
    return [...head, ...lines.slice(1).map(line => `  ${' '.repeat(left)}  ${line}`)];
  });
}

/** Help of a program. */
export function generalHelp(
  { name, about, first, commands }: Program,
  version: string,
  style: Style,
  width: number,
): string {
  return [
    `${style.bold(name)} ${version}: ${about}`,
    '',
    `${style.bold('Usage')}  ${name} COMMAND [ARGUMENTS] [OPTIONS]`,
    '',
    style.bold('Commands'),
    ...table(
      [
        ...commands.map(({ name, summary }) => [name, summary] as const),
        ['help [COMMAND]', 'this, or the help of a command'],
      ],
      width,
    ),
    '',
    style.bold('Options of every command'),
    ...table([...GLOBAL_OPTIONS.map(optionRow), ['--version', 'print the version']], width),
    '',
    style.bold('Begin with'),
    ...first.map(line => `  ${line}`),
    '',
    style.bold('Exit codes'),
    ...table(
      EXIT_CODES.map(([code, meaning]) => [String(code), meaning] as const),
      width,
    ),
  ].join('\n');
}

/**
 * Help of a command; `name` is that of the program and its own. Unless `all` is wanted, a command
 * with common options shows them alone, and no notes.
 */
export function commandHelp(
  name: string,
  summary: string,
  command: Command,
  style: Style,
  width: number,
  all = true,
): string {
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', style.bold(title), ...lines];
  const options = [...command.options, ...GLOBAL_OPTIONS];
  const names = command.common?.split(' ');
  const isCommon = ({ name }: Option): boolean => names?.includes(name) ?? true;
  const common = options.filter(isCommon);
  const rest = options.filter(option => !isCommon(option));
  const rows = (shown: readonly Option[]): string[] => table(shown.map(optionRow), width);
  const more =
    all || rest.length === 0
      ? [
          ...(rest.length > 0 ? section('More options', rows(rest)) : []),
          ...(command.notes ?? []).flatMap(note => ['', ...wrap(note, width)]),
        ]
      : ['', `${rest.length} more options, and notes: ${name} --help all`];
  return [
    ...wrapBehind(`${style.bold(name)}: `, summary, width, `${name}: `.length),
    '',
    `${style.bold('Usage')}  ${usage(name, command)}`,
    ...section(
      'Arguments',
      command.positionals.length === 0
        ? []
        : table(
            command.positionals.map(({ name, summary }) => [name, summary] as const),
            width,
          ),
    ),
    ...section(rest.length > 0 ? 'Common options' : 'Options', rows(common)),
    ...more,
    ...section(
      'Examples',
      command.examples.flatMap(({ line, says }) => [`  ${style.faint(`# ${says}`)}`, `  ${line}`]),
    ),
  ].join('\n');
}

function usage(name: string, { positionals, options }: Command): string {
  const words = positionals.map(({ name, optional, repeatable }) => {
    const word = repeatable ? `${name}...` : name;
    return optional ? `[${word}]` : word;
  });
  const required = options
    .filter(({ required }) => required)
    .map(({ name, value }) => `--${name} ${value}`);
  return [
    name,
    ...words,
    ...required,
    ...(options.length > required.length ? ['[OPTIONS]'] : []),
  ].join(' ');
}

export function optionRow({
  name,
  short,
  value,
  summary,
  default: fallback,
  repeatable,
}: Option): readonly [string, string] {
  const names = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
  const more = [
    repeatable ? 'may be given several times' : '',
    fallback === undefined ? '' : `default: ${fallback}`,
  ].filter(part => part !== '');
  return [names, more.length > 0 ? `${summary} (${more.join('; ')})` : summary];
}

/**
 * Returns the first steps, or those that follow them if there is a default store. `documents` names
 * those of this folder, if there are any.
 */
export function startText(
  version: string,
  style: Style,
  store: string | undefined,
  documents: string | undefined,
): string {
  const steps: readonly (readonly [line: string, says: string])[] =
    store === undefined
      ? [
          ...(documents === undefined
            ? ([
                ['multihop demo', 'answer a three-hop question over a small corpus'],
                ['multihop ingest FOLDER', 'read your documents into a store of this folder'],
              ] as const)
            : ([
                ['multihop init', 'look at them and at models here, and write settings'],
                ['multihop ingest .', 'read them into a store of this folder'],
              ] as const)),
          ['multihop ask "QUESTION"', 'answer from that store, with evidence'],
        ]
      : [
          ['multihop ask "QUESTION"', 'answer from it, with evidence'],
          ['multihop ingest FOLDER', 'add documents, or read changed ones again'],
          ['multihop documents', 'list its documents, and what was skipped'],
          ['multihop eval --init', 'write questions of your own, to measure it by'],
        ];
  const width = Math.max(...steps.map(([line]) => line.length));
  return [
    `${style.bold(MULTIHOP.name)} ${version}: ${MULTIHOP.about}`,
    '',
    ...(documents === undefined ? [] : [`Here are ${documents}.`]),
    store === undefined
      ? 'There is no store in this folder yet. Type next:'
      : `The store of this folder is ${store}. Type next:`,
    ...steps.map(([line, says]) => `  ${line.padEnd(width)}  ${style.faint(says)}`),
    '',
    'All commands: multihop help',
  ].join('\n');
}
