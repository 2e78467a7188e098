/**
 * Records a ToolLoopAgent of the AI SDK: its result with steps, its spans as OTLP, and those of
 * versions before 7.
 */
import { LegacyOpenTelemetry, OpenTelemetry } from '@ai-sdk/otel';
import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { type TelemetryOptions, ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { otlpJson } from '../../test/otlp-json.ts';
import { ANSWER, QUERIES, QUESTION, search } from './scene.ts';

const usage = {
  inputTokens: { total: 120, noCache: 120, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 15, text: 15, reasoning: 0 },
};

export async function recordAiSdk(): Promise<Record<string, string>> {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  const spans = (): string => JSON.stringify(otlpJson(exporter.getFinishedSpans() as never));
  const { steps, text } = await askAgent({ integrations: new OpenTelemetry() });
  const files = {
    'ai-sdk-steps.jsonl': JSON.stringify({ question: QUESTION, steps, text }),
    'ai-sdk-otel.jsonl': spans(),
  };
  exporter.reset();
  await askAgent({ integrations: new LegacyOpenTelemetry() });
  return { ...files, 'ai-sdk-6-otel.jsonl': spans() };
}

async function askAgent(telemetry: TelemetryOptions) {
  const calls = QUERIES.map((query, index) => ({
    content: [
      {
        type: 'tool-call' as const,
        toolCallId: `call-${index}`,
        toolName: 'search',
        input: JSON.stringify({ query }),
      },
    ],
    finishReason: { unified: 'tool-calls' as const, raw: undefined },
    usage,
    warnings: [],
  }));
  const last = {
    content: [{ type: 'text' as const, text: ANSWER }],
    finishReason: { unified: 'stop' as const, raw: undefined },
    usage,
    warnings: [],
  };
  const replies = [...calls, last];
  let at = 0;
  const agent = new ToolLoopAgent({
    telemetry,
    model: new MockLanguageModelV4({ doGenerate: async () => replies[at++]! }),
    instructions: 'Answer from what you find.',
    tools: {
      search: tool({
        description: 'Searches the documents.',
        inputSchema: z.object({ query: z.string() }),
        execute: async ({ query }) => search(query),
      }),
    },
  });
  return await agent.generate({ prompt: QUESTION });
}
