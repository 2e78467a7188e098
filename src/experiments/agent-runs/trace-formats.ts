/** Records the formats of traces; the first one that accepts a file reads it. */
import { recordNamed } from '../../documents/format.ts';
import { mcp } from './formats/mcp.ts';
import { messages } from './formats/messages.ts';
import { multihop } from './formats/multihop.ts';
import { openAiAgents } from './formats/openai-agents.ts';
import { otel } from './formats/otel.ts';
import { runs } from './formats/runs.ts';
import { steps } from './formats/steps.ts';
import type { TraceFormat } from './trace-format.ts';

export const traceFormats: readonly TraceFormat[] = [
  otel,
  runs,
  steps,
  openAiAgents,
  messages,
  mcp,
  multihop,
];

/** Throws `InputError('unknown-format')`. */
export const traceFormatNamed = (name: string): TraceFormat =>
  recordNamed(traceFormats, name, ['unknown-format', 'format of traces']);
