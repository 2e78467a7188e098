/**
 * Evaluates a strategy on documents and questions of one's own beside controls at equal cost:
 * `node evaluate.ts [DOCUMENTS] [QUESTIONS]`. Prints the report of `multihop eval`.
 */
import { type Example, openStore } from 'multihop';
import { evaluate, measure, textReport } from 'multihop/evaluation';
import { readDataSet } from 'multihop/formats';

const [, , corpus = 'documents', questions = 'questions.jsonl'] = process.argv;
const { documents, examples } = await readDataSet('jsonl', { corpus, questions });
await using store = await openStore('ferries.store');
await store.ingest(documents);
const texts = new Map(documents.map(({ id, text }) => [id, text]));

// Equal limits for all rows, so that none wins by reading more. A control keeps the first hits of
// one search, of sentences or of passages.
const control = 'equal-budget-top-k';
const rows = [
  { id: 'hops', strategy: 'fact-lanes', retriever: 'lexical' },
  { id: 'sentences', strategy: control, retriever: 'lexical(unit=sentence)' },
  { id: 'passages', strategy: control, retriever: 'lexical' },
].map(row => ({
  ...{ ...row, context: 'sentences', reader: 'combined-reader' },
  budget: { contextTokens: 60 },
}));

const run = evaluate({
  ...{ dataset: 'own documents', examples, rows },
  ask: async ({ id: _, ...row }, { id, question }: Example) =>
    store.ask(question.text, { ...row, id, answerAt: 0 }),
  measures: ['FactRecall', 'AllFacts', 'QaAccuracy', 'ContextTokens'].map(name => measure(name)),
  records: { text: id => texts.get(id) ?? '' },
});
let step = await run.next();
while (!step.done) step = await run.next();
console.log(textReport(step.value.result));
