/** Writes spans of the SDK of OpenTelemetry as OTLP in JSON, as its exporters do. */
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

type Pairs = Readonly<Record<string, unknown>>;

const value = (one: unknown): object => {
  if (Array.isArray(one)) return { arrayValue: { values: one.map(value) } };
  if (typeof one === 'boolean') return { boolValue: one };
  if (typeof one === 'number')
    return Number.isInteger(one) ? { intValue: one } : { doubleValue: one };
  return { stringValue: String(one) };
};

const attributes = (pairs: Pairs): object[] =>
  Object.entries(pairs).map(([key, one]) => ({ key, value: value(one) }));

const nanos = ([seconds, rest]: readonly [number, number]): string =>
  String(BigInt(seconds) * 1_000_000_000n + BigInt(rest));

/** Returns one export request. */
export const otlpJson = (spans: readonly ReadableSpan[]): object => ({
  resourceSpans: [
    {
      resource: { attributes: attributes({ 'service.name': 'test' }) },
      scopeSpans: [
        {
          scope: { name: 'multihop' },
          spans: spans.map(span => ({
            traceId: span.spanContext().traceId,
            spanId: span.spanContext().spanId,
            parentSpanId: span.parentSpanContext?.spanId,
            name: span.name,
            kind: span.kind + 1,
            startTimeUnixNano: nanos(span.startTime),
            endTimeUnixNano: nanos(span.endTime),
            attributes: attributes(span.attributes),
          })),
        },
      ],
    },
  ],
});
