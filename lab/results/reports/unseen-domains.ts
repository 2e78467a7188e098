/** Ranking on domains that no weight of this project was fitted on: BEIR folders, by terms. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lessBetter } from '../better-of.ts';
import { type Block, type Evaluation, type Given, of, type Report, type Row } from '../report.ts';
import { CLUSTERED, differences, rowNames, sizes, values } from '../tables.ts';

/** The folders below the data folder, with the names of their tables. */
const DOMAINS = { obliqa: 'financial regulation', 'lihua-world': 'chats' } as const;
/** The questions of the chats that several documents answer. */
const SEVERAL = 'lihua-world-several';
/** Passages of fewer characters are headings. */
const HEADING = 25;

const MEASURES = ['Recall@5', 'Recall@10', 'AllRecall@5', 'NDCG@10', 'EvidenceRecall'];
const RANKED = MEASURES.slice(0, 4);
const TOKENS = 510;

const row = (label: string, strategy: string, retriever = 'lexical'): Row => ({
  label,
  strategy,
  retriever,
  reader: 'evidence-only',
});
const OURS = 'fact-lanes';
const CONTROL = 'control: plain top-k at equal tokens';
const RIVALS = ['BM25', 'BM25, passages', 'hybrid(none)', 'hybrid(none), documents'] as const;
const ROWS: readonly Row[] = [
  row(OURS, `fact-lanes(tokens=${TOKENS})`),
  row(`${OURS}, by words`, `fact-lanes(tokens=${TOKENS}, reranker=none)`),
  row(CONTROL, `equal-budget-top-k(tokens=${TOKENS})`),
  row(RIVALS[0], 'fixed-top-k(k=5)'),
  row(RIVALS[1], 'fixed-top-k(k=5)', 'lexical(unit=passage)'),
  row(RIVALS[2], 'fixed-top-k(k=5)', 'hybrid(none)'),
  row(RIVALS[3], 'fixed-top-k(k=5)', 'hybrid(none, unit=document)'),
  row('S1', 'fixed-top-k(k=5)', 'lexical(s1)'),
];

const INTRODUCTION = `Relevance is judged by people and no weight of this project was fitted on these questions. The ranker
of \`@multihop/ranker\`, which fact-lanes uses, has read the chats and no regulation; the members of
fact-lanes' ranking of short passages by words, which have equal weights, were chosen with figures of
these two domains in view, so they flatter it. What is judged are the collections' own passages and
sessions, which are documents here; rows "passages" search passages of 256 tokens of them. Rankings
are scored by the field's measures, which agree with trec_eval. No language model is asked. The rows
below the control keep five items. ${CLUSTERED}`;

const BETTER = `fact-lanes less the better of BM25 and \`hybrid(none)\`, each by documents or by passages, chosen for
each measure by its mean; paired 95 % intervals:`;

export const report = ({ data, work }: Given): Report => ({
  folder: 'unseen-domains',
  title: 'Domains that no weight was fitted on',
  introduction: INTRODUCTION,
  evaluations: [
    ...Object.keys(DOMAINS).map(
      (name): Evaluation => ({
        name,
        dataSet: 'beir',
        rows: ROWS,
        measures: [...MEASURES, 'ContextTokens'],
        words: ['--folder', join(data, name)],
      }),
    ),
    {
      name: SEVERAL,
      dataSet: 'beir',
      rows: ROWS,
      measures: [...MEASURES, 'ContextTokens'],
      files: () => severalFiles(join(data, 'lihua-world'), join(work, 'files')),
    },
  ],
  sections: [
    section('obliqa', `obliqa: ${DOMAINS.obliqa}`, headings(join(data, 'obliqa'))),
    section('lihua-world', `lihua-world: ${DOMAINS['lihua-world']}`),
    section(SEVERAL, 'lihua-world: questions that several documents answer'),
    { heading: 'Rows', blocks: [rowNames('obliqa')] },
  ],
});

const section = (name: string, heading: string, ...also: readonly Block[]) => ({
  heading,
  blocks: [
    sizes(name),
    ...also,
    values(name, [...MEASURES, 'ContextTokens'], { heading: 'strategy' }),
    of(name, () => BETTER),
    lessBetter(name, RANKED, OURS, RIVALS),
    differences(name, MEASURES, [[CONTROL, OURS]]),
  ],
});

/** A line on the passages that are headings, and how many of the judgements name one. */
const headings = (folder: string): Block =>
  of('obliqa', () => {
    const short = new Set(
      jsonLines(join(folder, 'corpus.jsonl'))
        .filter(({ text }) => text.length < HEADING)
        .map(({ _id }) => _id),
    );
    const judged = judgements(folder).filter(([, document]) => short.has(document!));
    return `${short.size} of the documents are headings of under ${HEADING} characters; ${judged.length} judgements call one relevant.`;
  });

/** Writes a folder of the questions with several documents; returns the words that name it. */
function severalFiles(folder: string, work: string): string[] {
  const all = judgements(folder).filter(([, , grade]) => Number(grade) > 0);
  const several = all.filter(([asked]) => all.filter(([other]) => other === asked).length > 1);
  const target = join(work, SEVERAL);
  mkdirSync(join(target, 'qrels'), { recursive: true });
  for (const file of ['corpus.jsonl', 'queries.jsonl'])
    writeFileSync(join(target, file), readFileSync(join(folder, file)));
  writeFileSync(
    join(target, 'qrels', 'test.tsv'),
    ['query-id\tcorpus-id\tscore', ...several.map(line => line.join('\t'))].join('\n'),
  );
  return ['--folder', target];
}

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '');

const judgements = (folder: string): string[][] =>
  linesOf(join(folder, 'qrels', 'test.tsv'))
    .slice(1)
    .map(line => line.split('\t'));

const jsonLines = (file: string): { readonly _id: string; readonly text: string }[] =>
  linesOf(file).map(line => JSON.parse(line));
