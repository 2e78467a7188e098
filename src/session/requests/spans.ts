/**
 * Reports finished runs as spans of OpenTelemetry: one a run, a hop and a search, in the terms of
 * its conventions for generative AI, without questions, queries and texts. The package
 * `@opentelemetry/api` is an optional peer: without it, or without an SDK, nothing is reported.
 *
 * A trace holds the time of each hop and no time of a search, so that the spans of searches take
 * the time of their hop.
 */
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import { defined } from '../../core/defined.ts';
import type { Hop, Trace, TraceEvent } from '../../core/trace/trace.ts';
import { loadPackage } from '../../platform/optional-package.ts';
import { thisPackage } from '../../platform/package-root.ts';
import { wallClock } from '../../platform/wall-clock.ts';

type Api = typeof import('@opentelemetry/api');

/** Collects the times of the events of one run; `end` reports them. */
export interface RunSpans {
  event(event: TraceEvent): void;
  end(trace: Trace): void;
  fail(error: unknown): void;
}

/** Returns undefined where the package is not installed. */
export async function openSpans(): Promise<Spans | undefined> {
  try {
    const api = (await loadPackage('telemetry', {
      name: '@opentelemetry/api',
      user: 'Spans',
    })) as Api;
    return new Spans(api);
  } catch {
    return undefined;
  }
}

export class Spans {
  private readonly api: Api;
  private readonly tracer: Tracer;

  constructor(api: Api) {
    this.api = api;
    this.tracer = api.trace.getTracer('multihop', thisPackage().version);
  }

  /** Begins the span of a run, under the span that is active. */
  begin(operation: string): RunSpans {
    const startTime = wallClock();
    const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': operation };
    const span = this.tracer.startSpan(`invoke_agent ${operation}`, { startTime, attributes });
    const within = this.api.trace.setSpan(this.api.context.active(), span);
    let before = startTime;
    return {
      event: event => {
        const now = startTime + event.ms;
        if (event.type === 'hop')
          this.hop(event.hop, { index: event.index, from: before, to: now, within });
        before = now;
      },
      end: trace => {
        span.setAttributes(attributesOf(trace));
        if (trace.stopped?.by === 'failure')
          span.setStatus({ code: this.api.SpanStatusCode.ERROR, message: trace.stopped.code });
        span.end(startTime + trace.ms);
      },
      fail: error => this.fail(span, error),
    };
  }

  private hop(
    hop: Hop,
    at: {
      readonly index: number;
      readonly from: number;
      readonly to: number;
      readonly within: Context;
    },
  ): void {
    const { index, from, to, within } = at;
    const attributes = {
      'multihop.hop.index': index,
      'multihop.hop.kept': hop.kept.length,
      'multihop.hop.rejected': hop.rejected.length,
    };
    const span = this.tracer.startSpan(`hop ${index + 1}`, { startTime: from, attributes }, within);
    const inside = this.api.trace.setSpan(within, span);
    for (const { retriever, unit, hits, found } of hop.searches) {
      const searched = {
        'gen_ai.operation.name': 'retrieval',
        'multihop.retriever': retriever,
        'multihop.unit': unit,
        'multihop.hits': found ?? hits.length,
      };
      const options = { startTime: from, attributes: searched };
      this.tracer.startSpan(`retrieval ${unit}`, options, inside).end(to);
    }
    span.end(to);
  }

  private fail(span: Span, error: unknown): void {
    const code = (error as { readonly code?: unknown }).code;
    const message = typeof code === 'string' ? code : 'error';
    span.setAttribute('error.type', message);
    span.setStatus({ code: this.api.SpanStatusCode.ERROR, message });
    span.end();
  }
}

function attributesOf({
  strategy,
  retriever,
  reader,
  answer,
  spent,
  stopped,
  hops,
}: Trace): Attributes {
  return defined({
    'multihop.strategy': strategy,
    'multihop.retriever': retriever,
    'multihop.reader': reader,
    'multihop.answer': answer.kind,
    'multihop.hops': hops.length,
    'multihop.stopped': stopped ? stopped.by : undefined,
    ...Object.fromEntries(
      Object.entries(spent).map(([name, amount]) => [`multihop.spent.${name}`, amount]),
    ),
  });
}
