/** `expected-pages FOLDER`: paragraphs kept of pages whose main text is stated beside them. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Command, CommandContext } from '../../src/cli/command.ts';
import { InputError } from '../../src/core/errors.ts';
import { type JudgedPage, judgePage, pagesIn } from '../words-kept/expected-pages.ts';

/** Words beyond the expected text, by page. */
type Beyond = Readonly<Record<string, number>>;

export const command: Command = {
  positionals: [
    { name: 'FOLDER', summary: 'holds NAME/source.html and NAME/expected.html for each page' },
  ],
  options: [
    {
      name: 'against',
      value: 'FILE',
      access: 'read',
      summary: 'print the pages that keep more words beyond the expected text than this file says',
    },
    { name: 'write', value: 'FILE', access: 'writes', summary: 'write such a file' },
  ],
  notes: [
    'The pages of Readability stand in the Go module github.com/go-shiori/go-readability: go mod download -json github.com/go-shiori/go-readability@latest prints its folder, which holds test-pages.',
  ],
  examples: [
    {
      line: 'expected-pages test-pages --against lab/words-kept/readability-beyond.json',
      says: 'what is lost on each page, and how much more is kept than before',
    },
  ],
  run: runExpectedPages,
};

async function runExpectedPages({ positionals, options, output }: CommandContext): Promise<number> {
  const folder = positionals[0]!;
  const pages: JudgedPage[] = [];
  for (const name of pagesIn(folder)) pages.push(await judgePage(folder, name));
  if (pages.length === 0)
    throw new InputError('no-pages', `${JSON.stringify(folder)} holds no expected pages`, {
      expected: 'folders with source.html and expected.html',
    });
  if (output.json) output.object({ pages });
  else for (const line of pages.flatMap(lossLines)) output.line(line);
  const against = options.text('against');
  const before = against === undefined ? undefined : beyondIn(against);
  if (!output.json) for (const line of sumLines(pages, before)) output.line(line);
  const file = options.text('write');
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(beyondOf(pages), null, 2)}\n`);
  return 0;
}

const beyondOf = (pages: readonly JudgedPage[]): Beyond =>
  Object.fromEntries(pages.map(({ name, beyond }) => [name, beyond]));

const beyondIn = (file: string): Beyond => JSON.parse(readFileSync(file, 'utf8'));

const lossLines = ({ name, paragraphs, lost }: JudgedPage): string[] =>
  lost.length === 0
    ? []
    : [
        `${name}: ${lost.length} of ${paragraphs} paragraphs lost`,
        ...lost.map(text => `  ${text.trim().replace(/\s+/g, ' ').slice(0, 160)}`),
      ];

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

function sumLines(pages: readonly JudgedPage[], before: Beyond | undefined): string[] {
  const paragraphs = sum(pages.map(page => page.paragraphs));
  const lost = sum(pages.map(page => page.lost.length));
  const whole = pages.filter(page => page.lost.length === page.paragraphs && page.paragraphs > 0);
  const beyond = sum(pages.map(page => page.beyond));
  const lines = [
    `${pages.length} pages: ${paragraphs - lost} of ${paragraphs} paragraphs kept, ${whole.length} pages lost whole`,
    `${beyond} words beyond the ${sum(pages.map(page => page.expectedWords))} of the expected texts`,
  ];
  if (!before) return lines;
  const known = pages.filter(({ name }) => before[name] !== undefined);
  const then = sum(known.map(({ name }) => before[name]!));
  const now = sum(known.map(page => page.beyond));
  const grown = known
    .map(({ name, beyond: words }) => ({ name, words, more: words - before[name]! }))
    .filter(({ more }) => more > 0)
    .sort((a, b) => b.more - a.more);
  return [
    ...lines,
    ...grown.map(({ name, words, more }) => `  ${name}: ${more} more, ${words} in all`),
    `${now} against ${then} before: ${(((now - then) / then) * 100).toFixed(1)} %`,
  ];
}
