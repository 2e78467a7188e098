/** Writes a file of example questions, for the user to replace. */
import { writeFileSync } from 'node:fs';
import { InputError } from '../core/errors.ts';
import type { CommandContext } from './command.ts';

const FILE = 'questions.jsonl';

/** One question of each kind that `eval jsonl` reads; the page on evaluation lists their fields. */
const TEMPLATE: readonly object[] = [
  {
    id: 'one-hop',
    question: 'Replace this: a question that one passage answers',
    answer: 'the answer',
    answer_aliases: ['another way to write it'],
    type: 'one-hop',
    evidence: ['Replace this by words copied from the passage that answers it'],
  },
  {
    id: 'two-hop',
    question: 'Replace this: a question that needs two documents',
    answer: 'the answer',
    type: 'multi-hop',
    evidence: [
      { text: 'Words copied from the first document', document: 'its id or title' },
      { text: 'Words copied from the second document', document: 'its id or title' },
    ],
  },
  {
    id: 'unanswerable',
    question: 'Replace this: a question that the documents do not answer',
    answer: null,
  },
];

/** Writes the template. Throws `InputError('file-exists')`: questions are work. */
export function writeTemplate({ options, output }: CommandContext): number {
  const path = options.text('questions') ?? FILE;
  const lines = TEMPLATE.map(question => `${JSON.stringify(question)}\n`);
  try {
    writeFileSync(path, lines.join(''), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new InputError('file-exists', `The file ${JSON.stringify(path)} exists already`, {
      expected: 'a new file for the template',
      hint: 'Name another one: multihop eval --init --questions FILE',
    });
  }
  if (output.json) output.object({ questions: path });
  else {
    output.line(`Written: ${path}, ${TEMPLATE.length} questions to replace by your own. Then:`);
    output.line(`  multihop eval jsonl --store DIR --questions ${path}`);
  }
  return 0;
}
