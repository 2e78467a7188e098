/**
 * Prints what the rules of `bridge-claims` lose on MultiHop-RAG: the recall of the fact classifier
 * on gold facts, the claims of the sentences of gold articles, and the F1 of question types.
 *
 *     MULTIHOP_DATA=FOLDER npm run -s node24 -- tools/claims.ts
 */
import { join } from 'node:path';
import { sentenceSpans } from '../src/core/text/sentences.ts';
import { readMultihopRag } from '../src/documents/data-sets/multihop-rag.ts';
import type { Example, Score } from '../src/evaluation/example.ts';
import { measure } from '../src/evaluation/measures.ts';
import { valueOfScores } from '../src/evaluation/value-of-scores.ts';
import { entitiesOf } from '../src/planning/claims/entities.ts';
import { factScore, isFact } from '../src/planning/claims/facts.ts';
import { writeClaim } from '../src/planning/claims/write-claim.ts';
import { ask, ingest } from '../src/session/verbs.ts';

const folder = process.env['MULTIHOP_DATA'];
if (folder === undefined)
  throw new Error('Set MULTIHOP_DATA to the folder that holds multihop-rag, and run again');
const file = (name: string): string => join(folder, 'multihop-rag', name);
const { documents, examples } = await readMultihopRag(
  file('corpus.json'),
  file('MultiHopRAG.dev.json'),
);
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
const share = <T>(all: readonly T[], holds: (one: T) => boolean): string =>
  `${percent(all.filter(holds).length, all.length)} of ${all.length}`;

const RULES = { minTokens: 18 };
const gold = examples.flatMap(example => example.gold.flatMap(({ fact }) => fact ?? []));
const kept = (text: string): boolean => isFact(text, RULES);
console.log(`Gold facts kept: ${share(gold, kept)}, distinct ${share([...new Set(gold)], kept)}`);
console.log(`Gold facts of score 1 or more: ${share(gold, text => factScore(text) >= 1)}`);

const sentences = documents.flatMap(document => {
  const spans = sentenceSpans(document.text);
  const entities = entitiesOf(document, spans);
  return spans.map(([start, end]) => {
    const sentence = document.text.slice(start, end);
    const about = String(document.metadata['source'] ?? '');
    const source = { sentence, start, title: document.title, about, entities };
    return { sentence, claim: writeClaim(source, word => word.length) };
  });
});
console.log(`Sentences kept as facts: ${share(sentences, ({ sentence }) => kept(sentence))}`);
const facts = sentences.filter(({ sentence }) => kept(sentence));
const prefixed = facts.filter(({ sentence, claim }) => claim.text.endsWith(`: ${sentence}`));
console.log(
  `Claims with the title's entity before them: ${share(facts, one => prefixed.includes(one))}`,
);
console.log(
  `Claims with a pronoun replaced: ${share(facts, one => one.claim.text !== one.sentence && !prefixed.includes(one))}`,
);
console.log(`Claims not verified: ${share(facts, ({ claim }) => !claim.verified)}`);
console.log(`Claims without a target: ${share(facts, ({ claim }) => claim.target === '')}`);

const engine = await ingest(documents);
const predicted = new Map<Example, string | undefined>();
const members = { strategy: 'bridge-claims', reader: 'evidence-only' };
const totals = ['weighted', 'macro'].map(averaging => {
  const by = measure(`TypeF1(${averaging})`);
  return { averaging, by, scores: [] as (Score | undefined)[] };
});
const records = { text: () => '' };
for (const example of examples) {
  const trace = await ask(example.question.text, { engine, ...members });
  predicted.set(example, trace.answer.questionType);
  for (const { by, scores } of totals) scores.push(by.score(example, trace, records));
}
const unanswerable = examples.filter(({ type }) => type === 'null');
console.log(
  `Answerable questions taken for null: ${share(
    examples.filter(example => !unanswerable.includes(example)),
    example => predicted.get(example) === 'null',
  )}`,
);
/** F1 of the paper's model by type; the counts of its last two types are exchanged there. */
const PUBLISHED = { inference: 0.89, comparison: 0.76, temporal: 0.77, null: 0.73 };
for (const [type, published] of Object.entries(PUBLISHED)) {
  const own = examples.filter(example => example.type === type);
  const named = examples.filter(example => predicted.get(example) === type);
  const hits = named.filter(example => example.type === type).length;
  const f1 = hits === 0 ? 0 : (2 * hits) / (own.length + named.length);
  console.log(`${type}: F1 ${f1.toFixed(2)} of ${own.length} (published ${published})`);
}
for (const { averaging, by, scores } of totals)
  console.log(
    `All types: TypeF1(${averaging}) ${valueOfScores(by, scores)!.value.toFixed(2)} (published 0.79)`,
  );
