/**
 * Writes passages from which a language model generates claims, and questions about them: the
 * passages with a gold fact of 50 seeded questions of MultiHop-RAG, and 500 others.
 *
 *     MULTIHOP_DATA=FOLDER npm run -s node24 -- tools/claim-passages.ts PASSAGES QUESTIONS
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chunkers } from '../src/core/corpus/chunk.ts';
import { readMultihopRag } from '../src/documents/data-sets/multihop-rag.ts';
import { sampleQuestions } from '../src/evaluation/question-sample.ts';

const [passagesFile, questionsFile] = process.argv.slice(2);
const data = process.env['MULTIHOP_DATA'];
if (data === undefined || questionsFile === undefined)
  throw new Error('Set MULTIHOP_DATA, and name the two files to write');
const folder = join(data, 'multihop-rag');
const { documents, examples } = await readMultihopRag(
  join(folder, 'corpus.json'),
  join(folder, 'MultiHopRAG.dev.json'),
);
const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();
// Whole sentences: those that an overlap cuts would be facts twice.
const chunker = chunkers.create('sentences(per=8)');
const passages = documents.flatMap(document =>
  chunker.chunk(document).map(({ id, text }) => {
    return { id, title: document.title, text, ...document.metadata };
  }),
);
const texts = passages.map(({ text }) => folded(text));
const sampled = sampleQuestions(examples, 50).examples;
const gold = new Set<number>();
const questions = sampled.map(({ id, type, question, answers, gold: facts }) => {
  const evidence = facts.flatMap(({ fact = '' }) => {
    const at = fact === '' ? -1 : texts.findIndex(text => text.includes(folded(fact)));
    if (at >= 0) gold.add(at);
    return at >= 0 ? [folded(fact)] : [];
  });
  return { id, type, question: question.text, answer: answers[0] ?? null, evidence };
});
const others = [...passages.keys()].filter(at => !gold.has(at));
const chosen = [...gold, ...sampleQuestions(others, 500).examples].sort((a, b) => a - b);
const linesOf = (values: readonly object[]): string =>
  values.map(value => `${JSON.stringify(value)}\n`).join('');
writeFileSync(passagesFile!, linesOf(chosen.map(at => passages[at]!)));
writeFileSync(questionsFile, linesOf(questions));
console.log(`${chosen.length} passages, ${gold.size} of them with a gold fact; 50 questions`);
