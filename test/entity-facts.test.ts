/** Tests the facts of a graph: ranked by words, each once, of documents that a filter lets pass. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { ENTITY_FACTS, type FoundFact } from '../src/search/ports/entity-facts-port.ts';
import { statedFacts } from './stated-facts.ts';

const call = freeCall();
const documentOf = (id: string, text: string): Document => ({
  id,
  title: '',
  text,
  metadata: { by: id },
});
const FIRST = 'Orla Vell built the old pier.';
const documents = [
  documentOf('a', `${FIRST} Tamsin Reed left the cold town.`),
  documentOf('b', `${FIRST} Orla Vell saw a grey owl.`),
];
const factsOf = (engine: EmbeddedEngine) => engine.current.port(ENTITY_FACTS)!;
const read = ({ head, relation, tail }: FoundFact): string[] => [
  `${head.name} ${head.items}`,
  relation,
  `${tail.name} ${tail.items}`,
];

test('facts share words with a text, the most and rarest first, each once', async () => {
  const facts = factsOf(new EmbeddedEngine({ documents, recogniser: statedFacts }));
  const found = await facts.facts(
    { unit: 'document', text: 'Who built a PIER, Orla?', k: 9 },
    call,
  );
  assert.deepEqual(found.map(read), [
    ['orla vell 2', 'built the', 'old pier 2'],
    ['orla vell 2', 'saw a', 'grey owl 1'],
  ]);
  assert.ok(found[0]!.score > found[1]!.score && found[1]!.score > 0);
  const one = await facts.facts({ unit: 'passage', text: 'orla', k: 1 }, call);
  assert.equal(one.length, 1);
  assert.deepEqual(await facts.facts({ unit: 'document', text: 'nothing', k: 9 }, call), []);
  await assert.rejects(facts.facts({ unit: 'document', text: 'orla', k: 0.5 }, call), {
    code: 'bad-k',
  });
});

test('a filter leaves facts that some document states which passes it', async () => {
  const facts = factsOf(new EmbeddedEngine({ documents, recogniser: statedFacts }));
  const filter = { op: 'eq', field: 'by', value: 'a' } as const;
  const found = await facts.facts({ unit: 'document', text: 'orla reed', k: 9, filter }, call);
  assert.deepEqual(found.map(read).toSorted(), [
    ['orla vell 2', 'built the', 'old pier 2'],
    ['tamsin reed 1', 'left the', 'cold town 1'],
  ]);
  const other = { op: 'eq', field: 'color', value: 'a' } as const;
  await assert.rejects(facts.facts({ unit: 'document', text: 'orla', k: 9, filter: other }, call), {
    code: 'unknown-field',
  });
});

test('a graph of names states none', async () => {
  const facts = factsOf(new EmbeddedEngine({ documents }));
  assert.deepEqual(await facts.facts({ unit: 'document', text: 'orla', k: 9 }, call), []);
});

test('any order of writes ranks as building at once', async () => {
  const word = fc.constantFrom('Orla', 'Vell', 'Reed', 'saw', 'built', 'the');
  const sentence = fc
    .array(word, { minLength: 4, maxLength: 8 })
    .map(words => `${words.join(' ')}.`);
  const change = fc.record({
    id: fc.constantFrom(...'abcd'),
    text: fc.option(fc.array(sentence, { maxLength: 3 }).map(list => list.join(' '))),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 8 }), async changes => {
      const engine = new EmbeddedEngine({ recogniser: statedFacts });
      const texts = new Map<string, string>();
      for (const { id, text } of changes) {
        if (text === null) {
          if (texts.delete(id)) await engine.remove([id]);
        } else {
          texts.set(id, text);
          await engine.put([documentOf(id, text)]);
        }
      }
      const fresh = new EmbeddedEngine({
        documents: [...texts].map(([id, text]) => documentOf(id, text)),
        recogniser: statedFacts,
      });
      const request = { unit: 'document', text: 'orla saw reed', k: 99 } as const;
      assert.deepEqual(
        await factsOf(engine).facts(request, call),
        await factsOf(fresh).facts(request, call),
      );
    }),
    { numRuns: 60 },
  );
});
