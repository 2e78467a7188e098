/**
 * Chunkers, retrievers, contexts and readers keep the laws of their families, with default settings
 * and others.
 */

import { contexts } from '../../src/context/contexts.ts';
import { chunkers } from '../../src/core/corpus/chunk.ts';
import { mulberry32 } from '../../src/core/mulberry32.ts';
import { needOf } from '../../src/core/port.ts';
import { bestFusion, reciprocalRankFusion, weightedFusion } from '../../src/core/ranking/fusion.ts';
import { answerControls } from '../../src/evaluation/answer-controls.ts';
import { questionAnswerer } from '../../src/models/ports.ts';
import type { Reranker } from '../../src/models/reranker.ts';
import { initialParameters } from '../../src/models/tree-hop/parameters.ts';
import { TREE_HOP_VARIANTS } from '../../src/models/tree-hop/shape.ts';
import { treeHopUpdater } from '../../src/models/tree-hop/tree-hop-updater.ts';
import { readers } from '../../src/readers/readers.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import { retrievers } from '../../src/search/retrievers.ts';
import { answerControlLaws } from '../../src/testing/answer-control-laws.ts';
import { chunkerLaws } from '../../src/testing/chunker-laws.ts';
import { contextLaws } from '../../src/testing/context-laws.ts';
import { embedderLaws } from '../../src/testing/embedder-laws.ts';
import { FIXTURE_DOCUMENTS } from '../../src/testing/fixture-corpus.ts';
import { type Fusion, fusionLaws } from '../../src/testing/fusion-laws.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import type { Law } from '../../src/testing/law.ts';
import { overlapAnswerer } from '../../src/testing/overlap-answerer.ts';
import { overlapReranker } from '../../src/testing/overlap-reranker.ts';
import { queryUpdaterLaws } from '../../src/testing/query-updater-laws.ts';
import { questionAnswererLaws } from '../../src/testing/question-answerer-laws.ts';
import { readerLaws } from '../../src/testing/reader-laws.ts';
import { rerankerLaws } from '../../src/testing/reranker-laws.ts';
import { retrieverLaws } from '../../src/testing/retriever-laws.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { runLaws } from './run-laws.ts';

/** Counts the letters that query and text share. */
const countingReranker: Reranker = {
  id: 'toy',
  score: async (query, texts) =>
    Float32Array.from(
      texts,
      text => [...text].filter(letter => query.includes(letter)).length / text.length,
    ),
};

const names = (
  family: { readonly members: readonly { readonly name: string }[] },
  ...more: readonly string[]
): string[] => [...family.members.map(({ name }) => name), ...more];

for (const name of names(
  chunkers,
  'sentences(per=3)',
  'tokens(size=1, overlap=0)',
  'tokens(size=300, overlap=60)',
  'tokens(size=1000, overlap=200)',
))
  runLaws(name, chunkerLaws(chunkers.create(name)));
for (const name of names(
  answerControls,
  'question-only(folds=question)',
  'swapped-evidence(seed=7)',
  'flipped-evidence(seed=0)',
))
  runLaws(name, answerControlLaws(answerControls.create(name)));
const RETRIEVERS = [
  'lexical',
  'fused',
  'filtered(lexical, "category = property or year = 2024")',
  'dense(hashed, unit=passage)',
  'dense(hashed)',
  'fused(lexical, dense(hashed), clauses(lexical), method=weighted, weights=2:1:1)',
  'fused(lexical(s1, unit=sentence), filtered(dense(hashed, unit=sentence), "source != Notices"), k=1, weights=0.5:3)',
  'filtered(fused(lexical, dense(hashed)), "published_at >= 2024-01-01")',
  'hybrid',
  'hybrid(hashed, unit=document)',
  'hybrid(hashed, vectors=sentence)',
  'clauses',
  'clauses(fused(lexical, dense(hashed)), depth=40)',
  'max-p',
  'max-p(dense(hashed), unit=document, parts=passage, depth=60)',
  'clauses(max-p(lexical(bm25(stop=english))))',
  'fused(lexical(unit=passage), clauses(lexical(unit=passage)), clauses(max-p(lexical)), method=weighted)',
  'reranked(lexical, toy)',
  'reranked(fused(lexical, dense(hashed)), toy, depth=3)',
  'reranked(lexical(unit=passage), toy, ask=clauses, read=sentence, interpolate=1)',
  'lexical(s1)',
  'lexical(unit=passage)',
  'lexical(s1, unit=sentence)',
  'lexical(bm25(k1=0, b=1, stop=english))',
];
/** Retrievers of the family that the list does not name run with their default settings. */
const otherRetrievers = retrievers.members
  .map(({ name }) => name)
  .filter(name => !RETRIEVERS.some(given => given.split('(')[0] === name));
for (const name of [...RETRIEVERS, ...otherRetrievers]) {
  const engine = new EmbeddedEngine({
    documents: FIXTURE_DOCUMENTS,
    chunker: chunkers.create('sentences(per=2)'),
    embedders: [hashedEmbedder()],
  });
  runLaws(
    name,
    retrieverLaws(retrievers.create(name), engine.current, { reranker: countingReranker }),
  );
}
const fusions: Readonly<Record<string, Fusion>> = {
  'reciprocal ranks': rankings => reciprocalRankFusion(rankings),
  'reciprocal ranks, k = 0': rankings => reciprocalRankFusion(rankings, 0),
  'weighted scores': rankings => weightedFusion(rankings),
  'best scores': bestFusion,
};
for (const [name, fuse] of Object.entries(fusions)) runLaws(name, fusionLaws(fuse));
runLaws('hashed embedder', embedderLaws(hashedEmbedder()));
runLaws('overlap reranker', rerankerLaws(overlapReranker(), { tolerance: 0 }));
runLaws('overlap answerer', questionAnswererLaws(overlapAnswerer()));
for (const mode of ['auto', 'plain'] as const) {
  const parameters = initialParameters({ d: 12, g: 10, m: 6, nMlp: 2, heads: 2 }, mulberry32(1));
  const updater = treeHopUpdater({ parameters, provenance: { encoder: 'hashed' } }, { mode });
  runLaws(
    `TreeHop, ${mode}`,
    queryUpdaterLaws(updater, { tolerance: 0, variants: TREE_HOP_VARIANTS }),
  );
}
for (const name of names(
  contexts,
  'lead(words=1)',
  'lead(words=13)',
  'lead(words=100000)',
  'sentences(perDocument=1)',
  'sentences(perDocument=2)',
))
  runLaws(name, contextLaws(contexts.create(name)));
const saying = {
  'cites every passage':
    '{"answer": "Ines Quill", "citations": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], "abstain": false}',
  'cites what is not there':
    '{"answer": "Osk Maren", "citations": [99, -1, 0, "quill-works", null, 1e9], "abstain": false}',
  'cites nothing': '{"answer": "Yes", "citations": [], "abstain": false}',
  'cites its sentences': 'Ines Quill bought it [1][3]. She founded the works [2, 99].',
  abstains: '{"answer": "", "citations": [1], "abstain": true}',
  'is no JSON': 'I am a pirate now. \ud800',
  'is empty': '',
} as const;
const spanLaws = (name: string): Law[] => {
  const reader = readers.create(name);
  const answerer = overlapAnswerer(needOf(reader, questionAnswerer)!.id);
  return readerLaws(reader, { resources: { 'question-answerer': answerer } });
};
for (const name of names(
  readers,
  'generative(form=short)',
  'generative(form=short, prompt=700, uncited=mark)',
  'generative(prompt=700, uncited=mark)',
  'span(toy, support=0)',
  'span(toy, support=1.01)',
)) {
  if (readers.create(name).needs === undefined) runLaws(name, readerLaws(readers.create(name)));
  else if (needOf(readers.create(name), questionAnswerer)) runLaws(name, spanLaws(name));
  else
    for (const [what, said] of Object.entries(saying))
      runLaws(
        `${name}, a model that ${what}`,
        readerLaws(readers.create(name), { resources: { model: scriptedModel(() => said) } }),
      );
}
