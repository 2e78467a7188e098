/** Real documentation: evidence, answers and ranking, by the benchmark in `bench/documents`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentSystem, MeasuredSystem, Outcome } from '../../../bench/documents/measure.ts';
import {
  type Half,
  KINDS,
  type Kind,
  type QuestionSetName,
} from '../../../bench/documents/questions.ts';
import type { Block, Given, Report } from '../report.ts';
import { table } from '../tables.ts';
import { difference, estimate, meanOf, type Pick } from './documents-figures.ts';

const TOKENS = 510;
export const ANSWER_AT = 0.7;
const OURS = 'fact-lanes';
const SECTIONS = 'control: sections by words at equal tokens';
const BM25 = 'BM25';

/** The small ranker of the package that ships, which the default uses. */
export const SHIPPED = 'ranker';
/** The model of the row of `--rerank`. */
export const RERANKER = 'ms-marco-MiniLM-L-12-v2';

const labelOf = (reranker: string): string =>
  reranker === SHIPPED ? OURS : `${OURS}, ${reranker === 'none' ? 'by words' : reranker}`;

/** A row whose sections a reranker orders, or `none`. */
export const rankedSystem = (reranker: string): DocumentSystem => ({
  label: labelOf(reranker),
  strategy: `fact-lanes(tokens=${TOKENS}, reranker=${reranker})`,
  retriever: 'lexical',
  reader: 'combined-reader',
});

/** The systems that the report compares. */
export const DOCUMENT_SYSTEMS: readonly DocumentSystem[] = [
  rankedSystem(SHIPPED),
  rankedSystem('none'),
  {
    label: SECTIONS,
    strategy: `equal-budget-top-k(tokens=${TOKENS})`,
    retriever: 'lexical(unit=passage)',
    reader: 'evidence-only',
  },
  { label: BM25, strategy: 'fixed-top-k(k=5)', retriever: 'lexical', reader: 'evidence-only' },
];

/** A row of `--plans`, with a reranker or `none`. */
export const plannedSystem = (by: string, reranker: string): DocumentSystem => ({
  label: `${labelOf(reranker)}, plans by ${by}`,
  strategy: `fact-lanes(tokens=${TOKENS}, plan=replayed, reranker=${reranker})`,
  retriever: 'lexical',
  reader: 'combined-reader',
});

/** One half of a set of questions. */
export interface Part {
  readonly set: QuestionSetName;
  readonly half: Half;
}

/** Results of `npm run results:documents` on one half of a set of questions. */
export interface DocumentResults extends Part {
  readonly documents: number;
  readonly packages: number;
  /** Packages that cannot be had, with reasons. */
  readonly missing: Readonly<Record<string, string>>;
  readonly systems: readonly MeasuredSystem[];
  /** Versions, and hashes of sources, packages and questions. */
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** The file in the work folder of the report that holds the results of a half. */
export const resultsFile = (work: string, { set, half }: Part): string =>
  join(work, `${set}-${half}.json`);

const INTRODUCTION = `Documentation inside packages of npm, PyPI and Debian, fetched at exact versions, and questions
written from it before any system was run on them (\`bench/documents\`). No language model is
asked; plans of files are replayed. Evidence suffices if the shown text, at most ${TOKENS} tokens,
carries every passage that the answer needs. An answer is given if its probability is at least
${ANSWER_AT}. Intervals are 95 % over resampled questions.`;

/** The halves in the order of the report, and what choices saw of each. */
const PARTS: readonly (readonly [Part, string])[] = [
  [{ set: 'fresh', half: 'held' }, 'fresh questions, looked at once'],
  [{ set: 'fresh', half: 'tune' }, 'fresh questions that choices may use'],
  [{ set: 'first', half: 'held' }, 'first questions, held back from every choice'],
];

export const report = ({ work }: Given): Report => {
  const read = (part: Part): DocumentResults | undefined => {
    const file = resultsFile(work, part);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  };
  const sectionsOf = ([part, seen]: (typeof PARTS)[number]): Report['sections'] => {
    const block =
      (render: (results: DocumentResults) => string): Block =>
      () => {
        const results = read(part);
        return (results && render(results)) || undefined;
      };
    return [
      { heading: `Corpus, ${seen}`, blocks: [block(corpusText)] },
      { heading: `Evidence, ${seen}`, blocks: [block(evidenceTable)] },
      { heading: `Documents ranked, ${seen}`, blocks: [block(rankingTable), block(overBm25)] },
      { heading: `Answers, ${seen}`, blocks: [block(answerTable)] },
    ];
  };
  return {
    folder: 'documents',
    title: 'Real documentation',
    introduction: INTRODUCTION,
    evaluations: [],
    sections: PARTS.flatMap(sectionsOf),
    figures: () =>
      Object.fromEntries(
        PARTS.flatMap(([part]) => {
          const results = read(part);
          return results ? [[`${part.set}-${part.half}`, figuresOf(results)]] : [];
        }),
      ),
  };
};

/** Returns what `result.json` holds: the manifest, and the means of each system by kind. */
function figuresOf({ systems, ...corpus }: DocumentResults): object {
  return {
    ...corpus,
    systems: systems.map(({ outcomes, ...system }) => ({
      ...system,
      kinds: Object.fromEntries(KINDS.map(kind => [kind, meansOf(ofKind(outcomes, kind))])),
    })),
  };
}

const meansOf = (outcomes: readonly Outcome[]): object => ({
  n: outcomes.length,
  suffices: meanOf(outcomes, suffices),
  recall: meanOf(outcomes, recall),
  answered: meanOf(outcomes, answered),
  right: meanOf(outcomes, right),
});

function corpusText({ documents, packages, missing, systems }: DocumentResults): string {
  const outcomes = systems[0]?.outcomes ?? [];
  const counts = KINDS.map(kind => `${ofKind(outcomes, kind).length} ${kind}`).join(', ');
  const gone = Object.keys(missing);
  const without =
    gone.length === 0 ? '' : ` Packages that cannot be had: ${gone.join(', ')}; without theirs,`;
  return `${documents} files of ${packages} packages.${without} ${outcomes.length} questions: ${counts}.`;
}

const ANSWERABLE: readonly Kind[] = KINDS.filter(kind => kind !== 'unanswerable');

const suffices: Pick = outcome => outcome.suffices;
const recall: Pick = outcome => outcome.recall;
const answered: Pick = ({ given }) => given === 'answered';
const right: Pick = outcome => outcome.right;

const evidenceTable = (results: DocumentResults): string =>
  byKind('evidence suffices', results, suffices);
const rankingTable = (results: DocumentResults): string =>
  byKind('Recall@5 of documents', results, recall);

function byKind(heading: string, { systems }: DocumentResults, pick: Pick): string {
  return table(
    [heading, ...ANSWERABLE],
    systems.map(({ label, outcomes }) => [
      label,
      ...ANSWERABLE.map(kind => estimate(ofKind(outcomes, kind), pick)),
    ]),
  );
}

function overBm25({ systems }: DocumentResults): string {
  const [ours, plain] = [OURS, BM25].map(name => systems.find(({ label }) => label === name));
  if (!ours || !plain) return '';
  return `Recall@5 of ${OURS} less ${BM25}, over all answerable questions: ${difference(ours.outcomes, plain.outcomes, recall)}.`;
}

function answerTable({ systems }: DocumentResults): string {
  const ours = systems.find(({ label }) => label === OURS)?.outcomes ?? [];
  return table(
    ['questions', 'n', 'answered', 'right when answered'],
    KINDS.map(kind => {
      const asked = ofKind(ours, kind);
      const rightly = kind === 'unanswerable' ? '–' : estimate(asked, right);
      return [kind, String(asked.length), estimate(asked, answered), rightly];
    }),
  );
}

const ofKind = <T extends { readonly kind: Kind }>(all: readonly T[], kind: Kind): readonly T[] =>
  all.filter(outcome => outcome.kind === kind);
