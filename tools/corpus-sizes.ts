/**
 * Prints Recall@5 and AllRecall@5 of the pooled questions of MuSiQue, HotpotQA and 2WikiMultiHopQA
 * over corpora of growing size: their own, and with further passages of the same set's files.
 *
 *     MULTIHOP_DATA=FOLDER npm run -s node24 -- tools/corpus-sizes.ts [musique|hotpotqa|2wiki]
 *       [MODEL|replayed CASSETTE]
 *
 * Rows are BM25, the default, and for MuSiQue the ceiling of gold sub-questions that are completed
 * by gold answers: each is searched by BM25, and their documents are taken in turns. With a model,
 * whose replies CASSETTE keeps, the largest corpus is also asked with one call a question.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from '../src/core/corpus/document.ts';
import { inParallel } from '../src/core/in-parallel.ts';
import { idOf, inTurns } from '../src/core/ranking/in-turns.ts';
import type { Trace } from '../src/core/trace/trace.ts';
import { readDataSet } from '../src/documents/data-sets.ts';
import type { DataSet, Example, Score } from '../src/evaluation/example.ts';
import { measure } from '../src/evaluation/measures.ts';
import { valueOfScores } from '../src/evaluation/value-of-scores.ts';
import type { AskOptions } from '../src/run/ask.ts';
import { openLanguageModel } from '../src/session/language-model.ts';
import { ask, ingest } from '../src/session/verbs.ts';

/** A paragraph as HotpotQA and 2WikiMultiHopQA state it, or as MuSiQue and others do. */
type Item =
  | readonly [title: string, sentences: readonly string[]]
  | { readonly title: string | null; readonly paragraph_text?: string; readonly text?: string };
interface Fields {
  readonly title: string | null;
  readonly text: string;
  readonly context?: readonly Item[];
  readonly paragraphs?: readonly Item[];
}
type Passage = readonly [title: string | null, text: string];

const data = process.env['MULTIHOP_DATA'];
if (data === undefined) throw new Error('Set MULTIHOP_DATA to the folder of the data sets');
const lines = (file: string): Fields[] =>
  readFileSync(join(data, file), 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line));
const passages = (file: string): Passage[] => lines(file).map(({ title, text }) => [title, text]);
/** Returns the paragraphs of questions. */
const brought = (questions: readonly Fields[], joiner = ''): Passage[] =>
  questions
    .flatMap(({ paragraphs = [], context = paragraphs }) => context)
    .map(item =>
      'title' in item
        ? [item.title, item.paragraph_text ?? item.text ?? '']
        : [item[0], item[1].join(joiner)],
    );
const parsed = (file: string): Fields[] => JSON.parse(readFileSync(join(data, file), 'utf8'));

interface Set {
  read(): Promise<DataSet>;
  /** Further passages, in the order in which the corpus grows. */
  readonly more: readonly (() => Passage[])[];
}
const files = (corpus: string, questions: string) => ({
  corpus: join(data, corpus),
  questions: join(data, questions),
});
const MUSIQUE_MORE = [
  passages('musique/open_corpus.jsonl'),
  brought(lines('train/musique_train.jsonl')),
].flat();
const SETS: Readonly<Record<string, Set>> = {
  musique: {
    read: () => readDataSet('musique-pooled', files('', 'musique/musique_ans.dev.jsonl')),
    more: [
      () => MUSIQUE_MORE.filter(([title]) => title),
      () => MUSIQUE_MORE.filter(([title]) => !title),
    ],
  },
  hotpotqa: {
    read: () =>
      readDataSet(
        'hotpotqa-pooled',
        files('hotpotqa/pooled_corpus.jsonl', 'hotpotqa/pooled_queries.dev.jsonl'),
      ),
    more: [
      () => brought(parsed('hotpotqa/hotpot_distractor.dev.json')),
      () => [
        ...brought(lines('train/hotpot_train_distractor.jsonl')),
        ...brought(lines('train/hotpot_train_paragraphs.jsonl')),
      ],
    ],
  },
  '2wiki': {
    read: () =>
      readDataSet(
        '2wikimultihopqa-open',
        files('2wikimultihopqa/open_corpus.jsonl', '2wikimultihopqa/open_queries.dev.jsonl'),
      ),
    more: [
      () => brought(parsed('2wikimultihopqa/2wiki.dev.json'), ' '),
      () => brought(lines('train/2wiki_train.jsonl'), ' '),
    ],
  },
};

/** Words and digits alone: equal texts of two files differ in white space and marks. */
const normalised = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Adds passages whose text is new. */
function grown(documents: readonly Document[], more: readonly Passage[], step: number): Document[] {
  const known = new Set(documents.map(({ text }) => normalised(text)));
  const added = more.flatMap(([title, text], at): Document[] => {
    const key = normalised(text);
    if (key === '' || known.has(key)) return [];
    known.add(key);
    return [{ id: `more ${step}/${at}`, title: title ?? '', text, metadata: {} }];
  });
  return [...documents, ...added];
}

type Ranked = (example: Example) => Promise<readonly string[]>;
type Engine = Awaited<ReturnType<typeof ingest>>;
const rankedBy =
  (engine: Engine, members: Partial<AskOptions>): Ranked =>
  async ({ question }) =>
    (await ask(question.text, { engine, ...members, reader: 'evidence-only' })).ranking;

/** The sub-questions of MuSiQue, `#1` replaced by the answer to the first. */
function goldSubQuestions({ chain }: Example): string[] {
  const steps = chain as readonly { question: string; answer: string }[];
  return steps.map(({ question }) =>
    question.replace(/#(\d+)/g, (whole, at) => steps[Number(at) - 1]?.answer ?? whole),
  );
}

const ceiling = (engine: Engine): Ranked => {
  const searched = rankedBy(engine, { strategy: 'fixed-top-k(k=30)', retriever: 'lexical' });
  return async example => {
    const lists: { id: string }[][] = [];
    for (const text of goldSubQuestions(example)) {
      const found = await searched({ ...example, question: { id: example.id, text } });
      lists.push(found.map(id => ({ id })));
    }
    return inTurns(lists, idOf).map(({ id }) => id);
  };
};

/** Questions at once, which a model may answer together. */
const AT_ONCE = 8;
const MEASURES = ['Recall@5', 'AllRecall@5'].map(measure);
async function figures(examples: readonly Example[], ranked: Ranked): Promise<string> {
  const scores = MEASURES.map((): (Score | undefined)[] => []);
  for (const [at, ranking] of (await inParallel(examples, AT_ONCE, ranked)).entries())
    for (const [by, each] of MEASURES.entries())
      scores[by]!.push(each.score(examples[at]!, { ranking } as Trace, { text: () => '' }));
  return MEASURES.map((by, at) => (100 * valueOfScores(by, scores[at]!)!.value).toFixed(1)).join(
    ' / ',
  );
}

const [, , only, model, cassette] = process.argv;
const given = model === 'replayed' ? undefined : model;
const { decorated, close } = await openLanguageModel({ model: given, cassette, env: process.env });
for (const [name, { read, more }] of Object.entries(SETS)) {
  if (only !== undefined && only !== name) continue;
  const { documents: first, examples } = await read();
  console.log(`${name}, ${examples.length} questions, Recall@5 / AllRecall@5:`);
  let documents: readonly Document[] = first;
  for (let step = 0; step <= more.length; step++) {
    if (step > 0) documents = grown(documents, more[step - 1]!(), step);
    const engine = await ingest(documents);
    const rows: [string, Ranked][] = [
      ['BM25', rankedBy(engine, { strategy: 'fixed-top-k(k=5)', retriever: 'lexical' })],
      ['default', rankedBy(engine, { strategy: 'fact-lanes' })],
      ...(name === 'musique' ? ([['gold sub-questions', ceiling(engine)]] as const) : []).map(
        ([row, ranked]): [string, Ranked] => [row, ranked],
      ),
    ];
    if (decorated && step === more.length)
      rows.push([
        `one call of ${decorated.model.id}`,
        rankedBy(engine, {
          strategy: 'fact-lanes(plan=model)',
          resources: { model: decorated.model },
        }),
      ]);
    const cells: string[] = [];
    for (const [row, ranked] of rows) cells.push(`${row} ${await figures(examples, ranked)}`);
    console.log(`  ${documents.length} passages: ${cells.join(', ')}`);
  }
}
await close();
