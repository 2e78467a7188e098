/** Finds the words that may follow on the command line, for completion by the shell. */
import { contexts } from '../context/contexts.ts';
import { chunkers } from '../core/corpus/chunk.ts';
import type { Member } from '../core/naming/family.ts';
import { dataSets } from '../documents/data-sets.ts';
import { formats } from '../documents/formats.ts';
import { answerControls } from '../evaluation/answer-controls.ts';
import { measures } from '../evaluation/measures.ts';
import { readers } from '../readers/readers.ts';
import { retrievers } from '../search/retrievers.ts';
import { textTemplates } from '../search/vectors/text-templates.ts';
import { strategies } from '../strategies/strategies.ts';
import type { Command, CommandEntry, Positional } from './command.ts';
import type { Option } from './option.ts';
import { GLOBAL_OPTIONS } from './option.ts';

type Named = readonly Pick<Member<unknown>, 'name'>[];

/** Names that the value of an option may have. */
const VALUES: Readonly<Record<string, Named>> = {
  strategy: strategies.members,
  retriever: retrievers.members,
  context: contexts.members,
  reader: readers.members,
  measure: measures.members,
  control: answerControls.members,
  chunker: chunkers.members,
  template: textTemplates.members,
  format: formats,
};

/** Names that an argument may have. */
const ARGUMENTS: Readonly<Record<string, Named>> = { DATASET: dataSets };

/**
 * Returns the words that may stand for the last word, which may be empty; none where a path or a
 * free text is expected, which the shell completes itself.
 *
 * @param words the words after `multihop`, that under the cursor last
 */
export async function candidates(
  commands: readonly CommandEntry[],
  words: readonly string[],
): Promise<string[]> {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const at = before.findIndex(word => !word.startsWith('-'));
  const all = await candidatesAt(commands, before, at, last);
  return all.filter(word => word.startsWith(last)).sort();
}

async function candidatesAt(
  commands: readonly CommandEntry[],
  before: readonly string[],
  at: number,
  last: string,
): Promise<readonly string[]> {
  const names = commands.map(({ name }) => name);
  if (at < 0) return last.startsWith('-') ? dashed(GLOBAL_OPTIONS) : [...names, 'help'];
  if (before[at] === 'help') return names;
  const entry = commands.find(({ name }) => name === before[at]);
  if (!entry) return [];
  const { command } = await entry.load();
  return within(command, before.slice(at + 1), last);
}

function within(
  { options, positionals }: Pick<Command, 'options' | 'positionals'>,
  before: readonly string[],
  last: string,
): readonly string[] {
  const known = [...options, ...GLOBAL_OPTIONS];
  const optionOf = (word: string | undefined): Option | undefined =>
    known.find(({ name, short }) => word === `--${name}` || (short && word === `-${short}`));
  const open = optionOf(before.at(-1));
  if (open?.value !== undefined) return namesOf(VALUES[open.name]);
  if (last.startsWith('-')) {
    const typed = new Set(before.map(word => optionOf(word)));
    return dashed(known.filter(option => option.repeatable || !typed.has(option)));
  }
  const free = before.filter(
    (word, at) => !word.startsWith('-') && optionOf(before[at - 1])?.value === undefined,
  );
  return argumentsOf(positionals[free.length]);
}

/** An argument that is one of several words lists them in its summary: "one of a, b; ...". */
function argumentsOf(positional: Positional | undefined): readonly string[] {
  if (!positional) return [];
  const listed = /^one of ([\w-]+(?:, [\w-]+)*)/.exec(positional.summary)?.[1];
  return listed?.split(', ') ?? namesOf(ARGUMENTS[positional.name]);
}

const namesOf = (members: Named | undefined): string[] => (members ?? []).map(({ name }) => name);

const dashed = (options: readonly Option[]): string[] => options.map(({ name }) => `--${name}`);
