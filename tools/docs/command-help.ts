/** Prints the help of commands for the documentation; what several of them share stands once. */
import type { Command } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { commandHelp, optionRow, table } from '../../src/cli/help-text.ts';
import { GLOBAL_OPTIONS, type Option } from '../../src/cli/option.ts';
import { styleOf } from '../../src/cli/style.ts';
import { wrap } from '../../src/cli/wrap.ts';

const WIDTH = 100;

const loaded = await Promise.all(
  commands.map(async ({ name, summary, load }) => ({ name, summary, ...(await load()) })),
);
const all: readonly Command[] = loaded.map(({ command }) => command);

const rowOf = (option: Option): string => optionRow(option).join('\n');
/** Shared options by name: of those that differ under one name the one that most commands have. */
const shared = new Map<string, Option>();
const every = all.flatMap(({ options }) => options);
for (const [name, options] of Map.groupBy(every, option => option.name)) {
  const alike = [...Map.groupBy(options, rowOf).values()].sort((a, b) => b.length - a.length);
  if (alike[0]!.length > 1) shared.set(name, alike[0]![0]!);
}
const notes = Map.groupBy(
  all.flatMap(command => command.notes ?? []),
  note => note,
);
const isShared = (option: Option): boolean => {
  const known = shared.get(option.name);
  return known !== undefined && rowOf(known) === rowOf(option);
};
const isSharedNote = (note: string): boolean => notes.get(note)!.length > 1;

const plain = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;

/** Prints the help of a command, and names the shared options that it has. */
export function printCommand(name: string): string {
  const { summary, command } = loaded.find(each => each.name === name)!;
  const also = command.options.filter(isShared).map(option => `\`--${option.name}\``);
  const rest = { ...command, notes: (command.notes ?? []).filter(note => !isSharedNote(note)) };
  const options = command.options.filter(option => !isShared(option));
  const text = commandHelp(`multihop ${name}`, summary, rest, styleOf(false), WIDTH, options);
  if (also.length === 0) return plain(text);
  const line = `Also [shared options](#shared-options): ${also.join(', ')}.`;
  return `${plain(text)}\n\n${wrap(line, WIDTH).join('\n')}`;
}

/** Prints the options that several commands have, and the notes of their helps. */
export function printShared(): string {
  const text = table([...shared.values(), ...GLOBAL_OPTIONS].map(optionRow), WIDTH);
  const said = [...notes.keys()].filter(isSharedNote).flatMap(note => ['', ...wrap(note, WIDTH)]);
  return plain([...text, ...said].join('\n'));
}
