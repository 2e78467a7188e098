/**
 * Law of every surface that shows evidence: whatever was kept is shown whole. Traces are of any
 * shape: overlapping items, several spans, citations anywhere in them, answers that are withheld.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printRun } from '../src/cli/ask-output.ts';
import { chatAnswerLines, sourceLines } from '../src/cli/chat/chat-answer.ts';
import { Output } from '../src/cli/output.ts';
import { styleOf } from '../src/cli/style.ts';
import type { Document, Span } from '../src/core/corpus/document.ts';
import { defined } from '../src/core/defined.ts';
import type { Answer, Citation, Evidence, Trace } from '../src/core/trace/trace.ts';
import { askText } from '../src/mcp/run-words.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { chatAnswer } from '../src/server/chat-answer.ts';
import { runResult } from '../src/session/run-result.ts';

const words = fc.constantFrom(
  ...['Quill', 'founded', 'works.', 'The', 'ferry', '(1998)', 'so.', '**bold**', '[1]', '»odd«'],
  ...['`code`', '<b>', '\n', '\n\n    ', '<<', '\u001b[2J', '_x_', 'Ωmega.', '# Head', '| cell'],
);
const text = fc.array(words, { minLength: 1, maxLength: 60 }).map(all => all.join(' '));

const documents = fc
  .array(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 3 })
  .map(all => all.map(([body, isHeaded], index) => documentOf(`d${index}`, `A ${body}`, isHeaded)));

function documentOf(id: string, body: string, isHeaded: boolean): Document {
  const outline = [0, 40, 80]
    .filter(start => start < body.length)
    .map((start, at) => ({ start, heading: ['Guide', `Part ${at}`], line: 3 * at + 1 }));
  return defined({
    id,
    title: `Works ${id.toUpperCase()}`,
    text: body,
    metadata: {},
    outline: isHeaded ? outline : undefined,
  });
}

const spanIn = (length: number): fc.Arbitrary<Span> =>
  fc
    .tuple(fc.nat(length - 1), fc.integer({ min: 1, max: length }))
    .map(([start, size]) => [start, Math.min(length, start + size)]);

function apart(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of [...spans].sort((a, b) => a[0] - b[0]))
    if ((kept.at(-1)?.[1] ?? -1) < span[0]) kept.push(span);
  return kept;
}

/** An item of a document, and a citation within it. */
const itemOf = (all: readonly Document[]): fc.Arbitrary<readonly [Evidence, Citation]> =>
  fc
    .tuple(fc.constantFrom(...all), fc.constantFrom('whole', 'sentence', 'passage'), fc.nat(9))
    .chain(([document, unit, number]) => {
      const { length } = document.text;
      const spans =
        unit === 'whole'
          ? fc.constant<Span[]>([[0, length]])
          : fc.array(spanIn(length), { minLength: 1, maxLength: 3 }).map(apart);
      return fc.tuple(spans, fc.nat(2), fc.nat(20), fc.nat(20)).map(([made, at, from, size]) => {
        const id = unit === 'whole' ? document.id : `${document.id}#${unit}${number}`;
        const [start, end] = made[Math.min(at, made.length - 1)]!;
        const first = Math.min(start + from, end - 1);
        const about = { id, documentId: document.id };
        return [
          defined({
            ...about,
            title: document.title,
            metadata: {},
            score: 1,
            spans: made,
            passage: unit === 'sentence' ? `${document.id}#p0` : undefined,
          }),
          { ...about, start: first, end: Math.min(end, first + 1 + size) },
        ] as const;
      });
    });

const answers: readonly ((citations: readonly Citation[]) => Answer)[] = [
  citations => ({ kind: 'answered', text: 'Quill', citations, probability: 0.8 }),
  citations => ({ kind: 'evidence', text: 'Quill', citations }),
  citations => ({
    kind: 'abstained',
    reason: 'No answer is likely',
    probability: 0.2,
    below: 0.7,
    withheld: { text: 'Quill', citations },
  }),
  citations => ({ kind: 'abstained', reason: 'No', sides: [{ claim: 'It rained', citations }] }),
];

const questions = ['Who founded the works of the ferry?', 'Which is older, D0 or D1?'];

const runs = documents.chain(all =>
  fc
    .tuple(
      fc.constantFrom(...questions),
      fc.array(itemOf(all), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...answers),
      fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      fc.array(fc.array(spanIn(40), { maxLength: 3 }), { minLength: 3, maxLength: 3 }),
    )
    .map(([question, made, answer, isCited, read]) => {
      const items = new Map(made.map(([item, citation]) => [item.id, { item, citation }]));
      const citations = [...items.values()].filter((_, index) => isCited[index]);
      const parts = all.map(({ id, text: body }, at) => ({
        id,
        documentId: id,
        start: 0,
        end: 0,
        spans: apart(read[at]!).filter(([, end]) => end <= body.length),
      }));
      const trace = {
        question: { id: 'q', text: question },
        hops: [],
        strategy: 's',
        retriever: 'r',
        reader: 'x',
        budget: {},
        ranking: [],
        manifest: {},
        spent: {},
        ms: 1,
        evidence: [...items.values()].map(({ item }) => item),
        context: { name: 'c', text: '', tokens: 0, parts },
        answer: answer(citations.map(({ citation }) => citation)),
      };
      return { all, trace: trace as Trace };
    }),
);

/** Surfaces wrap, mark and escape: letters and digits stand in their order. */
const bare = (shown: string): string => shown.replace(/[^\p{L}\p{N}]/gu, '');

/** Returns what must be shown: every span; of whole documents what the reader got. */
function keptTexts({ evidence, context }: Trace, all: readonly Document[]): string[] {
  return evidence.flatMap(({ id, documentId, spans }) => {
    const { text: body } = all.find(document => document.id === documentId)!;
    const own =
      id === documentId
        ? context.parts.filter(part => part.documentId === id).flatMap(part => part.spans)
        : spans;
    return own.map(([start, end]) => body.slice(start, end));
  });
}

const heads = { count: 1, content: '', line: '' };

const shapes = { pipe: {}, narrow: { columns: 48 }, wide: { columns: 140 } };

/** Prints a run as `ask` does, on a terminal of these columns or in a pipe. */
async function printed(
  trace: Trace,
  all: readonly Document[],
  { columns, fold }: { readonly columns?: number; readonly fold?: string },
): Promise<string> {
  let text = '';
  const write = (part: string): unknown => (text += part);
  const output = new Output({
    stdout: { write, isTTY: columns !== undefined, columns },
    stderr: { write },
    env: { NO_COLOR: '1' },
    json: false,
    quiet: false,
    verbose: false,
  });
  const engine = new EmbeddedEngine({ documents: all }).current;
  await printRun(trace, { engine, heads: undefined, file: undefined, streamed: '', fold }, output);
  return text;
}

async function surfacesOf(trace: Trace, all: readonly Document[]): Promise<Record<string, string>> {
  const documents = new Map(all.map(document => [document.id, document]));
  const record = runResult(trace, documents, heads, undefined) as Readonly<Record<string, unknown>>;
  const { evidence } = record as { evidence: { texts: { text: string }[] }[] };
  const page = { style: styleOf(false), width: 80 };
  const finished = { question: '', trace, events: [], documents, paths: new Map() };
  return {
    'ask in a pipe': await printed(trace, all, shapes.pipe),
    'ask --all on a narrow terminal': await printed(trace, all, shapes.narrow),
    'ask --all on a wide terminal': inColumns(await printed(trace, all, shapes.wide)),
    'ask --json and /v1/ask': evidence.flatMap(item => item.texts.map(one => one.text)).join('\n'),
    'chat in a pipe': chatAnswerLines(finished, page).join('\n'),
    '/sources of a chat': sourceLines(finished, page).join('\n'),
    'the tool ask of MCP': askText({ ...record, id: 'run' }, true),
    '/v1/chat/completions': chatAnswer({ id: 'run', record, trace }).content,
  };
}

/** Puts the right column of a terminal below the left one. */
function inColumns(text: string): string {
  const rows = text.split('\n').map(row => row.split(' │'));
  return [...rows.map(([left]) => left), ...rows.map(([, right]) => right ?? '')].join('\n');
}

test('every surface shows every kept text whole, for any trace', async () => {
  await fc.assert(
    fc.asyncProperty(runs, async ({ all, trace }) => {
      const kept = keptTexts(trace, all).map(bare);
      for (const [surface, shown] of Object.entries(await surfacesOf(trace, all)))
        for (const one of kept)
          assert.ok(bare(shown).includes(one), `${surface}: ${one}\n${shown}`);
    }),
    { numRuns: 200 },
  );
});

test('a terminal folds no line that it does not count', async () => {
  await fc.assert(
    fc.asyncProperty(runs, async ({ all, trace }) => {
      const whole = (await printed(trace, all, shapes.narrow)).split('\n');
      const folded = (await printed(trace, all, { ...shapes.narrow, fold: '--all' })).split('\n');
      const rest = [...whole];
      for (const line of folded) {
        const count = /^ *… (\d+) more lines \(--all\)$/.exec(line)?.[1];
        if (count === undefined) assert.equal(line, rest.shift());
        else rest.splice(0, Number(count));
      }
      assert.deepEqual(rest, []);
    }),
    { numRuns: 200 },
  );
});

test('chat completions keep the lines and the indentation of a text in one paragraph', () => {
  const text = 'Set it:\n\n  1. const app = {\n    limit: 8192,\n---\n};';
  const marks = [{ start: text.indexOf('const'), end: text.indexOf('---'), text: '' }];
  const item = { id: 'a#p0', documentId: 'a', title: 'A', hop: 1, score: 1, spans: [] };
  const texts = [{ start: 0, end: text.length, text }];
  const evidence = [{ ...item, cited: false, texts, quotes: marks }];
  const trace = { answer: { kind: 'abstained', reason: 'No' } } as unknown as Trace;
  const { content } = chatAnswer({ id: 'run', record: { evidence }, trace });
  const shown = content.slice(content.indexOf('[1]')).replaceAll('\u00a0', '~').split('\n');
  assert.deepEqual(shown, [
    '[1] A: Set it:  ',
    '~~1\\. **const app = {  ',
    '~~~~limit: 8192,**  ',
    '\\---  ',
    '};',
  ]);
});

test('chat completions show a gap between texts that are apart alone', () => {
  const document = documentOf(
    'ferry',
    'It rained. The ferry sailed. Quill left. Vell is far.',
    false,
  );
  const spans: Span[] = [
    [0, 10],
    [11, 28],
    [41, 53],
  ];
  const evidence = spans.map(span => ({
    id: `ferry#s${span[0]}`,
    documentId: 'ferry',
    title: 'Ferry',
    hop: 1,
    score: 1,
    spans: [span],
    cited: false,
    quotes: [],
    texts: [{ start: span[0], end: span[1], text: document.text.slice(...span) }],
  }));
  const trace = { answer: { kind: 'abstained', reason: 'No' } } as unknown as Trace;
  const { content } = chatAnswer({ id: 'run', record: { evidence }, trace });
  assert.ok(content.endsWith('[1] Ferry: It rained. The ferry sailed. … Vell is far.'), content);
});
