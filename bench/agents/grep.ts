/** Tools (a): grep and reading a file. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
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
  readonly words: readonly string[];
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
      const text = found.map(([path, lines]) => {
        const shown = bestOf(lines).slice(0, LINES);
        const written = shown.map(({ line, text }) => `${line}: ${text.slice(0, WIDTH)}`);
        return `${path} (${lines.length} lines)\n${written.join('\n')}`;
      });
      const hits = found.map(([path, lines]) => ({ path, line: bestOf(lines)[0]!.line }));
      return { text: text.join('\n') || 'No matches.', hits };
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
    const known = counts.get(key) ?? grep(folder, ['-rliF', word]).then(({ length }) => length);
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

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const bestOf = (matches: readonly Match[]): readonly Match[] =>
  matches.toSorted((a, b) => b.words.length - a.words.length);

async function ranked(folder: string, pattern: string): Promise<[string, Match[]][]> {
  const expression = new RegExp(pattern, 'gi');
  const files = new Map<string, Match[]>();
  for (const row of await grep(folder, ['-rniIE', pattern])) {
    const [, path, line, text] = /^(.*?):(\d+):(.*)$/s.exec(row) ?? [];
    if (path === undefined) continue;
    const found = text!.match(expression)?.map(word => word.toLowerCase()) ?? [];
    const matches = files.get(path) ?? [];
    matches.push({ line: Number(line), text: text!.trim(), words: [...new Set(found)] });
    files.set(path, matches);
  }
  const distinct = (matches: readonly Match[]): number =>
    new Set(matches.flatMap(({ words }) => words)).size;
  return [...files]
    .map(([path, matches]) => ({
      path,
      matches,
      words: distinct(matches),
      lines: matches.length,
      best: Math.max(...matches.map(({ words }) => words.length)),
    }))
    .toSorted(
      (a, b) =>
        b.words - a.words || b.best - a.best || b.lines - a.lines || (a.path < b.path ? -1 : 1),
    )
    .slice(0, FILES)
    .map(({ path, matches }) => [path, matches]);
}

/** Returns the lines that grep prints, with paths below the folder; none if it finds nothing. */
const grep = (folder: string, words: readonly string[]): Promise<string[]> =>
  new Promise((done, fail) => {
    const options = { cwd: folder, maxBuffer: 2 ** 29, env: { ...process.env, LC_ALL: 'C' } };
    const [flags, pattern] = words;
    execFile('grep', [flags!, '-e', pattern!, '.'], options, (error, out, said) => {
      if (error && error.code !== 1) fail(new Error(said || error.message));
      else
        done(
          out
            .split('\n')
            .filter(row => row !== '')
            .map(row => row.replace(/^\.\//, '')),
        );
    });
  });
