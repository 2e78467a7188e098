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
import { QUESTION, REPLIES, search } from './scene.ts';

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
  let at = 0;
  const agent = new ToolLoopAgent({
    telemetry,
    model: new MockLanguageModelV4({ doGenerate: async () => REPLIES[at++]! }),
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
