/**
 * Exports law suites as plain data for any test runner, and the fixtures and models that they use.
 *
 * @module multihop/testing
 */
export { chunkerLaws } from './chunker-laws.ts';
export { contextLaws } from './context-laws.ts';
export { embedderLaws } from './embedder-laws.ts';
export { engineLaws } from './engine-laws.ts';
export { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
export { hashedEmbedder } from './hashed-embedder.ts';
export { languageModelLaws } from './language-model-laws.ts';
export { type Law, LawBroken } from './law.ts';
export { measureLaws } from './measure-laws.ts';
export { overlapReranker } from './overlap-reranker.ts';
export { queryUpdaterLaws } from './query-updater-laws.ts';
export { questionAnswererLaws } from './question-answerer-laws.ts';
export { readerLaws } from './reader-laws.ts';
export { rerankerLaws } from './reranker-laws.ts';
export { retrieverLaws } from './retriever-laws.ts';
export { type Script, scriptedModel } from './scripted-model.ts';
export { strategyLaws } from './strategy-laws.ts';
