/**
 * Writes train questions with their evidence, one JSON object a line, for `train.py`:
 *
 *     node tools/node24/run.mjs lab/span/samples.ts OUT FILE...
 *
 * FILEs are train splits as `learn open-reader --train` reads them; the evidence is that
 * of `fact-lanes(tokens=510)` over the question's own paragraphs.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { openSamples } from '../data/open-reader-data.ts';
import { readTrainingQuestions } from '../data/training-questions.ts';

const RUN = { strategy: 'fact-lanes(tokens=510)', retriever: 'lexical', context: 'whole' };

const [out, ...files] = process.argv.slice(2);
if (out === undefined || files.length === 0) throw new Error('Usage: samples.ts OUT FILE...');
const { questions } = await readTrainingQuestions(files);
const answered = questions.filter(({ answers = [] }) => answers.length > 0);
const file = openSync(out, 'w');
let written = 0;
for await (const sample of openSamples(answered, RUN, new AbortController().signal)) {
  writeSync(file, `${JSON.stringify(sample)}\n`);
  written++;
}
closeSync(file);
process.stdout.write(`${written} questions in ${out}\n`);
