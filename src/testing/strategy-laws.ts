/**
 * Defines the laws of strategies: anytime algorithms whose evidence is usable wherever they are
 * stopped.
 */

import type { Document } from '../core/corpus/document.ts';
import { parseName, printName } from '../core/naming/name.ts';
import { type Need, needOf } from '../core/port.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Embedder } from '../models/embedder.ts';
import type { EntityRecogniser } from '../models/entity-recogniser.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { languageModel, reranker } from '../models/ports.ts';
import { lookupIn, type Resources, resourcesOf } from '../models/resources.ts';
import { retrievers } from '../search/retrievers.ts';
import type { Snapshot } from '../search/snapshot.ts';
import { SEARCH_DEPTH, type Strategy } from '../strategies/strategy.ts';
import { checkDependence } from './dependent-searches.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS, HOSTILE_QUESTIONS } from './fixture-corpus.ts';
import { holds, type Law, law, same } from './law.ts';
import { checkPlanned, recordingPrompts } from './planned-calls-check.ts';
import {
  checkClock,
  checkFault,
  checkLeaving,
  checkLimit,
  checkModelFaults,
  checkRandomBudgets,
} from './strategy-interruptions.ts';
import {
  checkPairs,
  checkRerankerFaults,
  checkUnknownReranker,
} from './strategy-reranker-checks.ts';
import {
  contentOf,
  copies,
  countingClock,
  engineOf,
  runOf,
  type Script,
  sharedEngineOf,
} from './strategy-run.ts';
import { checkTrace } from './trace-checks.ts';

export interface StrategyLawsOptions {
  /** Name of the retriever; `lexical` by default. */
  readonly retriever?: string;
  /** Name of the context; `lead` by default. */
  readonly context?: string;
  /** Vector spaces of the engine. */
  readonly embedders?: readonly Embedder[];
  /** Finds entities and facts of the engine's graph; entities by spelling if missing. */
  readonly recogniser?: EntityRecogniser;
  /**
   * Resources that the strategy and the retriever need. A model must return equal completions for
   * equal prompts (`scriptedModel` with a function). A need of a reranker adds laws of its own.
   */
  readonly resources?: Resources;
  /**
   * Creates a strategy from its name, to check that the name is complete: `strategies.create` of a
   * family that includes it.
   */
  readonly parse?: (name: string) => Strategy;
  /**
   * Returns whether the laws of interrupted runs, by far the most expensive, ask the fixture
   * question of this index; all of them by default.
   */
  readonly interrupts?: (question: number) => boolean;
}

/**
 * Returns the laws. `make` returns a fresh strategy, always of the same name.
 *
 * @example
 * ```ts
 * import { test } from 'node:test';
 * import { strategies } from 'multihop/strategies';
 * import { strategyLaws } from 'multihop/testing';
 *
 * const make = () => strategies.create('fixed-top-k');
 * for (const law of strategyLaws(make, { parse: strategies.create })) test(law.name, law.run);
 * ```
 */
export function strategyLaws(make: () => Strategy, options: StrategyLawsOptions = {}): Law[] {
  const { embedders, recogniser, resources = {} } = options;
  const [model] = resourcesOf(resources, languageModel.name) as readonly LanguageModel[];
  const names = {
    retriever: options.retriever ?? 'lexical',
    context: options.context ?? 'lead',
    resources,
  };
  const over = (engine: Snapshot): Script[] =>
    FIXTURE_QUESTIONS.map(question => ({ question, engine, ...names }));
  const scripts: Scripts = (documents = FIXTURE_DOCUMENTS) =>
    over(sharedEngineOf(documents, embedders, recogniser));
  const freshScripts = (): Script[] => over(engineOf(FIXTURE_DOCUMENTS, embedders, recogniser));
  const asking =
    (asked: (question: number) => boolean) => (check: Check) => async (): Promise<void> => {
      for (const [index, script] of scripts().entries())
        if (asked(index)) await check(make(), script);
    };
  const each = asking(() => true);
  const interrupted = asking(options.interrupts ?? (() => true));
  return [
    law('strategy: its name parses back to itself', () => checkName(make(), options.parse)),
    law(
      'strategy: keeps only hits, refers only to earlier searches, ranks documents once, and pays for its evidence',
      each(async (strategy, script) =>
        checkTrace(await runOf(strategy, script), script.engine, script.question.text),
      ),
    ),
    law(
      'strategy: a search that depends on hits belongs to a later hop, and names their search',
      each(checkDependence),
    ),
    ...deepLaws(make, scripts),
    ...interruptionLaws(interrupted),
    law('strategy: equal scripts yield equal traces, whatever the clock', () =>
      checkRepetition(make, freshScripts),
    ),
    law('strategy: survives any question', async () => {
      const engine = sharedEngineOf(FIXTURE_DOCUMENTS, embedders, recogniser);
      for (const question of HOSTILE_QUESTIONS)
        await checkTrace(
          await runOf(make(), { question, engine, ...names }),
          engine,
          question.text.slice(0, 80),
        );
    }),
    ...rerankerLaws(needOf(make(), reranker), each),
    ...(model ? modelLaws(make, model, scripts, interrupted) : []),
    law('strategy: keeps nothing and abstains over an empty corpus', () =>
      checkNothing(make, scripts(NO_DOCUMENTS)),
    ),
  ];
}

/** The corpora beside the fixture: constants, so that their engines are built once. */
const DEEP_DOCUMENTS = copies(FIXTURE_DOCUMENTS, 4);
const LONG_DOCUMENTS = DEEP_DOCUMENTS.map(document => ({
  ...document,
  text: `${document.text} `.repeat(40),
}));
const NO_DOCUMENTS: readonly Document[] = [];

type Scripts = (documents?: readonly Document[]) => Script[];

type Check = (strategy: Strategy, script: Script) => Promise<void>;

/** Returns the laws of runs over several copies of each document. */
const deepLaws = (make: () => Strategy, scripts: Scripts): Law[] => [
  law('strategy: its first search returns at least 30 hits if the corpus has them', async () => {
    for (const script of scripts(DEEP_DOCUMENTS)) await checkDepth(make(), script);
  }),
  law('strategy: its evidence holds each text once', async () => {
    for (const script of scripts(DEEP_DOCUMENTS)) await checkTexts(make(), script);
  }),
];

/** Returns the laws of interrupted runs: by limits, the clock, the engine, or the caller. */
function interruptionLaws(each: (check: Check) => () => Promise<void>): Law[] {
  return [
    ...(['hops', 'retrievals', 'documents', 'contextTokens', 'modelCalls'] as const).map(limit =>
      law(
        `strategy: under any limit on ${limit} the run stops within it and names it`,
        each((strategy, script) => checkLimit(strategy, script, limit)),
      ),
    ),
    law(
      'strategy: the time limit may be reached at any begin or keep, and is always reported',
      each(checkClock),
    ),
    law(
      'strategy: the engine may fail at any call',
      each((strategy, script) => checkFault(strategy, script, 'throw')),
    ),
    law(
      'strategy: the engine may hang at any call until the run is aborted',
      each((strategy, script) => checkFault(strategy, script, 'hang')),
    ),
    law(
      'strategy: the engine may return nothing at any call',
      each((strategy, script) => checkFault(strategy, script, 'nothing')),
    ),
    law('strategy: no random budget is exceeded', each(checkRandomBudgets)),
    law('strategy: the caller may stop reading after any event', each(checkLeaving)),
  ];
}

const modelLaws = (
  make: () => Strategy,
  model: LanguageModel,
  scripts: Scripts,
  each: (check: Check) => () => Promise<void>,
): Law[] => [
  law('strategy: makes no more model calls than it plans', () => checkCalls(make, model, scripts)),
  law(
    'strategy: its model may fail at any call, is not asked again, and the run reports it',
    each((strategy, script) => checkModelFaults(strategy, script, model)),
  ),
];

function rerankerLaws(need: Need | undefined, each: (check: Check) => () => Promise<void>): Law[] {
  if (!need) return [];
  const missing = 'strategy: a missing reranker is rejected before any work';
  return [
    ...(need.optional ? [] : [law(missing, each(checkUnknownReranker))]),
    law(
      'strategy: its reranker may fail at any call, and the run reports it',
      each(checkRerankerFaults),
    ),
    law('strategy: every pair that its reranker scored is counted', each(checkPairs)),
    law(
      'strategy: under any limit on rerankedPairs the run stops within it and names it',
      each((strategy, script) => checkLimit(strategy, script, 'rerankedPairs')),
    ),
  ];
}

/** Checks over several copies of each document that no two texts differ in white space alone. */
async function checkTexts(strategy: Strategy, script: Script): Promise<void> {
  const { evidence } = (await runOf(strategy, script)).trace;
  const ids = evidence.map(({ documentId }) => documentId);
  const read = await script.engine.read('document', ids, freeCall());
  const seen = new Map<string, string>();
  for (const [at, { id, spans }] of evidence.entries()) {
    const parts = spans.map(([start, end]) => read[at]!.text.slice(start, end));
    const text = parts.join(' ').replace(/\s+/g, ' ').trim();
    same(text === '' ? undefined : seen.get(text), undefined, `the item with the text of ${id}`);
    seen.set(text, id);
  }
}

async function checkNothing(make: () => Strategy, scripts: readonly Script[]): Promise<void> {
  for (const script of scripts) {
    const ran = await runOf(make(), script);
    await checkTrace(ran, script.engine, script.question.text);
    same(
      [ran.trace.evidence, ran.trace.ranking, ran.trace.stopped],
      [[], [], undefined],
      'evidence, ranking, stopped',
    );
  }
}

/** Checks planned calls over short texts and over texts that exceed any prompt. */
async function checkCalls(
  make: () => Strategy,
  model: LanguageModel,
  scripts: Scripts,
): Promise<void> {
  const recorded = recordingPrompts(model);
  for (const script of [...scripts(), ...scripts(LONG_DOCUMENTS)]) {
    recorded.prompts.length = 0;
    const strategy = make();
    await runOf(strategy, {
      ...script,
      resources: { ...script.resources, model: recorded.model },
    });
    checkPlanned(strategy.modelCalls ?? [], recorded.prompts, `"${script.question.text}"`);
  }
}

function checkName(strategy: Strategy, parse: ((name: string) => Strategy) | undefined): void {
  same(printName(parseName(strategy.name)), strategy.name, 'the name, parsed and printed');
  if (parse)
    same(parse(strategy.name).name, strategy.name, 'the name of the strategy of that name');
}

async function checkDepth(strategy: Strategy, script: Script): Promise<void> {
  const ran = await runOf(strategy, script);
  await checkTrace(ran, script.engine, `${script.question.text}, a deep corpus`);
  const first = ran.trace.hops[0]?.searches[0];
  holds(first !== undefined, script.question.text, 'a first search', first);
  const query = first.filter
    ? { text: first.text ?? '', filter: first.filter }
    : { text: first.text ?? '' };
  const { retriever: requested } = script;
  const retriever = (typeof requested === 'string' ? retrievers.create(requested) : requested).bind(
    script.engine,
    lookupIn(script.resources ?? {}),
  );
  const [possible] = await retriever.retrieve([query], SEARCH_DEPTH, freeCall(), {
    unit: first.unit,
  });
  // A strategy may ask the parts of a fused retriever apart: one of them is as deep.
  const alike = ran.trace.hops[0]!.searches.filter(
    ({ text, unit }) => text === first.text && unit === first.unit,
  );
  const deepest = Math.max(...alike.map(({ hits }) => hits.length));
  const { length } = possible!;
  holds(deepest >= length, script.question.text, `at least ${length} hits`, deepest);
}

async function checkRepetition(make: () => Strategy, scripts: () => Script[]): Promise<void> {
  const [first, second] = [scripts(), scripts()];
  for (const [index, script] of first.entries()) {
    const once = await runOf(make(), { ...script, clock: countingClock() });
    const again = await runOf(make(), { ...second[index]!, clock: countingClock(1_000_000) });
    same(contentOf(again.events), contentOf(once.events), script.question.text);
    // One strategy serves many runs: no state of a run may affect the next.
    const strategy = make();
    await runOf(strategy, second[(index + 1) % FIXTURE_QUESTIONS.length]!);
    same(
      contentOf((await runOf(strategy, script)).events),
      contentOf(once.events),
      `${script.question.text}, after another question`,
    );
  }
}
