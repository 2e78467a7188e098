/**
 * Trace files read line by line: larger than a chunk, cut, changed, in other encodings, and changed
 * while they are read.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { splitTraces, verifyTrace } from '../core/trace/audit.ts';
import { type TraceEvent, traceOf } from '../core/trace/trace.ts';
import { sha256 } from '../platform/sha256.ts';
import { askEvents } from '../run/ask.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { engineOf } from '../testing/strategy-run.ts';
import { TraceFile } from './trace-file.ts';
import { recordedTraces, verifyTraceFile } from './trace-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'multihop-trace-reader-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'run.jsonl');

async function eventsOf(id: string, text: string, manifest: object): Promise<TraceEvent[]> {
  const options = {
    engine: engineOf(FIXTURE_DOCUMENTS),
    strategy: 'fixed-top-k(k=1)',
    reader: 'evidence-only',
    context: 'headers',
    id,
  };
  const events: TraceEvent[] = [];
  for await (const event of askEvents(text, { ...options, manifest: { ...manifest } }, () => 7))
    events.push(event);
  return events;
}

// Characters of two, three and four bytes fall on the borders of chunks, and of what the writer
// holds back; U+2028 ends no line.
const WIDE = 'é東😀\u2028\ufffd';
const events = [
  ...(await eventsOf('q1', 'ferry', { note: WIDE.repeat(300_000) })),
  ...(await eventsOf('q2', `lighthouse ${WIDE}`, { note: `x${WIDE.repeat(90_000)}` })),
  ...(await eventsOf('q3', 'ferry', { note: `xy${WIDE.repeat(90_000)}` })),
];

function written(list: readonly TraceEvent[]): string {
  const file = new TraceFile(path);
  for (const event of list) file.add(event);
  file.close();
  return readFileSync(path, 'utf8');
}

const sealed = written(events);
const short = written([
  ...(await eventsOf('q1', `ferry ${WIDE}`, {})),
  ...(await eventsOf('q2', 'lighthouse', {})),
]);
const lines = short.split('\n').slice(0, -1);
const joined = (list: readonly string[]): string => `${list.join('\n')}\n`;

/** Returns the events of a text or bytes in a file, and in one piece. */
async function both(
  content: string | Uint8Array,
  expectHead?: string,
): Promise<{ file: object; whole: object }> {
  const file = join(folder, 'other.jsonl');
  writeFileSync(file, content);
  const found = await verifyTraceFile(file, { expectHead });
  const { events: _, ...whole } = verifyTrace(
    Buffer.from(content).toString('utf8'),
    sha256,
    expectHead,
  );
  return { file: found, whole };
}

describe('a file of several chunks, a line of it of several megabytes', () => {
  test('verifies to the same heads as in one piece, and tells the same events', async () => {
    assert.ok(sealed.indexOf('\n') > 1_500_000);
    writeFileSync(path, sealed);
    const told: TraceEvent[] = [];
    const found = await verifyTraceFile(path, { onEvent: event => told.push(event) });
    const whole = verifyTrace(sealed, sha256);
    assert.ok(found.ok && whole.ok);
    assert.deepEqual(found.heads, whole.heads);
    assert.deepEqual(told, whole.events);
  });

  test('its traces are read one by one, in any order and again', async () => {
    writeFileSync(path, sealed);
    const traces = await recordedTraces(path);
    const expected = splitTraces(verifyTrace(sealed, sha256).events).map(traceOf);
    assert.deepEqual(
      traces.map(({ asked }) => asked.question.id),
      ['q1', 'q2', 'q3'],
    );
    assert.equal('manifest' in traces[0]!.asked, false);
    for (const at of [2, 0, 1, 0]) assert.deepEqual(await traces[at]!.read(), expected[at]);
  });

  test('one that ends early is left out', async () => {
    written(events.filter(({ type }, index) => index > 5 || (type !== 'answer' && type !== 'end')));
    assert.deepEqual(
      (await recordedTraces(path)).map(({ asked }) => asked.question.id),
      ['q2', 'q3'],
    );
  });

  test('events before the first question are refused', async () => {
    written(events.slice(1));
    await assert.rejects(recordedTraces(path), {
      code: 'bad-trace',
      message: /line 1: .*expected a trace to begin with its question/,
    });
  });

  test('a trace that is changed after it was verified is not read', async () => {
    writeFileSync(path, sealed);
    const [first, second, third] = await recordedTraces(path);
    writeFileSync(path, sealed.replace('"text":"lighthouse', '"text":"Lighthouse'));
    assert.equal((await first!.read()).question.id, 'q1');
    await assert.rejects(second!.read(), {
      code: 'bad-trace',
      message: /changed while it was read.*"q2"/,
    });
    assert.equal((await third!.read()).question.id, 'q3');
    writeFileSync(path, sealed.slice(0, 1000));
    await assert.rejects(third!.read(), { code: 'bad-trace' });
  });
});

describe('an unsound file is refused as a whole text is, at the same line', () => {
  const cases: Readonly<Record<string, string>> = {
    empty: '',
    'one line end': '\n',
    'bad JSON in the middle': joined(lines.with(4, '{"seq":4,')),
    'a changed line': joined(lines.with(4, lines[4]!.replace('"type"', '"typE"'))),
    'a blank line': joined(lines.toSpliced(3, 0, '')),
    'a line missing': joined(lines.toSpliced(1, 1)),
    'no seal': joined(lines.slice(0, -1)),
    'lines behind the seal': joined([...lines, '{}']),
    'a cut last line': short.slice(0, -1),
    'a changed line in a file that is cut': joined(lines.with(1, 'x')).slice(0, -9),
    'a line end of two characters': short.replaceAll('\n', '\r\n'),
    'a byte order mark': `\ufeff${short}`,
    'the middle alone': joined(lines.slice(2, 5)),
    'a list in JSON': JSON.stringify(lines.map(line => JSON.parse(line) as unknown)),
  };
  for (const [what, content] of Object.entries(cases))
    test(what, async () => {
      const { file, whole } = await both(content);
      assert.deepEqual(file, whole);
      assert.ok('problem' in file);
    });

  test('bad JSON in the middle names its line, to replay too', async () => {
    const { file } = await both(cases['bad JSON in the middle']!);
    assert.deepEqual(file, { ok: false, line: 5, problem: 'this line is not a line of a trace' });
    await assert.rejects(recordedTraces(join(folder, 'other.jsonl')), {
      code: 'bad-trace',
      message: /other\.jsonl, line 5: this line is/,
    });
  });

  test('other heads than the expected', async () => {
    const { file, whole } = await both(short, sha256('x'));
    assert.deepEqual(file, whole);
    assert.ok('problem' in file);
  });

  test('a byte that is no UTF-8 where the trace has U+FFFD, which it would be read as', async () => {
    const bytes = Buffer.from(short);
    const at = bytes.lastIndexOf('\ufffd');
    const { file, whole } = await both(
      Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 3)]),
    );
    assert.ok('ok' in whole && whole.ok, 'in one piece, decoded, it is not to be seen');
    assert.ok('problem' in file && file.problem === 'this line is not valid UTF-8');
  });

  test('a file that is missing, and a folder', async () => {
    await assert.rejects(verifyTraceFile(join(folder, 'none')), { code: 'missing-file' });
    await assert.rejects(verifyTraceFile(folder), { code: 'unreadable-file' });
  });
});
