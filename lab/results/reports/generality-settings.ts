/** The data sets of the generality report, their gold sentences, and published figures. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Given } from '../report.ts';

const SENTENCE_RECALL = 'SentenceRecall';
/**
 * Gold titles of these corpora name one document each, so that recall by document is recall by
 * title.
 */
const EVIDENCE_RECALL = 'EvidenceRecall';

export interface GeneralitySetting {
  /** Its data set. */
  readonly id: string;
  readonly says: string;
  /** At equal tokens; the first is what systems are compared by. */
  readonly measures: readonly string[];
  /** Every question searches one corpus: its ranking is scored by the field's measures. */
  readonly ranked?: boolean;
  /** Writes questions with gold sentences; returns the words that name the files. */
  readonly files?: (request: Given) => string[];
}

const SENTENCES = [SENTENCE_RECALL, EVIDENCE_RECALL, 'ContextTokens'];
const DOCUMENTS = [EVIDENCE_RECALL, 'ContextTokens'];

export const GENERALITY: readonly GeneralitySetting[] = [
  {
    id: '2wikimultihopqa-open',
    says: '2WikiMultiHopQA, one open corpus; its questions name gold titles and no gold sentences',
    measures: DOCUMENTS,
    ranked: true,
  },
  {
    id: 'hotpotqa-pooled',
    says: 'HotpotQA, one pooled corpus; gold sentences are those of the same questions with ten paragraphs each',
    measures: SENTENCES,
    ranked: true,
    files: pooledSentences,
  },
  {
    id: 'musique-pooled',
    says: 'MuSiQue, one pooled corpus; it has gold paragraphs and no gold sentences',
    measures: DOCUMENTS,
    ranked: true,
  },
  {
    id: '2wikimultihopqa',
    says: '2WikiMultiHopQA, ten paragraphs a question',
    measures: SENTENCES,
  },
  { id: 'hotpotqa', says: 'HotpotQA, ten paragraphs a question', measures: SENTENCES },
  { id: 'musique', says: 'MuSiQue, twenty paragraphs a question', measures: DOCUMENTS },
];

interface Question {
  readonly _id: string;
  readonly gold_titles: readonly string[];
}
interface Closed {
  readonly _id: string;
  readonly context: readonly (readonly [title: string, sentences: readonly string[]])[];
  readonly supporting_facts: readonly (readonly [title: string, sentence: number])[];
}

/** Writes the pooled questions of HotpotQA with the gold sentences that the closed file names. */
function pooledSentences({ data, work }: Given): string[] {
  const folder = join(data, 'hotpotqa');
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const closed = new Map(
    (JSON.parse(read('hotpot_distractor.dev.json')) as Closed[]).map(question => [
      question._id,
      question,
    ]),
  );
  const lines = read('pooled_queries.dev.jsonl')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line) as Question)
    .map(({ gold_titles, ...question }) => {
      const gold = sentencesOf(closed.get(question._id));
      return JSON.stringify(gold.length > 0 ? { ...question, gold } : { ...question, gold_titles });
    });
  const path = join(work, 'hotpotqa-pooled.jsonl');
  mkdirSync(work, { recursive: true });
  writeFileSync(path, lines.join('\n'));
  return ['--questions', path, '--corpus', join(folder, 'pooled_corpus.jsonl')];
}

function sentencesOf(closed: Closed | undefined): { title: string; fact: string }[] {
  const texts = new Map(closed?.context);
  return (closed?.supporting_facts ?? []).flatMap(([title, at]) => {
    const fact = texts.get(title)?.[at]?.trim();
    return fact ? [{ title, fact }] : [];
  });
}

/**
 * Recall@5 as published, in percent: 1,000 questions each, corpora of 6,119, 9,811 and 11,656
 * passages. Sources: Gutiérrez et al., arXiv 2502.14802, Table 3; Gutiérrez et al., arXiv
 * 2405.14831, Table 3 (IRCoT); Ko et al., arXiv 2512.10422, Table 2.
 */
export const PUBLISHED: readonly (readonly string[])[] = [
  ['HippoRAG 2: graph by Llama-3.3-70B (2502.14802)', '90.4', '96.3', '74.7'],
  ['HippoRAG: graph by Llama-3.3-70B (2502.14802)', '90.4', '77.3', '53.2'],
  ['IRCoT + HippoRAG: GPT-3.5 (2405.14831)', '93.9', '83.0', '57.6'],
  ['CoopRAG: questions unrolled by GPT-4o-mini (2512.10422)', '96.6', '96.8', '75.7'],
  ['NV-Embed-v2, 7B (2502.14802)', '76.5', '94.5', '69.7'],
  ['BM25 (2502.14802)', '65.3', '74.8', '43.5'],
];
export const PUBLISHED_COLUMNS: readonly string[] = [
  ...['Recall@5, published', '2WikiMultiHopQA, 6,119', 'HotpotQA, 9,811', 'MuSiQue, 11,656'],
];
