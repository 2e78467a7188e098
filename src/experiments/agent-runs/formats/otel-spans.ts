/** Reads spans of OpenTelemetry from OTLP as JSON, and from JSON that exporters of SDKs print. */
import { GEN_AI } from '../../../session/otel/attributes.ts';
import { amountOf, type Fields, fieldsOf, isFields, listOf, textOf } from '../agent-run.ts';

export interface ReadSpan {
  readonly trace: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Fields;
  readonly hasFailed: boolean;
}

/**
 * Names of the AI SDK before version 7, for attributes of the conventions; both count. Operations
 * are `ai.generateText`, `ai.streamText` and `ai.toolCall`, and `.doGenerate` calls the model.
 */
const OLDER: Readonly<Record<string, string>> = {
  'ai.toolCall.name': GEN_AI.toolName,
  'ai.toolCall.args': GEN_AI.toolArguments,
  'ai.toolCall.result': GEN_AI.toolResult,
  'ai.usage.inputTokens': GEN_AI.inputTokens,
  'ai.usage.outputTokens': GEN_AI.outputTokens,
  'ai.prompt': GEN_AI.inputMessages,
  'ai.prompt.messages': GEN_AI.inputMessages,
  'ai.response.text': GEN_AI.outputMessages,
  'ai.telemetry.functionId': GEN_AI.agent,
};

function conventional(attributes: Fields): Fields {
  const operation = textOf(attributes, 'ai.operationId');
  if (operation === undefined) return attributes;
  const kind = /^ai\.toolCall/.test(operation)
    ? 'execute_tool'
    : /\.do(?:Generate|Stream)$/.test(operation)
      ? 'chat'
      : 'invoke_agent';
  const more = Object.entries(OLDER).flatMap(([older, name]) =>
    older in attributes ? [[name, attributes[older]] as const] : [],
  );
  return { ...Object.fromEntries(more), ...attributes, [GEN_AI.operation]: kind };
}

const OPENAI_OPERATIONS: Fields = {
  task: 'invoke_workflow',
  agent: 'invoke_agent',
  function: 'execute_tool',
  generation: 'chat',
  response: 'chat',
};

/** Names what a span of the tracing of the OpenAI Agents SDK says by the conventions. */
function openAiSpan(span: Fields): Fields {
  const data = fieldsOf(span['span_data']);
  const { name, input, output } = data;
  const type = textOf(data['data'], 'sdk_span_type') ?? textOf(data, 'type') ?? '';
  const operation = Object.hasOwn(OPENAI_OPERATIONS, type) ? OPENAI_OPERATIONS[type] : undefined;
  const isTool = operation === 'execute_tool';
  // The output of a call is a chat completion, whose message is the reply.
  const completion = fieldsOf(listOf(output)[0]);
  const said = listOf(completion['choices']).map(choice => fieldsOf(choice)['message']);
  const usage = data['usage'] ?? completion['usage'];
  return {
    ...span,
    name: type,
    startTime: span['started_at'],
    endTime: span['ended_at'],
    status: { code: span['error'] ? 'ERROR' : 'OK' },
    attributes: {
      [GEN_AI.operation]: operation,
      [GEN_AI.agent]: operation === 'invoke_agent' ? name : undefined,
      [GEN_AI.toolName]: name,
      [isTool ? GEN_AI.toolArguments : GEN_AI.inputMessages]: input,
      [isTool ? GEN_AI.toolResult : GEN_AI.outputMessages]: isTool ? output : said,
      [GEN_AI.inputTokens]: amountOf(usage, 'input_tokens', 'prompt_tokens'),
      [GEN_AI.outputTokens]: amountOf(usage, 'output_tokens', 'completion_tokens'),
    },
  };
}

/** Tells if a value is a span, or an export of OTLP. */
export const isSpans = (value: unknown): boolean =>
  isFields(value) &&
  (Array.isArray(value['resourceSpans'] ?? value['resource_spans']) || isSpan(value));

const isSpan = (value: Fields): boolean =>
  traceOf(value) !== undefined &&
  (isFields(value['span_data']) ||
    (isFields(value['attributes']) && typeof value['name'] === 'string'));

const traceOf = (value: Fields): string | undefined =>
  textOf(value, 'traceId', 'trace_id') ?? textOf(value['spanContext'], 'traceId');

/** Returns all spans of a value, as `isSpans` knows it. */
export function spansIn(value: unknown): ReadSpan[] {
  const { resourceSpans, resource_spans: snake } = fieldsOf(value);
  const resources = listOf(resourceSpans ?? snake);
  if (resources.length === 0) return isFields(value) && isSpan(value) ? [printedSpan(value)] : [];
  return resources
    .flatMap(one => listOf(fieldsOf(one)['scopeSpans'] ?? fieldsOf(one)['scope_spans']))
    .flatMap(scope => listOf(fieldsOf(scope)['spans']))
    .filter(isFields)
    .map(otlpSpan);
}

function otlpSpan(span: Fields): ReadSpan {
  const attributes = Object.fromEntries(
    listOf(span['attributes']).map(one => [
      textOf(one, 'key') ?? '',
      attributeOf(fieldsOf(one)['value']),
    ]),
  );
  return {
    trace: textOf(span, 'traceId', 'trace_id') ?? '',
    id: textOf(span, 'spanId', 'span_id') ?? '',
    parent: textOf(span, 'parentSpanId', 'parent_span_id') ?? '',
    name: textOf(span, 'name') ?? '',
    start: Number(span['startTimeUnixNano'] ?? span['start_time_unix_nano'] ?? 0) / 1e6,
    end: Number(span['endTimeUnixNano'] ?? span['end_time_unix_nano'] ?? 0) / 1e6,
    attributes: conventional(attributes),
    hasFailed: hasFailed(span, attributes),
  };
}

const hasFailed = (span: Fields, attributes: Fields): boolean =>
  'error.type' in attributes || /^(?:2|.*ERROR)$/.test(textOf(span['status'], 'code') ?? '');

/** Returns the value of an attribute of OTLP. */
function attributeOf(value: unknown): unknown {
  const fields = fieldsOf(value);
  const { stringValue, intValue, doubleValue, boolValue, arrayValue, kvlistValue } = fields;
  if (intValue !== undefined) return Number(intValue);
  if (arrayValue !== undefined) return listOf(fieldsOf(arrayValue)['values']).map(attributeOf);
  if (kvlistValue !== undefined)
    return Object.fromEntries(
      listOf(fieldsOf(kvlistValue)['values']).map(one => [
        textOf(one, 'key') ?? '',
        attributeOf(fieldsOf(one)['value']),
      ]),
    );
  return stringValue ?? doubleValue ?? boolValue;
}

/** Reads a span as `JSON.stringify` or an exporter to the console writes it. */
function printedSpan(printed: Fields): ReadSpan {
  const span = isFields(printed['span_data']) ? openAiSpan(printed) : printed;
  const attributes = fieldsOf(span['attributes']);
  const context = fieldsOf(span['spanContext']);
  const start = timeOf(span['startTime'] ?? span['start_time'] ?? micros(span['timestamp']));
  const took = micros(span['duration']) ?? 0;
  const end = timeOf(span['endTime'] ?? span['end_time'] ?? start + took);
  return {
    trace: traceOf(span)!,
    id: textOf(span, 'spanId', 'span_id', 'id') ?? textOf(context, 'spanId') ?? '',
    parent:
      textOf(span, 'parentSpanId', 'parent_span_id', 'parentId', 'parent_id') ??
      textOf(span['parentSpanContext'], 'spanId') ??
      '',
    name: textOf(span, 'name')!,
    start,
    end,
    attributes: conventional(attributes),
    hasFailed: hasFailed(span, attributes),
  };
}

/** Exporters to the console print microseconds. */
const micros = (value: unknown): number | undefined =>
  typeof value === 'number' ? value / 1000 : undefined;

/** Reads milliseconds, seconds with nanoseconds, or an ISO time. */
function timeOf(value: unknown): number {
  if (Array.isArray(value)) return Number(value[0]) * 1000 + Number(value[1]) / 1e6;
  const time = typeof value === 'string' ? Date.parse(value) : Number(value ?? 0);
  return Number.isFinite(time) ? time : 0;
}
