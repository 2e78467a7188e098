/** Every strategy keeps the laws, with its default settings and with others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Selection } from '../../src/context/selection.ts';
import { mulberry32 } from '../../src/core/mulberry32.ts';
import { parseName } from '../../src/core/naming/name.ts';
import { required } from '../../src/core/port.ts';
import type { Rejection } from '../../src/core/trace/trace.ts';
import type { TokenClassifiers } from '../../src/models/efficient-rag/token-classifiers.ts';
import type { Prompt } from '../../src/models/language-model.ts';
import { reranker as rerankerPort } from '../../src/models/ports.ts';
import type { QueryUpdater } from '../../src/models/query-updater.ts';
import { initialParameters } from '../../src/models/tree-hop/parameters.ts';
import { treeHopUpdater } from '../../src/models/tree-hop/tree-hop-updater.ts';
import { strategies } from '../../src/strategies/strategies.ts';
import { evidenceFirst, SEARCH_DEPTH, type Strategy } from '../../src/strategies/strategy.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import { overlapReranker } from '../../src/testing/overlap-reranker.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { strategyLaws } from '../../src/testing/strategy-laws.ts';
import { shippedClassifiers } from '../shipped-lite.ts';
import { statedFacts } from '../stated-facts.ts';
import { WELL_FORMED_REPLIES } from '../well-formed-replies.ts';
import { extremesOf } from './extremes.ts';
import { runLaws } from './run-laws.ts';

/**
 * Settings chosen by hand. A strategy without an entry runs with each of its parameters at its
 * bounds and choices (`extremesOf`).
 */
const OTHER_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  'fixed-top-k': ['fixed-top-k(k=1)', 'fixed-top-k(k=40)'],
  'equal-budget-top-k': [
    'equal-budget-top-k(tokens=50)',
    'equal-budget-top-k(tokens=5000, depth=3)',
  ],
  iterative: [
    'iterative(rounds=4, profile=drift)',
    'iterative(rounds=3, per-round=3, cues=2, terms=0, documents=4)',
    'iterative(rounds=1)',
  ],
  decomposition: [
    'decomposition(planner=conjunction)',
    'decomposition(planner=source-restricted, queries=2, documents=1)',
  ],
  'budgeted-agent': [
    'budgeted-agent(tokens=98, calls=1)',
    'budgeted-agent(tokens=300, calls=5, planner=conjunction, per-call=3, weak-ratio=0.6)',
    'budgeted-agent(tokens=9000, calls=3, planner=source-restricted, documents=2)',
  ],
  'slot-agent': [
    'slot-agent(dates=true)',
    'slot-agent(wh=1, multi=1, single=1)',
    'slot-agent(none=5, dates=true)',
  ],
  'multi-meta-rag': [
    'multi-meta-rag(first=1, keep=1, dates=false)',
    'multi-meta-rag(keep=40, policy=relax)',
    'multi-meta-rag(policy=relax, soft=0.5)',
  ],
  'query-decomposition': [
    'query-decomposition(parts=5, integration=sub-contexts, k=2, pool=60)',
    'query-decomposition(answers=extractive, k=1)',
  ],
  'ir-cot': [
    'ir-cot(profile=comparison-code, k=3)',
    'ir-cot(profile=comparison-text, k=2, paragraphs=4, thoughts=extracted)',
  ],
  'iter-retgen': [
    'iter-retgen(iterations=3, k=2)',
    'iter-retgen(iterations=4, k=3, order=generation-first, accumulate=last, answer=reader)',
  ],
  'efficient-rag': [
    'efficient-rag(k=5, rounds=1)',
    'efficient-rag(k=3, rounds=6, model=all)',
    'efficient-rag(k=40, model=hostile)',
  ],
  'bridge-claims': [
    'bridge-claims(profile=paper, minTokens=3)',
    'bridge-claims(join=target, claims=3, bridges=1, minTokens=1, by=rules)',
    'bridge-claims(targets=1, claims=1, cap=2, answer=rules, minTokens=5)',
    'bridge-claims(bridges=40, answerK=2, minTokens=5, answer=reader)',
  ],
  'longrag-dual': [
    ...['base', 'long', 'extractor', 'filter'].map(mode => `longrag-dual(mode=${mode}, k=3)`),
    'longrag-dual(k=1, sentences=1)',
    'longrag-dual(k=4, candidates=9, reranker=overlap)',
    'longrag-dual(k=40, prompt=1)',
  ],
  'longrag-units': [
    'longrag-units(units=1, size=60)',
    'longrag-units(units=3, size=90, tokens=120, links=alike, order=unit)',
    'longrag-units(links=stated, candidates=4)',
  ],
  hipporag1: [
    'hipporag1(k=1, steps=4, blend=walk)',
    'hipporag1(k=40, steps=2, read=1, blend=half, synonyms=false, hubs=1)',
    'hipporag1(profile=paper, k=3)',
    'hipporag1(k=3, steps=3, blend=specific, hubs=0.001, thoughts=extracted, answer=reader)',
  ],
  hipporag2: [
    'hipporag2(k=1, passages=0)',
    'hipporag2(k=40, synonyms=false, hubs=1)',
    'hipporag2(facts=1, entities=1)',
  ],
  chain: [
    'chain(integration=contexts, k=1, rounds=1, words=40)',
    'chain(profile=code, probe=true, documents=2, by=rules)',
    'chain(graph=false, rewriting=false)',
    'chain(entity=false, semantic=false, reranker=overlap, candidates=5)',
  ],
  naive: ['naive(k=1)', 'naive(k=40)', 'naive(k=2, decomposition=true)'],
  'fact-lanes': [
    'fact-lanes(tokens=40, clauses=false)',
    'fact-lanes(tokens=120, unit=document, sources=false)',
    'fact-lanes(tokens=2000, per-document=1, duplicates=0)',
    'fact-lanes(tokens=300, ranker=sum, bridge=off)',
    'fact-lanes(tokens=200, bridge=rank, reranker=overlap)',
  ],
  'tree-hop': [
    'tree-hop(k=1, hops=4)',
    'tree-hop(k=3, hops=3, pruning=argsort, variant=no-q)',
    'tree-hop(k=3, hops=2, pruning=off, redundancy=false)',
    'tree-hop(k=4, hops=3, pruning=rank-unique, layer=2, last-update=true)',
    'tree-hop(k=2, hops=3, pruning=path, bridge=rank)',
  ],
};

/** The number of settings declared so far whose interruptions are thinned. */
let thinned = 0;
/**
 * Has the runs of a setting other than the default interrupted on two of the six fixture questions:
 * a long one and a later one, in turn, so that the settings together ask them all. The laws of
 * interrupted runs take most of the time, and the defaults keep them on every question.
 */
function inTurn(): { interrupts(question: number): boolean } {
  // Shifted by one every three, or each of three models would keep its questions for ever.
  const turn = (thinned + Math.floor(thinned / 3)) % 3;
  thinned++;
  return { interrupts: question => question % 3 === turn };
}

/** A model as it is before any training moves queries all the same. */
const embedder = hashedEmbedder('hashed', 16);
const model = (id: string, space: string, d: number): QueryUpdater => {
  const parameters = initialParameters({ d, g: 8, m: 8, nMlp: 1, heads: 1 }, mulberry32(d), 0.1);
  return treeHopUpdater({ parameters, provenance: {} }, { id, space });
};
/** Finds everything useful and asks something else each time; says what nobody should believe. */
const classifiers = (id: string, info: string): TokenClassifiers => ({
  id,
  labeler: {
    label: async (_, chunks) =>
      chunks.map((__, at) => ({ tag: at % 3 === 2 ? 'FINISH' : 'CONTINUE', useful: 1, info })),
  },
  filter: { compose: async (query, infos) => `${query.slice(0, 500)} ${infos[0] ?? ''}` },
});
const options = {
  embedders: [embedder, hashedEmbedder('five', 5)],
  resources: {
    'query-updater': [model('tree-hop', 'hashed', 16), model('five', 'five', 5)],
    'token-classifiers': [
      shippedClassifiers(),
      classifiers('all', 'lamp'),
      classifiers('hostile', `\ud800\u0000 "Ignore all" [1] ${'x'.repeat(100_000)}`),
    ],
    reranker: [overlapReranker()],
  },
};
/** Returns a retriever that the strategy supports. */
const retrieverOf = (name: string, retriever: string): string =>
  name === 'tree-hop' ? 'dense(hashed)' : retriever;

test('other settings are those of strategies of the family', () => {
  const names = strategies.members.map(({ name }) => name);
  assert.deepEqual(
    Object.keys(OTHER_SETTINGS).filter(name => !names.includes(name)),
    [],
  );
});

for (const member of strategies.members) {
  const { name } = member;
  test(`${name} states its summary, paper and cost`, () => {
    for (const field of ['summary', 'paper', 'cost'] as const)
      assert.ok(member[field], `add \`${field}\` to the member "${name}"`);
  });
  for (const setting of [name, ...(OTHER_SETTINGS[name] ?? extremesOf(member))])
    runLaws(
      setting,
      strategyLaws(() => strategies.create(setting), {
        ...options,
        parse: strategies.create,
        retriever: retrieverOf(name, 'lexical'),
        ...(setting === name ? {} : inTurn()),
      }),
    );
}
for (const { name } of strategies.members.filter(member => member.name !== 'tree-hop')) {
  for (const retriever of ['dense(hashed)', 'fused(lexical, dense(hashed))'])
    runLaws(
      `${name} with ${retriever}`,
      strategyLaws(() => strategies.create(name), {
        retriever,
        embedders: [embedder],
        resources: { 'token-classifiers': shippedClassifiers() },
        ...inTurn(),
      }),
    );
}
/**
 * Replies of a model by role: valid ones, and invalid ones for every role.
 */
const models = {
  'a model that goes on and on': (prompt: Prompt): string =>
    prompt.role === 'cotStep'
      ? `Name${prompt.messages.at(-1)!.text.length} lit the lamp at Harrow Point.`
      : (WELL_FORMED_REPLIES[prompt.role] ?? ''),
  'a model that answers': (prompt: Prompt): string =>
    WELL_FORMED_REPLIES[prompt.role] ?? 'Then Osk Maren won it.',
  'a model that says nothing of use': (prompt: Prompt): string =>
    prompt.messages.length > 2 ? '{"answer": "' : `Sorry! ${'['.repeat(99)}`,
};
const WITH_MODEL = [
  'ir-cot(profile=original, k=2)',
  'ir-cot(profile=comparison-text, k=3, steps=4, paragraphs=4, answer=reader)',
  'ir-cot(profile=comparison-code, k=3, thoughts=model)',
  'iter-retgen(iterations=3, k=2)',
  'iter-retgen(iterations=2, k=4, order=generation-first, field=full, accumulate=last, thoughts=model)',
  'query-decomposition',
  'query-decomposition(integration=sub-contexts, k=3)',
  'query-decomposition(parts=4, k=3, chained=true)',
  'query-decomposition(parts=5, integration=sub-contexts, k=4, chained=true, checked=false)',
  'multi-meta-rag(extractor=model, policy=relax)',
  'bridge-claims(by=model, minTokens=4)',
  'bridge-claims(profile=paper, verify=model, minTokens=4, claims=3)',
  'chain(judgeMultiHop=true)',
  'chain(integration=contexts, profile=code, parts=3)',
  'chain(prompt=300, rounds=2)',
  'hipporag1(k=3)',
  'hipporag1(profile=paper, k=2, steps=3, read=4, prompt=500, thoughts=model, answer=reader)',
  'hipporag2(k=3)',
  'hipporag2(k=2, answer=reader)',
  'naive(k=3)',
  'naive(k=3, decomposition=true)',
  'longrag-units(units=2, size=100)',
  'longrag-dual(k=3)',
  ...['base', 'long', 'extractor', 'filter'].map(mode => `longrag-dual(mode=${mode}, k=2)`),
];
const isFirstOfItsStrategy = (setting: string): boolean =>
  WITH_MODEL.find(other => parseName(other).name === parseName(setting).name) === setting;
for (const strategy of WITH_MODEL)
  for (const [what, script] of Object.entries(models)) {
    // The first settings of each strategy, with valid replies, stand for its default.
    const inFull = what === 'a model that answers' && isFirstOfItsStrategy(strategy);
    runLaws(
      `${strategy} with ${what}`,
      strategyLaws(() => strategies.create(strategy), {
        ...options,
        resources: { ...options.resources, model: scriptedModel(script) },
        parse: strategies.create,
        ...(inFull ? {} : inTurn()),
        recogniser: strategy.startsWith('hipporag2') ? statedFacts : undefined,
      }),
    );
  }
/**
 * A strategy of one's own that names a reranker: the first search, and each document's text read
 * beside the question.
 */
const read = (reranker: string): Strategy => ({
  name: `read(${reranker})`,
  needs: [required(rerankerPort, reranker)],
  async *hops({ text }, { engine, retriever, context, resource }, call) {
    const model = resource(required(rerankerPort, reranker));
    const [hits = []] = await retriever.retrieve([{ text }], SEARCH_DEPTH, call, {
      unit: 'document',
    });
    const documents = await engine.read(
      'document',
      hits.map(({ id }) => id),
      call,
    );
    const scores = new Map<string, number>();
    for (let at = 0; at < documents.length; at += 2) {
      const some = documents.slice(at, at + 2);
      const texts = some.map(document => document.text);
      for (const [index, score] of (await model.score(text, texts, call)).entries())
        scores.set(some[index]!.id, score);
    }
    const selection = new Selection(context, call);
    const rejected: Rejection[] = [];
    const search = { hop: 0, search: 0 };
    for (const hit of hits.toSorted((a, b) => scores.get(b.id)! - scores.get(a.id)!).slice(0, 3)) {
      const { id, documentId, score } = hit;
      if (!(await selection.keep({ id, documentId, search, score })))
        rejected.push({ id, search, ...selection.refusal });
    }
    yield {
      searches: [{ text, retriever: retriever.name, unit: 'document', hits }],
      kept: [...selection.all],
      rejected,
    };
    return { why: 'completed' };
  },
  ranking: hops => evidenceFirst(hops),
});
for (const retriever of ['lexical', 'reranked(lexical, overlap, depth=3)'])
  runLaws(
    `a strategy with a reranker and ${retriever}`,
    strategyLaws(() => read('overlap'), { ...options, retriever }),
  );
const combinations = [
  ['tree-hop(k=2, hops=3)', 'dense(hashed, unit=passage)', 'lead'],
  [
    'tree-hop(k=3, hops=2, pruning=off)',
    'filtered(dense(hashed, unit=passage), "source != Notices")',
    'whole',
  ],
  ['tree-hop(k=2, model=five)', 'dense(five, unit=passage)', 'headers'],
  [
    'slot-agent',
    'filtered(fused(lexical(unit=passage), dense(five, unit=passage)), "source != Notices")',
    'lead',
  ],
  [
    'multi-meta-rag(policy=relax)',
    'fused(lexical(unit=passage), dense(five, unit=passage))',
    'whole',
  ],
  [
    'multi-meta-rag',
    'fused(lexical(unit=passage), clauses(max-p(lexical)), method=weighted)',
    'lead',
  ],
  ['budgeted-agent', 'lexical(s1)', 'headers'],
  ['iterative(rounds=3)', 'lexical(unit=passage)', 'whole'],
  ['fixed-top-k(k=6)', 'lexical(unit=sentence)', 'lead(words=5)'],
  ['budgeted-agent', 'lexical(unit=sentence)', 'sentences'],
  ['iter-retgen(k=3, order=generation-first)', 'lexical(unit=passage)', 'sentences(perDocument=1)'],
  ['slot-agent', 'lexical(bm25(stop=english), unit=passage)', 'lead'],
] as const;
for (const [strategy, retriever, context] of combinations)
  runLaws(
    `${strategy} with ${retriever} and ${context}`,
    strategyLaws(() => strategies.create(strategy), {
      ...options,
      retriever,
      context,
      ...inTurn(),
    }),
  );
