/** Runs the laws of formats of traces over every member, on recorded traces and on bad input. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AuditChain } from '../../src/core/trace/audit-chain.ts';
import { traceOf } from '../../src/core/trace/trace.ts';
import { brokenLaw } from '../../src/core/trace/trace-laws.ts';
import type { Example } from '../../src/evaluation/example.ts';
import type { AgentRun } from '../../src/experiments/agent-runs/agent-run.ts';
import { eventsOfRun } from '../../src/experiments/agent-runs/agent-trace.ts';
import { FoundDocuments } from '../../src/experiments/agent-runs/found-documents.ts';
import { QuestionFinder, valuesOf } from '../../src/experiments/agent-runs/read-runs.ts';
import type { EventRun } from '../../src/experiments/agent-runs/trace-format.ts';
import { traceFormats } from '../../src/experiments/agent-runs/trace-formats.ts';
import { sha256 } from '../../src/platform/sha256.ts';

const TRACES = join(import.meta.dirname, '..', '..', 'examples', 'agent-traces', 'traces');
const QUESTION = 'Who leads the owner of the bay where the Linnet lost its engines?';
const ANSWER = 'Nobody that I found leads the Tern Trust.';
const recorded = (name: string): string => readFileSync(join(TRACES, name), 'utf8');

const run = {
  question: QUESTION,
  hops: [
    {
      searches: [{ tool: 'search', query: 'Linnet lost engines', hits: [{ document: 'linnet' }] }],
    },
    {
      searches: [
        {
          tool: 'search',
          query: 'owner of Sorrel Bay',
          hits: [{ document: 'rain' }, { document: 'bay', text: 'Sorrel Bay belongs to it.' }],
        },
      ],
    },
  ],
  answer: ANSWER,
};

/** The same run as a trace of this package, plain or compact. */
function sealed(full: boolean): string {
  const chain = new AuditChain(sha256, { full });
  const events = eventsOfRun(run, { id: 'linnet', text: QUESTION }, new FoundDocuments([], [run]));
  return [...events.map(event => chain.line(event)), chain.seal()].join('\n');
}

/** Traces of each format: recorded by its library, except the schema of this package. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  otel: [
    ...[recorded('ai-sdk-otel.jsonl'), recorded('ai-sdk-6-otel.jsonl')],
    recorded('openai-agents-tracing.jsonl'),
  ],
  runs: [JSON.stringify(run)],
  steps: [recorded('ai-sdk-steps.jsonl'), recorded('mastra.jsonl')],
  'openai-agents': [recorded('openai-agents.jsonl')],
  messages: [recorded('langgraph.jsonl')],
  mcp: [recorded('mcp.jsonl')],
  multihop: [sealed(true), sealed(false)],
};

const isAgentRun = (one: AgentRun | EventRun): one is AgentRun => 'hops' in one;

/** Returns the run of a trace of this package, as that of an agent. */
function plain(one: AgentRun | EventRun): AgentRun {
  if (isAgentRun(one)) return one;
  const { question, hops, answer } = traceOf(one.events)!;
  return {
    question: question.text,
    answer: answer.kind === 'answered' ? answer.text : '',
    hops: hops.map(({ searches }) => ({
      searches: searches.map(({ text, retriever, hits }) => ({
        tool: retriever,
        query: text!,
        hits: hits.map(({ documentId }) => ({ document: documentId })),
      })),
    })),
  };
}

/** Checks that the events of runs are a trace, whatever the runs hold. */
function checkSound(runs: readonly (AgentRun | EventRun)[]): void {
  const documents = new FoundDocuments([], runs.filter(isAgentRun));
  for (const one of runs.filter(isAgentRun)) {
    const events = eventsOfRun(one, { id: 'q', text: 'a question' }, documents);
    assert.equal(brokenLaw(events), undefined);
    assert.ok(traceOf(events));
  }
}

for (const format of traceFormats)
  describe(`format of traces ${format.name}`, () => {
    const examples = EXAMPLES[format.name] ?? [];
    const read = (text: string) => format.runs(valuesOf(text).values);

    test('is known by its content, before every other format', () => {
      assert.ok(examples.length > 0);
      for (const text of examples) {
        const { values } = valuesOf(text);
        assert.equal(traceFormats.find(one => values.some(one.accepts))?.name, format.name);
      }
    });

    test('gives question, answer, and the hops with their queries and documents', () => {
      for (const text of examples) {
        const [one, ...others] = read(text).map(plain);
        assert.deepEqual(others, []);
        assert.deepEqual([one!.question, one!.answer], [QUESTION, ANSWER]);
        const searching = one!.hops.filter(({ searches }) => searches.length > 0);
        const queries = searching.map(({ searches: [search] }) => search!.query);
        assert.deepEqual(queries, ['Linnet lost engines', 'owner of Sorrel Bay']);
        const [first, second] = searching.map(({ searches: [search] }) =>
          search!.hits.map(({ document }) => document),
        );
        assert.deepEqual(first, ['linnet']);
        assert.ok(second!.includes('bay'), String(second));
      }
    });

    test('its runs are sound traces', () => {
      for (const text of examples) checkSound(read(text));
    });

    test('reads any JSON without an error', () => {
      fc.assert(fc.property(fc.array(fc.jsonValue()), values => checkSound(format.runs(values))));
    });

    test('reads damaged traces without an error', () => {
      const damage = fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        value: fc.jsonValue({ maxDepth: 2 }),
      });
      const property = fc.property(fc.constantFrom(...examples), fc.array(damage), (text, all) => {
        const { values } = valuesOf(text);
        for (const { at, value } of all) replaceAt(values, at, value);
        checkSound(format.runs(values));
      });
      fc.assert(property, { numRuns: 200 });
    });
  });

/** Replaces one of all values inside a value. */
function replaceAt(root: unknown, at: number, value: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const open = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const key of Object.keys(next)) {
      places.push([next as Record<string, unknown>, key]);
      open.push((next as Record<string, unknown>)[key]);
    }
  }
  const [place, key] = places[Math.floor(at * (places.length - 1))] ?? [];
  if (place) place[key!] = value;
}

describe('a tool that failed finds nothing', () => {
  const error = 'linnet not found';
  const call = { type: 'tool-call', toolCallId: '1', toolName: 'search', input: {} };
  const asked = { role: 'assistant', content: [call] };
  const answered = (result: object) => {
    const content = [{ type: 'tool-result', toolCallId: '1', ...result }];
    return { messages: [asked, { role: 'tool', content }] };
  };
  const failures: Readonly<Record<string, unknown>> = {
    'messages of the AI SDK': answered({ output: { type: 'error-text', value: error } }),
    'MCP in the AI SDK': answered({
      output: { type: 'json', value: { isError: true, content: [{ type: 'text', text: error }] } },
    }),
    'blocks of Anthropic': answered({ is_error: true, content: error }),
    'messages of LangChain': {
      messages: [
        { type: 'ai', tool_calls: [{ name: 'search', args: {}, id: '1' }] },
        { type: 'tool', tool_call_id: '1', status: 'error', content: error },
      ],
    },
    'steps of Mastra': {
      steps: [
        {
          toolCalls: [{ payload: call }],
          toolResults: [{ payload: { toolCallId: '1', isError: true, result: { error } } }],
        },
      ],
    },
    'the text of the OpenAI Agents SDK': agentsItem({
      output: {
        type: 'text',
        text: 'An error occurred while running the tool. Please try again. Error: linnet',
      },
    }),
    'a tool of the OpenAI Agents SDK that took too long': agentsItem({
      output: "Tool 'search' timed out after 50ms.",
    }),
    'a call that the OpenAI Agents SDK aborted': agentsItem({
      status: 'incomplete',
      output: { type: 'text', text: 'aborted' },
    }),
    'OTLP of OpenTelemetry': { resourceSpans: [{ scopeSpans: [{ spans: [spanOf(2)] }] }] },
    'spans that OpenTelemetry prints': {
      ...spanOf('ERROR'),
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.result': error },
    },
  };

  function agentsItem(result: object) {
    const called = { type: 'function_call', callId: '1', name: 'search', arguments: '{}' };
    return { history: [called, { type: 'function_call_result', callId: '1', ...result }] };
  }

  function spanOf(code: unknown) {
    const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const named = attribute('gen_ai.operation.name', 'execute_tool');
    const attributes = [named, attribute('gen_ai.tool.call.result', error)];
    return { traceId: 't', spanId: 's', name: 'search', status: { code }, attributes };
  }

  for (const [name, trace] of Object.entries(failures))
    test(name, () => {
      const format = traceFormats.find(one => one.accepts(trace))!;
      const runs = format.runs([trace]).filter(isAgentRun);
      const found = runs.flatMap(({ hops }) => hops.flatMap(({ searches }) => searches));
      assert.deepEqual(
        found.map(({ hits }) => hits),
        [[]],
      );
    });
});

describe('questions of runs', () => {
  const example = (id: string, text: string): Example => ({
    id,
    question: { id, text },
    answers: [],
    gold: [],
  });
  const finder = new QuestionFinder([
    example('q1', 'Who leads the trust?'),
    example('q2', 'Where is the bay?'),
  ]);
  const found = (asked: { id?: string; text?: string }, path = 'run.json'): string | undefined =>
    finder.find(asked, path)?.id;

  test('text counts before id, white space and case aside, and may stand in a longer prompt', () => {
    assert.equal(found({ text: ' who leads\nthe trust?', id: 'q2' }), 'q1');
    assert.equal(found({ text: 'Answer briefly. Question: Where is the bay?' }), 'q2');
    assert.equal(found({ text: 'Who leads the trust? Where is the bay?' }), undefined);
    assert.equal(found({ text: 'Another question', id: 'q2' }), 'q2');
    assert.equal(found({ text: 'Another question' }), undefined);
  });

  test('a trace without question belongs to that of the name of its file', () => {
    assert.equal(found({}, 'logs/q2.jsonl'), 'q2');
    assert.equal(found({}, 'logs/q3.jsonl'), undefined);
  });
});
