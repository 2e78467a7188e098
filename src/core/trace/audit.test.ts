/** The audit chain: any change, cut, insertion, repetition or move of a sealed trace is found. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { askEvents } from '../../run/ask.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../testing/fixture-corpus.ts';
import { engineOf } from '../../testing/strategy-run.ts';
import { sealEvents, splitTraces, verifyTrace } from './audit.ts';
import { AuditChain, COMPACT_FORMAT, FULL_FORMAT } from './audit-chain.ts';
import type { Json } from './packing/packed-table.ts';
import { Packer } from './packing/packer.ts';
import { TraceRecorder } from './recorder.ts';
import { type TraceEvent, traceOf } from './trace.ts';

const hash = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

async function eventsOf(question: string, clock: () => number): Promise<TraceEvent[]> {
  const options = {
    engine: engineOf(FIXTURE_DOCUMENTS),
    strategy: 'fixed-top-k(k=1)',
    reader: 'evidence-only',
    context: 'headers',
    id: 'q1',
  };
  const events: TraceEvent[] = [];
  for await (const event of askEvents(question, options, clock)) events.push(event);
  return events;
}

const events = await eventsOf('ferry café 😀 東京', () => 7);
const verify = (text: string, head?: string) => verifyTrace(text, hash, head);
const joined = (list: readonly string[]): string => `${list.join('\n')}\n`;

for (const full of [true, false])
  describe(full ? 'in full' : 'compact', () => {
    const seal = (list: readonly TraceEvent[]): string => sealEvents(list, hash, { full });
    const recorder = new TraceRecorder(hash);
    const recorded = full ? events : events.map(event => recorder.recorded(event));
    const sealed = seal(events);
    const bytes = Buffer.from(sealed, 'utf8');
    const lines = sealed.split('\n').slice(0, -1);

    describe('a sound trace', () => {
      test('is accepted, gives back its events, and its heads are those of the seal', () => {
        const verified = verify(sealed);
        assert.ok(verified.ok);
        assert.deepEqual(verified.events, JSON.parse(JSON.stringify(recorded)));
        const last = JSON.parse(lines.at(-1)!) as {
          seal: string;
          count: number;
          content: string;
          line: string;
        };
        assert.deepEqual(
          { count: last.count, content: last.content, line: last.line },
          verified.heads,
        );
        assert.deepEqual(
          [last.seal, last.count],
          [full ? FULL_FORMAT : COMPACT_FORMAT, events.length],
        );
      });

      test('its hashes can be computed by hand from the format’s description', () => {
        const format = full ? 'multihop-trace-2' : 'multihop-trace-3';
        const packer = new Packer();
        let [content, line] = [hash(format), hash(format)];
        for (const [seq, event] of recorded.entries()) {
          const { ms, ...rest } = event;
          const json = JSON.stringify(full ? rest : packer.pack(rest as unknown as Json));
          content = hash(`${content}\n${seq}\n${json}`);
          line = hash(`${line}\n${content}\n${ms}`);
          const written = JSON.parse(lines[seq]!) as { content?: string; line: string };
          assert.deepEqual(
            [written.content, written.line],
            full ? [content, line] : [undefined, line.slice(0, 16)],
          );
        }
      });

      test('is pinned by its content head or its line head alone', () => {
        const { heads } = verify(sealed) as { heads: { content: string; line: string } };
        assert.ok(verify(sealed, heads.content).ok);
        assert.ok(verify(sealed, heads.line).ok);
        for (const head of [
          '',
          'abc',
          hash('x'),
          heads.content.slice(1),
          heads.content.toUpperCase(),
        ])
          assert.equal(verify(sealed, head).ok, false, head);
      });

      test('times change the line head alone; anything else changes both', async () => {
        const at = (text: string) =>
          (verify(text) as { heads: { content: string; line: string } }).heads;
        const later = at(seal(await eventsOf('ferry café 😀 東京', () => 8)));
        // The clock is read as a difference to its start: other times need a running clock.
        let now = 0;
        const running = at(seal(await eventsOf('ferry café 😀 東京', () => (now += 3))));
        const other = at(seal(await eventsOf('ferry', () => 7)));
        assert.deepEqual(later, at(sealed));
        assert.equal(running.content, at(sealed).content);
        assert.notEqual(running.line, at(sealed).line);
        assert.notEqual(other.content, at(sealed).content);
      });
    });

    describe('an unsound trace is refused', () => {
      test('truncated at every byte', () => {
        for (let length = 0; length < bytes.length; length++)
          assert.equal(
            verify(bytes.subarray(0, length).toString('utf8')).ok,
            false,
            `cut to ${length} of ${bytes.length} bytes`,
          );
      });

      test('with any one byte changed: every byte once by one bit, and random bytes by random values', () => {
        for (let at = 0; at < bytes.length; at++) {
          const changed = Buffer.from(bytes);
          changed[at]! ^= 1 << (at % 8);
          assert.equal(verify(changed.toString('utf8')).ok, false, `byte ${at}`);
        }
        fc.assert(
          fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, bits) => {
            const changed = Buffer.from(bytes);
            changed[at]! ^= bits;
            assert.equal(verify(changed.toString('utf8')).ok, false, `byte ${at} ^ ${bits}`);
          }),
          { numRuns: 1500 },
        );
      });

      test('with any one byte inserted or removed', () => {
        fc.assert(
          fc.property(fc.nat(bytes.length), fc.nat(255), fc.boolean(), (at, byte, insert) => {
            const parts = insert
              ? [bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)]
              : [bytes.subarray(0, at), bytes.subarray(at + 1)];
            const changed = Buffer.concat(parts);
            if (!changed.equals(bytes)) assert.equal(verify(changed.toString('utf8')).ok, false);
          }),
          { numRuns: 1500 },
        );
      });

      test('with lines in any other order', () => {
        for (let a = 0; a < lines.length; a++) {
          for (let b = a + 1; b < lines.length; b++) {
            const swapped = [...lines];
            [swapped[a], swapped[b]] = [lines[b]!, lines[a]!];
            assert.equal(verify(joined(swapped)).ok, false, `lines ${a + 1} and ${b + 1}`);
          }
        }
      });

      test('with any line missing, doubled, or repeated elsewhere, and with lines behind the seal', () => {
        for (const [at, line] of lines.entries()) {
          assert.equal(verify(joined(lines.toSpliced(at, 1))).ok, false, `without line ${at + 1}`);
          for (let to = 0; to <= lines.length; to++)
            assert.equal(
              verify(joined(lines.toSpliced(to, 0, line))).ok,
              false,
              `line ${at + 1} at ${to + 1}`,
            );
        }
        for (const more of ['\n', '{}\n', ' ', sealed])
          assert.equal(verify(sealed + more).ok, false, JSON.stringify(more));
      });

      test('rewritten as a whole, if an expected head is given', () => {
        const { heads } = verify(sealed) as { heads: { content: string } };
        const short = seal(events.slice(0, -1));
        assert.ok(verify(short).ok, 'a rewrite is sound in itself');
        assert.equal(verify(short, heads.content).ok, false);
      });

      test('with a seal of another trace', async () => {
        const other = seal(await eventsOf('lighthouse', () => 0))
          .split('\n')
          .at(-2)!;
        assert.equal(verify(joined([...lines.slice(0, -1), other])).ok, false);
      });

      test('with the number of the line and the events before it', () => {
        const broken = verify(joined(lines.with(2, lines[2]!.replace('"context"', '"contexT"'))));
        assert.equal(broken.ok, false);
        assert.ok(!broken.ok && broken.line === 3 && /changed, moved, added/.test(broken.problem));
        assert.equal(broken.events.length, 2);
        for (const text of [
          '',
          '\n',
          'null\n',
          '[]\n',
          '3\n',
          '{"event":null,"ms":0}\n',
          '{"seal":1}\n',
          '\ufeff',
        ])
          assert.equal(verify(text).ok, false, JSON.stringify(text));
      });

      test('with other keys beside the hashes, for events of any content', () => {
        fc.assert(
          fc.property(
            fc.jsonValue(),
            fc.double({ noNaN: true, noDefaultInfinity: true }),
            fc.string(),
            (manifest, ms, text) => {
              const event = {
                ...events[0]!,
                question: { id: 'x', text },
                manifest: { manifest },
                ms,
              } as TraceEvent;
              const sealed = seal([event]);
              assert.ok(verify(sealed).ok);
              assert.equal(verify(sealed.replace('{"seq":0,', '{"seq":0,"note":1,')).ok, false);
              assert.equal(verify(sealed.replace('"seq":0,"ms"', '"seq":0, "ms"')).ok, false);
            },
          ),
        );
      });
    });
  });

test('several questions in one file are split into their traces', async () => {
  const chain = new AuditChain(hash);
  const all = [
    ...(await eventsOf('ferry', () => 0)),
    ...(await eventsOf(FIXTURE_QUESTIONS[0]!.text, () => 0)),
  ];
  const text = joined([...all.map(event => chain.line(event)), chain.seal()]);
  const verified = verify(text);
  assert.ok(verified.ok);
  const traces = splitTraces(verified.events);
  assert.deepEqual(
    traces.map(part => traceOf(part)?.question.text),
    ['ferry', FIXTURE_QUESTIONS[0]!.text],
  );
  assert.throws(() => splitTraces(all.slice(1)), { code: 'bad-trace' });
  assert.deepEqual(splitTraces([]), []);
  for (const missing of ['question', 'context', 'answer', 'end'])
    assert.equal(traceOf(traces[0]!.filter(event => event.type !== missing)), undefined, missing);
});
