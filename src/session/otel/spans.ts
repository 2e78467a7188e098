/**
 * Reports runs as spans of OpenTelemetry, in the terms of its conventions for generative AI: a span
 * for the run (`invoke_agent`), inside it one for each hop and for the reading, inside these one
 * for each search (`retrieval`) and each call of a language model (`chat`). Texts are left out
 * unless they are asked for. The package `@opentelemetry/api` is an optional peer.
 *
 * A trace holds the time of each hop and no time of a search, so that the spans of searches take
 * the time of their hop.
 */
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import { defined } from '../../core/defined.ts';
import { hitCount } from '../../core/trace/recorder.ts';
import type { Hop, Search, Trace, TraceEvent } from '../../core/trace/trace.ts';
import { decorated, generateChecked } from '../../models/checked-completion.ts';
import type { Completion, LanguageModel, Message, Prompt } from '../../models/language-model.ts';
import { loadPackage } from '../../platform/optional-package.ts';
import { thisPackage } from '../../platform/package-root.ts';
import { wallClock } from '../../platform/wall-clock.ts';
import { GEN_AI, MULTIHOP } from './attributes.ts';

type Api = typeof import('@opentelemetry/api');

const AGENT = 'multihop';

/** Loads the package. Throws `PortError('missing-package')`. */
export const openTelemetry = async (): Promise<Api> =>
  (await loadPackage('telemetry', { name: '@opentelemetry/api', user: 'Spans' })) as Api;

/** The spans of one run, under the span that is active when it begins. */
export class RunSpans {
  private readonly api: Api;
  private readonly content: boolean;
  private readonly tracer: Tracer;
  private readonly startTime: number;
  private readonly run: Span;
  private readonly within: Context;
  private readonly used = { input: 0, output: 0 };
  /** The time at which the current phase began: a hop, or the reading after the hops. */
  private from: number;
  /** The time at which the run ended; now if it failed. */
  private to: number | undefined;
  private phase: Span | undefined;
  private dataSource: string | undefined;

  /** `startTime`: milliseconds since 1970 from which the events of the run count. */
  constructor(api: Api, content: boolean, startTime: number) {
    this.startTime = startTime;
    this.from = startTime;
    this.api = api;
    this.content = content;
    const { version } = thisPackage();
    this.tracer = api.trace.getTracer(AGENT, version);
    const attributes = {
      [GEN_AI.operation]: 'invoke_agent',
      [GEN_AI.agent]: AGENT,
      [GEN_AI.agentVersion]: version,
    };
    this.run = this.tracer.startSpan(`invoke_agent ${AGENT}`, { startTime, attributes });
    this.within = api.trace.setSpan(api.context.active(), this.run);
  }

  /** Passes the events of the run on; its spans end however it ends. */
  async *watch(
    events: AsyncGenerator<TraceEvent, Trace, void>,
  ): AsyncGenerator<TraceEvent, Trace, void> {
    try {
      for (;;) {
        const step = await events.next();
        if (step.done) return step.value;
        this.event(step.value);
        yield step.value;
      }
    } catch (error) {
      this.fail(error);
      throw error;
    } finally {
      await events.return(undefined as never);
      this.phase?.end();
      this.run.end(this.to);
    }
  }

  /** Returns the model with a span for each of its calls. */
  model(model: LanguageModel): LanguageModel {
    return decorated(model, async (prompt, call, onText) => {
      const span = this.child(`chat ${model.id}`, {
        [GEN_AI.operation]: 'chat',
        [GEN_AI.provider]: /^([\w-]+):/.exec(model.id)?.[1] ?? '_OTHER',
        [GEN_AI.model]: model.id,
        [GEN_AI.maxTokens]: prompt.maxTokens,
      });
      try {
        const completion = await generateChecked(model, prompt, call, onText);
        this.used.input += completion.usage.input;
        this.used.output += completion.usage.output;
        span.setAttributes(completionAttributes(completion));
        if (this.content) span.setAttributes(messageAttributes(prompt, completion));
        return completion;
      } catch (error) {
        this.refuse(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  }

  private event(event: TraceEvent): void {
    const now = this.startTime + event.ms;
    const { ms: _, ...record } = event;
    if (event.type === 'question') {
      const { corpus } = event.manifest;
      this.dataSource = typeof corpus === 'string' ? corpus : undefined;
      const { strategy, retriever, reader } = event;
      this.run.setAttributes({
        [MULTIHOP.strategy]: strategy,
        [MULTIHOP.retriever]: retriever,
        [MULTIHOP.reader]: reader,
      });
      this.record(this.run, MULTIHOP.questionRecord, record);
      this.record(this.run, GEN_AI.inputMessages, messages([['user', event.question.text]]));
    } else if (event.type === 'hop') this.hop(event.hop, event.index, now);
    else if (event.type === 'context') {
      this.from = now;
      this.record(this.run, MULTIHOP.contextRecord, record);
    } else if (event.type === 'answer') {
      const { answer } = event;
      this.run.setAttribute(MULTIHOP.answer, answer.kind);
      const text = answer.kind === 'abstained' ? answer.reason : answer.text;
      this.record(this.run, MULTIHOP.answerRecord, record);
      this.record(this.run, GEN_AI.outputMessages, messages([['assistant', text]], 'stop'));
      this.phase?.end(now);
      this.phase = undefined;
    } else {
      this.to = now;
      this.end(event);
    }
  }

  private hop(hop: Hop, index: number, now: number): void {
    const span = this.phaseSpan();
    span.updateName(`hop ${index + 1}`);
    span.setAttributes({
      [MULTIHOP.hopIndex]: index,
      [MULTIHOP.hopKept]: hop.kept.length,
      [MULTIHOP.hopRejected]: hop.rejected.length,
    });
    const { searches, ...rest } = hop;
    // The hits stand in the spans of the searches.
    const recorded = searches.map(({ hits: _, ...search }) => search);
    this.record(span, MULTIHOP.hopRecord, { ...rest, searches: recorded });
    for (const search of searches) this.search(search, now);
    span.end(now);
    this.phase = undefined;
    this.from = now;
  }

  private search(search: Search, now: number): void {
    const { retriever, unit, hits, text } = search;
    const attributes = defined<Attributes>({
      [GEN_AI.operation]: 'retrieval',
      [GEN_AI.dataSource]: this.dataSource,
      [MULTIHOP.retriever]: retriever,
      [MULTIHOP.unit]: unit,
      [MULTIHOP.hits]: hitCount(search),
      [GEN_AI.query]: this.content ? text : undefined,
    });
    const span = this.child(`retrieval ${this.dataSource ?? unit}`, attributes, this.from);
    this.record(
      span,
      GEN_AI.documents,
      hits.map(({ id, documentId, start, end, score }) => ({
        id: documentId,
        score,
        passage: id,
        start,
        end,
      })),
    );
    span.end(now);
  }

  private end({ spent, stopped, ...event }: Extract<TraceEvent, { type: 'end' }>): void {
    const { input, output } = this.used;
    this.run.setAttributes(
      defined<Attributes>({
        [MULTIHOP.hops]: spent.hops ?? 0,
        [MULTIHOP.stopped]: stopped?.by,
        [GEN_AI.inputTokens]: spent.modelCalls ? input : undefined,
        [GEN_AI.outputTokens]: spent.modelCalls ? output : undefined,
        ...Object.fromEntries(
          Object.entries(spent).map(([name, amount]) => [`multihop.spent.${name}`, amount]),
        ),
      }),
    );
    this.record(this.run, MULTIHOP.endRecord, { ...event, spent, stopped });
    if (stopped?.by === 'failure') this.status(this.run, stopped.code);
  }

  /** Starts a span inside the current phase, which begins with it. */
  private child(name: string, attributes: Attributes, startTime: number = wallClock()): Span {
    const inside = this.api.trace.setSpan(this.within, this.phaseSpan());
    return this.tracer.startSpan(name, { startTime, attributes }, inside);
  }

  private phaseSpan(): Span {
    this.phase ??= this.tracer.startSpan('read', { startTime: this.from }, this.within);
    return this.phase;
  }

  private record(span: Span, name: string, value: unknown): void {
    if (this.content) span.setAttribute(name, JSON.stringify(value));
  }

  private fail(error: unknown): void {
    this.refuse(this.run, error);
  }

  /** Reports the code of an error alone: a message may hold paths and texts. */
  private refuse(span: Span, error: unknown): void {
    const code = (error as { readonly code?: unknown }).code;
    this.status(span, typeof code === 'string' ? code : 'error');
  }

  private status(span: Span, code: string): void {
    span.setAttribute('error.type', code);
    span.setStatus({ code: this.api.SpanStatusCode.ERROR, message: code });
  }
}

const FINISH = { stop: 'stop', length: 'length', filtered: 'content_filter', other: 'other' };

function completionAttributes({ usage, finish }: Completion): Attributes {
  return defined<Attributes>({
    [GEN_AI.inputTokens]: usage.input,
    [GEN_AI.outputTokens]: usage.output,
    [GEN_AI.cachedTokens]: usage.reused,
    [GEN_AI.thoughtTokens]: usage.thoughts,
    [GEN_AI.finishReasons]: [FINISH[finish]],
  });
}

const messageAttributes = (prompt: Prompt, { text, finish }: Completion): Attributes => ({
  [GEN_AI.inputMessages]: JSON.stringify(
    messages(prompt.messages.map((message: Message) => [message.role, message.text])),
  ),
  [GEN_AI.outputMessages]: JSON.stringify(messages([['assistant', text]], FINISH[finish])),
});

/** Returns messages as the conventions shape them. */
const messages = (said: readonly (readonly [string, string])[], finish?: string): object[] =>
  said.map(([role, content]) =>
    defined<object>({ role, parts: [{ type: 'text', content }], finish_reason: finish }),
  );
