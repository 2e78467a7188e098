/**
 * Types that results of this package have and that a program rarely writes itself: compilers name
 * them in the declarations of a library that exports such a result.
 *
 * @module multihop/types
 */
export type {
  AgentToolInput,
  AgentToolName,
  AgentToolOptions,
  AgentToolOutput,
} from './agents/agent-tools.ts';
export type { ContextName } from './context/context-names.ts';
export type { AnalysisCache } from './core/corpus/analysis-cache.ts';
export type { CorpusKind } from './core/corpus/corpus-kind.ts';
export type { BlockKind, Span } from './core/corpus/document.ts';
export type { Remedy } from './core/errors.ts';
export type { Family, Member, Parameter } from './core/naming/family.ts';
export type { Name } from './core/naming/name.ts';
export type { SomeSpec, Spec } from './core/naming/spec.ts';
export type { Need, ResourceLookup } from './core/port.ts';
export type { SearchMode } from './core/search-mode.ts';
export type { Steps } from './core/steps.ts';
export type { CitedField, Cut } from './core/trace/answer.ts';
export type { ChainOptions, Heads } from './core/trace/audit-chain.ts';
export type { BrokenLaw } from './core/trace/broken-law.ts';
export type { PassageNode } from './core/trace/passage-tree.ts';
export type { ContextText, End, ModelOutput, RejectionReason } from './core/trace/trace.ts';
export type { TraceSignature } from './core/trace/trace-signature.ts';
export type { LimitName } from './core/trace/usage.ts';
export type { DataSetFormat } from './documents/data-sets.ts';
export type { SkippedEvent } from './documents/format.ts';
export type { KeptWords } from './documents/kept-words.ts';
export type { Progress } from './evaluation/evaluate-options.ts';
export type { Evaluation, Scores } from './evaluation/evaluation-result.ts';
export type { Turn } from './language/follow-ups/turn.ts';
export type { ReplayedModel } from './models/cached-model.ts';
export type { EmbeddingRole } from './models/embedder.ts';
export type { EntityRecogniser } from './models/entity-recogniser.ts';
export type { MeteredModel } from './models/metered-model.ts';
export type { PlannedCalls } from './models/planned-calls.ts';
export type { Price, PriceTable } from './models/price.ts';
export type { ReplyRoom } from './models/reply-room.ts';
export type { Resources } from './models/resources.ts';
export type { DescribedSchema, OfSchema, StandardSchema } from './models/standard-schema.ts';
export type { Checkpoint } from './models/tree-hop/checkpoint.ts';
export type { TreeHopVariant } from './models/tree-hop/shape.ts';
export type { ContentHash, VectorCache } from './models/vector-cache.ts';
export type { MetadataExtractor } from './planning/metadata/extractor.ts';
export type {
  RecordedSubQuestion,
  RecordedSubQuestions,
} from './planning/sub-questions/recorded-sub-questions.ts';
export type { LoadLibrary } from './platform/optional-package.ts';
export type { RequestOptions } from './providers/ai-language-call.ts';
export type { AiLanguageModel } from './providers/ai-language-shapes.ts';
export type { AiEmbeddingModel, AiRerankingModel, ProviderOptions } from './providers/ai-models.ts';
export type { GgufLanguageModel } from './providers/llama/gguf-language-model.ts';
export type { RemoteEmbedder, RemoteEmbedderOptions } from './providers/remote-embedder.ts';
export type { OnNote } from './providers/request-parameters.ts';
export type { LocalEmbedder } from './providers/transformers-embedder.ts';
export type { LocalLanguageModel } from './providers/transformers-language-model.ts';
export type { LocalQuestionAnswerer } from './providers/transformers-question-answerer.ts';
export type { LocalReranker } from './providers/transformers-reranker.ts';
export type { LocalTagger } from './providers/transformers-tagger.ts';
export type { ReaderName } from './readers/reader-names.ts';
export type { ReadEvent, SkippedDocument } from './run/ingest.ts';
export type { CapableEngine } from './search/capabilities.ts';
export type { SegmentedCorpus, StoredSegment } from './search/corpus/segmented-corpus.ts';
export type { DerivedIndex, Staleness } from './search/derived/derived-index.ts';
export type { StoredDerived } from './search/derived/derived-indexes.ts';
export type { Catalogue } from './search/engine.ts';
export type { DocumentsAtHand, EngineItem } from './search/engine-parts.ts';
export type { Explain, ExplainRequest } from './search/ports/explain-port.ts';
export type { FindPort, PortMethod, ServedPort } from './search/ports.ts';
export type { RetrieverName } from './search/retriever-names.ts';
export type { ServePorts, Snapshot } from './search/snapshot.ts';
export type { TextTemplate } from './search/vectors/text-templates.ts';
export type {
  DocumentPage,
  EmbeddedEvent,
  GraphEvent,
  IngestedPaths,
  IngestSummary,
  PhaseEvent,
  Retrieved,
  StoreAskOptions,
  StoreIngestOptions,
  StorePageOptions,
  StoreSearchOptions,
} from './session/document-store.ts';
export type { GivenModel } from './session/given-model.ts';
export type { OpenFile } from './stores/disk/disk.ts';
export type { StoreReport } from './stores/disk/verify-store.ts';
export type { RemoteEngine, RemoteEngineOptions } from './stores/servers/remote-engine.ts';
export type { StrategyName } from './strategies/strategy-names.ts';
export type { HashedEmbedder } from './testing/hashed-embedder.ts';
export type { OverlapReranker } from './testing/overlap-reranker.ts';
export type { ScriptedModel } from './testing/scripted-model.ts';
