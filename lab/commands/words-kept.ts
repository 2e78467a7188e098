/** `words-kept PATH...`: words of files that other readers find and our documents do not hold. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command, CommandContext } from '../../src/cli/command.ts';
import { keptTable } from '../words-kept/kept-table.ts';
import { type LostWords, lostWords } from '../words-kept/lost-words.ts';
import { otherReader, otherText } from '../words-kept/other-reader.ts';
import { type ReadFile, readFiles } from '../words-kept/read-files.ts';

export interface Compared extends ReadFile, LostWords {
  /** Says why the other program does not read the file. */
  readonly unread?: string;
}

const NOTHING: LostWords = { words: 0, lost: 0, cut: 0, beyond: 0, runs: [] };

export const command: Command = {
  positionals: [{ name: 'PATH', summary: 'a file or folder', repeatable: true }],
  options: [
    {
      name: 'cache',
      value: 'DIR',
      access: 'keeps',
      summary: 'keep there what the other readers find',
      default: 'a folder for temporary files',
    },
    {
      name: 'runs',
      value: 'N',
      type: 'integer',
      min: 0,
      default: '5',
      summary: 'the longest lost runs to show of a file',
    },
  ],
  notes: [
    'The other readers are the programs pdftotext (PDF), pandoc (Markdown, reStructuredText, DOCX, EPUB; Python unzips the books that it refuses) and mandoc (manual pages), the HTML of Asciidoctor, every text of an HTML page, and the bare text of CSV. Words are runs of letters and digits without case and accents; their order does not count. A word that the document holds joined or split otherwise is counted apart.',
    '--json prints { files: [{ path, titles, skipped, ms, words, lost, cut, beyond, runs, text }] }.',
  ],
  examples: [{ line: 'words-kept manuals --runs 2', says: 'files that lose most come first' }],
  run: runWordsKept,
};

async function runWordsKept({ positionals, options, output }: CommandContext): Promise<number> {
  const cache = options.text('cache') ?? join(tmpdir(), 'multihop-words-kept');
  const shownRuns = Number(options.text('runs') ?? 5);
  const read: ReadFile[] = [];
  for await (const file of readFiles(positionals)) read.push(file);
  const files: Compared[] = [];
  for (const file of read) files.push(await compare(file, cache));
  if (output.json) output.object({ files });
  else {
    for (const file of files.toSorted((a, b) => shareLost(b) - shareLost(a)))
      for (const line of fileLines(file, shownRuns)) output.line(line);
    for (const line of keptTable(files)) output.line(line);
  }
  return 0;
}

async function compare(file: ReadFile, cache: string): Promise<Compared> {
  if (!otherReader(file.path)) return { ...file, ...NOTHING, unread: 'no other reader' };
  try {
    return { ...file, ...lostWords(await otherText(file.path, cache), file.text) };
  } catch (error) {
    return { ...file, ...NOTHING, unread: String(error).slice(0, 200) };
  }
}

const shareLost = ({ lost, words }: Compared): number => lost / Math.max(1, words);

function fileLines({ path, skipped, unread, ms, ...file }: Compared, shown: number): string[] {
  const { words, lost, cut, beyond, runs } = file;
  const notes = [
    ...skipped.map(reason => `skipped: ${reason}`),
    ...(unread === undefined ? [] : [`not compared: ${unread}`]),
    ...(ms > 2000 ? [`${(ms / 1000).toFixed(1)} s`] : []),
    ...(lost > 0 ? runs.slice(0, shown) : []),
  ];
  if (notes.length === 0) return [];
  const share = ((lost / Math.max(1, words)) * 100).toFixed(1);
  return [
    `${path}: ${share} % lost, ${lost} of ${words} words; ${cut} cut otherwise; ${beyond} beyond`,
    ...notes.map(note => `  ${note}`),
  ];
}
