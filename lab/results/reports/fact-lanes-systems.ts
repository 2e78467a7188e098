/**
 * The systems of the fact-lanes report: every strategy that runs without a language model, each
 * allowed as many items as the tokens could hold.
 */

import { defined } from '../../../src/core/defined.ts';
import { strategies } from '../../../src/strategies/strategies.ts';
import type { Row } from '../report.ts';

/** Context tokens of the curves, and those at which systems are compared in pairs. */
export const TOKENS: readonly number[] = [128, 256, 510, 1024, 2048];
export const MAIN_TOKENS = 510;

const BGE = 'bge-small-en-v1.5';
/**
 * Vectors of sentences, for those of documents are searched by nobody here: so they need not be
 * made.
 */
export const BGE_SENTENCES: string = `dense(${BGE}, unit=sentence)`;
export const WORDS_AND_BGE: string = `fused(lexical(unit=sentence), ${BGE_SENTENCES})`;

/**
 * The retrievers of fact-lanes, which searches their parts by sentence whatever their unit; the
 * unit here has sentences indexed before the first question.
 */
export const FACT_LANES_RETRIEVERS: Readonly<Record<string, string>> = {
  bge: WORDS_AND_BGE,
  words: 'lexical(unit=sentence)',
};

/** The kept unit and its context. */
export type Form = 'lead' | 'cut' | 'sentences';

/**
 * Documents by their first 90 words, as the budgeted-agent paper has it; documents cut to their
 * best sentences; single sentences.
 */
export const FORMS: Readonly<
  Record<
    Form,
    {
      readonly says: string;
      readonly retriever: string;
      readonly context: string;
      readonly least: number;
    }
  >
> = {
  lead: {
    says: 'documents, first 90 words',
    retriever: 'lexical(s1)',
    context: 'lead(words=90)',
    least: 90,
  },
  cut: {
    says: 'documents, 5 best sentences',
    retriever: 'lexical(s1)',
    context: 'sentences(perDocument=5)',
    least: 60,
  },
  sentences: {
    says: 'sentences',
    retriever: 'lexical(unit=sentence)',
    context: 'sentences(perDocument=5)',
    least: 15,
  },
};

export interface SystemRow extends Row {
  readonly system: string;
  readonly tokens: number;
}

interface Parts {
  readonly system: string;
  readonly tokens?: number;
  /** The form in the label. */
  readonly form?: Form;
  readonly strategy: string;
  readonly retriever: string;
  readonly context: string;
  readonly reader?: string | undefined;
  /** The limit of the run, if the strategy has none. */
  readonly cut?: number | undefined;
}

export const rowOf = ({
  system,
  tokens = MAIN_TOKENS,
  form,
  reader = 'evidence-only',
  cut,
  ...names
}: Parts): SystemRow =>
  defined({
    label: form ? `${system}: ${FORMS[form].says}` : system,
    system,
    tokens,
    ...names,
    reader,
    budget: cut === undefined ? undefined : `context-tokens=${cut}`,
  });

interface System {
  /** With room for so many items, at so many tokens. Several searches share it evenly. */
  strategy(items: number, tokens: number): string;
  /** It keeps to the tokens by itself. */
  readonly limited?: boolean;
  /** Instead of the form's. */
  readonly retriever?: string;
  readonly forms?: readonly Form[];
}

const share = (items: number, searches: number): number => Math.ceil(items / searches);

/** Settings that let a strategy fill the tokens; a question of MultiHop-RAG has three clauses. */
const FILLING: Readonly<Record<string, System>> = {
  'fixed-top-k': { strategy: items => `fixed-top-k(k=${items})` },
  iterative: {
    strategy: items => `iterative(per-round=${Math.max(2, share(items, 2))}, documents=${items})`,
  },
  'iterative(drift)': {
    strategy: items =>
      `iterative(profile=drift, per-round=${Math.max(2, share(items, 2))}, documents=${items})`,
  },
  decomposition: { strategy: items => `decomposition(documents=${items})` },
  'budgeted-agent': {
    strategy: (items, tokens) =>
      `budgeted-agent(tokens=${tokens}, documents=${items}, per-call=${Math.max(2, share(items, 3))}, depth=${Math.max(20, items)})`,
    limited: true,
  },
  'slot-agent': {
    strategy: items => `slot-agent(wh=${items}, multi=${items}, single=${items}, none=${items})`,
  },
  'multi-meta-rag': {
    strategy: items => `multi-meta-rag(first=${Math.max(20, items)}, keep=${items})`,
  },
  'query-decomposition': {
    strategy: items =>
      `query-decomposition(split=clauses, answers=extractive, integration=sub-contexts, k=${Math.max(2, share(items, 3))})`,
  },
  'ir-cot': {
    strategy: items =>
      `ir-cot(thoughts=extracted, answer=reader, k=${Math.max(2, share(items, 3))}, paragraphs=${items})`,
  },
  'iter-retgen': {
    strategy: items =>
      `iter-retgen(thoughts=extracted, answer=reader, k=${Math.max(2, share(items, 2))})`,
  },
  naive: { strategy: items => `naive(answer=reader, k=${items})` },
  'longrag-dual': {
    strategy: items =>
      `longrag-dual(thoughts=extracted, answer=reader, k=${items}, candidates=${Math.max(100, items)})`,
  },
  'longrag-units': { strategy: () => 'longrag-units(answer=reader)' },
  'efficient-rag': { strategy: items => `efficient-rag(k=${Math.max(10, share(items, 3))})` },
  // Each item that a layer keeps is one more search: room for what the tokens hold in all
  // likelihood, not at most.
  'tree-hop': {
    strategy: items => `tree-hop(k=${Math.max(5, share(items, 4))})`,
    retriever: BGE_SENTENCES,
    forms: ['sentences'],
  },
};

/** Strategies with separate rows. */
const ELSEWHERE: ReadonlySet<string> = new Set(['fact-lanes', 'equal-budget-top-k']);

/** By the name in the report: every other strategy stands in it with its default settings. */
export const SYSTEMS: Readonly<Record<string, System>> = {
  ...Object.fromEntries(
    strategies.members
      .filter(({ name }) => !ELSEWHERE.has(name))
      .map(({ name }): [string, System] => [name, { strategy: () => name }]),
  ),
  ...FILLING,
};

/** One row of a system in a form. */
function systemRow(system: string, form: Form, tokens: number): SystemRow {
  const { strategy, limited, retriever = FORMS[form].retriever } = SYSTEMS[system]!;
  const { context, least } = FORMS[form];
  const name = strategy(Math.ceil(tokens / least), tokens);
  const cut = limited ? undefined : tokens;
  return rowOf({ system, form, tokens, strategy: name, retriever, context, cut });
}

const formsOf = (system: string): readonly Form[] =>
  SYSTEMS[system]!.forms ?? (Object.keys(FORMS) as Form[]);

/** Every system in every form that it has, at each of the tokens: a list a system and form. */
export const systemRows = (tokens: readonly number[]): SystemRow[][] =>
  Object.keys(SYSTEMS).flatMap(system =>
    formsOf(system).map(form => tokens.map(each => systemRow(system, form, each))),
  );

/** Plain top-k at the same tokens, `equal-budget-top-k`: any cleverer choice must beat it. */
const CONTROLS: Readonly<Record<string, { readonly retriever: string; readonly context: string }>> =
  {
    'control: sentences by words': {
      retriever: 'lexical(unit=sentence)',
      context: 'sentences(perDocument=5)',
    },
    'control: sentences by words and vectors': {
      retriever: WORDS_AND_BGE,
      context: 'sentences(perDocument=5)',
    },
    'control: passages by hybrid(none), cut': {
      retriever: 'hybrid(none)',
      context: 'sentences(perDocument=5)',
    },
    'control: documents, 5 best sentences': {
      retriever: 'lexical(s1)',
      context: 'sentences(perDocument=5)',
    },
    'control: documents, first 90 words': { retriever: 'lexical(s1)', context: 'lead(words=90)' },
    'control: headers alone': { retriever: 'lexical(s1)', context: 'headers' },
  };

export const controlRows = (tokens: readonly number[]): SystemRow[][] =>
  Object.entries(CONTROLS).map(([system, parts]) =>
    tokens.map(each =>
      rowOf({
        system,
        tokens: each,
        ...parts,
        strategy: `equal-budget-top-k(tokens=${each}, depth=400)`,
      }),
    ),
  );

export interface FactLanesOptions {
  readonly tokens?: number;
  /** A key of `FACT_LANES_RETRIEVERS`. */
  readonly by: string;
  /** Written into the strategy's name: switches. */
  readonly settings?: string;
  readonly context?: string;
  readonly reader?: string;
}

export function factLanesRow({
  tokens = MAIN_TOKENS,
  by,
  settings,
  context = 'sentences(perDocument=5)',
  reader,
}: FactLanesOptions): SystemRow {
  const strategy = `fact-lanes(${[`tokens=${tokens}`, ...(settings ? [settings] : [])].join(', ')})`;
  const system = `fact-lanes, ${by}${settings ? `, ${settings}` : ''}`;
  const retriever = FACT_LANES_RETRIEVERS[by]!;
  return rowOf({ system, tokens, strategy, retriever, context, reader });
}
