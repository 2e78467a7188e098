/** Law suites for third parties (`multihop/testing`): plain data, to be run by any test runner. */
export { chunkerLaws } from './chunker-laws.ts';
export { contextLaws } from './context-laws.ts';
export { type EmbedderLawsOptions, embedderLaws } from './embedder-laws.ts';
export { type EngineLawsOptions, engineLaws } from './engine-laws.ts';
export { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS, HOSTILE_QUESTIONS } from './fixture-corpus.ts';
export { type Fusion, fusionLaws } from './fusion-laws.ts';
export { type HashedEmbedder, hashedEmbedder } from './hashed-embedder.ts';
export { type LanguageModelLawsOptions, languageModelLaws } from './language-model-laws.ts';
export { type Law, LawBroken } from './law.ts';
export { measureLaws } from './measure-laws.ts';
export { type OverlapReranker, overlapReranker } from './overlap-reranker.ts';
export { type QueryUpdaterLawsOptions, queryUpdaterLaws } from './query-updater-laws.ts';
export { type ReaderLawsOptions, readerLaws } from './reader-laws.ts';
export { retrieverLaws } from './retriever-laws.ts';
export { type Script, type ScriptedModel, scriptedModel } from './scripted-model.ts';
export { type StrategyLawsOptions, strategyLaws } from './strategy-laws.ts';
