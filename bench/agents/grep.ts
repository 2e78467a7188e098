/** Tools (a): grep and reading a file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { contentWords, type Tool, type ToolSet } from './tool-set.ts';

const FILES = 6;
const LINES = 4;
const WIDTH = 160;
/** Rare words in the pattern of a question. */
const RARE = 4;
const READ_LINES = 60;

interface Match {
  readonly line: number;
  readonly text: string;
  /** Distinct words that match. */
  readonly words: number;
}

/**
 * Ranks files by the distinct words that match, in the file and then in its best line, and then by
 * their matching lines, as an agent reads `grep -c`. A question becomes the alternation of those
 * `RARE` of its words that stand in the fewest files.
 */
export function grepTools(folder: string): ToolSet {
  const search: Tool = {
    name: 'grep',
    description:
      'Searches all files for an extended regular expression, ignoring case, and returns the files with most matches, with matching lines and their numbers. Search for rare words with | between them, such as retry|backoff.',
    properties: { pattern: { type: 'string', maxLength: 120 } },
    async run({ pattern }) {
      const found = await ranked(folder, String(pattern));
      const shown = found.map(({ path, lines, best }) => {
        const written = best.map(({ line, text }) => `${line}: ${text.slice(0, WIDTH)}`);
        return `${path} (${lines} lines)\n${written.join('\n')}`;
      });
      const hits = found.map(({ path, best }) => ({ path, line: best[0]!.line }));
      return { text: shown.join('\n') || 'No matches.', hits };
    },
  };
  const read: Tool = {
    name: 'read_file',
    description: `Reads ${READ_LINES} lines of a file, from 10 lines before a line on.`,
    properties: { path: { type: 'string', maxLength: 160 }, line: { type: 'integer' } },
    optional: ['line'],
    async run({ path, line }) {
      const file = resolve(folder, String(path));
      if (relative(folder, file).startsWith('..')) throw new Error('no such file');
      const from = Math.max(0, Number(line ?? 1) - 11);
      const lines = (await readFile(file, 'utf8')).split('\n');
      return { text: lines.slice(from, from + READ_LINES).join('\n'), hits: [] };
    },
  };
  return {
    label: 'grep and read file',
    search,
    read,
    async inputsOf(question) {
      const words = await rareWords(folder, question);
      return words.length === 0 ? [] : [{ pattern: words.map(escaped).join('|') }];
    },
    close: async () => {},
  };
}

const counts = new Map<string, Promise<number>>();

/** Returns the words of a question that stand in the fewest files of a folder, the rarest first. */
export async function rareWords(folder: string, question: string): Promise<string[]> {
  const filesWith = (word: string): Promise<number> => {
    const key = `${folder} ${word}`;
    const known = counts.get(key) ?? countOf(grep(folder, '-rliF', word));
    counts.set(key, known);
    return known;
  };
  const words = contentWords(question).map(async word => ({ word, files: await filesWith(word) }));
  return (await Promise.all(words))
    .filter(({ files }) => files > 0)
    .toSorted((a, b) => a.files - b.files)
    .slice(0, RARE)
    .map(({ word }) => word);
}

async function countOf(rows: AsyncGenerator<string>): Promise<number> {
  let count = 0;
  for await (const _ of rows) count++;
  return count;
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

interface Found {
  readonly path: string;
  lines: number;
  readonly words: Set<string>;
  /** Lines with most distinct words, the earlier first. */
  best: readonly Match[];
}

async function ranked(folder: string, pattern: string): Promise<Found[]> {
  const expression = new RegExp(pattern, 'gi');
  const files = new Map<string, Found>();
  for await (const row of grep(folder, '-rniIE', pattern)) {
    const [, path, line, text] = /^(.*?):(\d+):(.*)$/s.exec(row) ?? [];
    if (path === undefined) continue;
    const words = [...new Set(text!.match(expression)?.map(word => word.toLowerCase()))];
    const found = files.get(path) ?? { path, lines: 0, words: new Set(), best: [] };
    found.lines++;
    for (const word of words) found.words.add(word);
    found.best = [...found.best, { line: Number(line), text: text!.trim(), words: words.length }]
      .toSorted((a, b) => b.words - a.words || a.line - b.line)
      .slice(0, LINES);
    files.set(path, found);
  }
  const keys = ({ words, best, lines }: Found): number[] => [words.size, best[0]!.words, lines];
  return [...files.values()]
    .toSorted((a, b) => {
      const [x, y] = [keys(a), keys(b)];
      const at = x.findIndex((key, n) => key !== y[n]);
      return at < 0 ? (a.path < b.path ? -1 : 1) : y[at]! - x[at]!;
    })
    .slice(0, FILES);
}

/** Yields the lines that grep prints, with paths below the folder; none if it finds nothing. */
async function* grep(folder: string, flags: string, pattern: string): AsyncGenerator<string> {
  const child = spawn('grep', [flags, '-e', pattern, '.'], {
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = text(child.stderr);
  const ended = once(child, 'close');
  for await (const row of createInterface({ input: child.stdout })) yield row.replace(/^\.\//, '');
  const [code] = await ended;
  if (code > 1) throw new Error(await said);
}
