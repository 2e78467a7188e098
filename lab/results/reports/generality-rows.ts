/** The rows of the report on the data sets of Wikipedia: ranking, and evidence at equal tokens. */
import type { Row } from '../report.ts';
import { factLanesRow, rowOf, SYSTEMS, type SystemRow } from './fact-lanes-systems.ts';

const BGE = 'bge-small-en-v1.5';

/** Context tokens at which all systems are compared, each in each of its forms. */
export const MAIN_TOKENS = 256;

/** The kept unit and its context. */
type Form = 'whole' | 'cut' | 'sentences';
interface FormParts {
  readonly says: string;
  readonly context: string;
  readonly unit: 'document' | 'sentence';
  /** Words that an item has at least, or nearly. */
  readonly least: number;
}
export const FORMS: Readonly<Record<Form, FormParts>> = {
  whole: { says: 'paragraphs whole', context: 'whole', unit: 'document', least: 40 },
  cut: {
    says: 'paragraphs cut to 2 sentences',
    context: 'sentences(perDocument=2)',
    unit: 'document',
    least: 20,
  },
  sentences: {
    says: 'sentences',
    context: 'sentences(perDocument=5)',
    unit: 'sentence',
    least: 10,
  },
};
export const formOf = ({ context }: Row): string =>
  Object.values(FORMS).find(form => form.context === context)?.says ?? '';

interface System {
  readonly system: string;
  readonly strategy: (items: number, tokens: number) => string;
  /** By unit; a retriever without sentences has no form of them. */
  readonly retriever: Partial<Readonly<Record<FormParts['unit'], string>>>;
}

const BY_WORDS: System['retriever'] = { document: 'lexical', sentence: 'lexical(unit=sentence)' };
const topK = SYSTEMS['fixed-top-k']!.strategy;

/** Every strategy that searches by words, and plain top-k over fusions. */
const GIVEN: readonly System[] = [
  ...Object.entries(SYSTEMS).flatMap(([system, { strategy, retriever }]) =>
    retriever === undefined ? [{ system, strategy, retriever: BY_WORDS }] : [],
  ),
  {
    system: 'fixed-top-k, hybrid(none)',
    strategy: topK,
    retriever: { document: 'hybrid(none, unit=document)' },
  },
];

/** By vectors of whole paragraphs, as TreeHop was trained. */
const EMBEDDED: readonly System[] = [
  { system: 'fixed-top-k, bge', strategy: topK, retriever: { document: `dense(${BGE})` } },
  {
    system: 'tree-hop, bge',
    strategy: items => `tree-hop(k=${Math.max(5, Math.ceil(items / 2))})`,
    retriever: { document: `dense(${BGE})` },
  },
];

export const HEADERS = 'control: headers alone';
const CONTROLS = {
  [HEADERS]: { retriever: 'lexical', context: 'headers' },
  'control: sentences by words': {
    retriever: 'lexical(unit=sentence)',
    context: 'sentences(perDocument=5)',
  },
};

const controlRows = (tokens: number): SystemRow[] =>
  Object.entries(CONTROLS).map(([system, parts]) =>
    rowOf({
      system,
      tokens,
      ...parts,
      strategy: `equal-budget-top-k(tokens=${tokens}, depth=400)`,
    }),
  );

function systemRow({ system, strategy, retriever }: System, form: Form, tokens: number) {
  const { says, context, unit, least } = FORMS[form];
  const by = retriever[unit];
  if (by === undefined) return [];
  const row = rowOf({
    system,
    tokens,
    retriever: by,
    context,
    cut: tokens,
    strategy: strategy(Math.ceil(tokens / least), tokens),
  });
  return [{ ...row, label: `${system}: ${says}` }];
}

const rowsOf = (systems: readonly System[]): SystemRow[] =>
  systems.flatMap(system =>
    (['whole', 'cut', 'sentences'] as const).flatMap(form => systemRow(system, form, MAIN_TOKENS)),
  );

export const OURS = 'fact-lanes, words';
const ours = (by: string): SystemRow[] => [factLanesRow({ by, tokens: MAIN_TOKENS })];

/**
 * The rows of a step. Steps with vectors of paragraphs or of sentences are apart, because these
 * have to be made.
 */
export const TOKEN_ROWS: Readonly<Record<string, () => SystemRow[]>> = {
  'fact-lanes': () => [
    ...ours('words'),
    factLanesRow({ by: 'words', tokens: MAIN_TOKENS, settings: 'bridge=off' }),
  ],
  others: () => [...controlRows(MAIN_TOKENS), ...rowsOf(GIVEN)],
  'bge-sentences': () => ours('bge'),
  'bge-paragraphs': () => rowsOf(EMBEDDED),
};

const ranked = (label: string, retriever: string): Row => ({
  label,
  strategy: 'fixed-top-k(k=10)',
  retriever,
  context: 'headers',
  reader: 'evidence-only',
});
export const RIVALS: readonly string[] = ['BM25', 'hybrid(none)'];
/** Rankings of paragraphs, by the steps above. */
export const RANKED_ROWS: Readonly<Record<string, () => Row[]>> = {
  'fact-lanes': () => [factLanesRow({ by: 'words' })],
  others: () => [ranked(RIVALS[0]!, 'lexical'), ranked(RIVALS[1]!, 'hybrid(none, unit=document)')],
  'bge-sentences': () => [factLanesRow({ by: 'bge' })],
  'bge-paragraphs': () => [ranked('bge', `dense(${BGE})`)],
};
