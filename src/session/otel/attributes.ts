/**
 * Names of the attributes of spans: those of the conventions of OpenTelemetry for generative AI,
 * which a test compares with the registry, and those of this package.
 */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  agent: 'gen_ai.agent.name',
  agentVersion: 'gen_ai.agent.version',
  conversation: 'gen_ai.conversation.id',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  maxTokens: 'gen_ai.request.max_tokens',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  thoughtTokens: 'gen_ai.usage.reasoning.output_tokens',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  dataSource: 'gen_ai.data_source.id',
  query: 'gen_ai.retrieval.query.text',
  documents: 'gen_ai.retrieval.documents',
  toolName: 'gen_ai.tool.name',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
} as const;

/** Attributes beside the conventions. Those of a record hold a part of a trace as JSON. */
export const MULTIHOP = {
  strategy: 'multihop.strategy',
  retriever: 'multihop.retriever',
  reader: 'multihop.reader',
  unit: 'multihop.unit',
  hits: 'multihop.hits',
  answer: 'multihop.answer',
  hops: 'multihop.hops',
  stopped: 'multihop.stopped',
  hopIndex: 'multihop.hop.index',
  hopKept: 'multihop.hop.kept',
  hopRejected: 'multihop.hop.rejected',
  /** Records: the question event, a hop without its hits, the context event, the answer event. */
  questionRecord: 'multihop.record.question',
  hopRecord: 'multihop.record.hop',
  contextRecord: 'multihop.record.context',
  answerRecord: 'multihop.record.answer',
  endRecord: 'multihop.record.end',
} as const;
