/** Tests the packed units of documents against those of a segment that holds all items. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Block, Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { finish } from '../../core/steps.ts';
import { EmbeddedEngine } from '../embedded-engine.ts';
import { cutBy } from './items.ts';
import { packSegment } from './pack-segment.ts';
import { packItems } from './stored-items.ts';

const UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];
const CHUNKER = 'tokens(size=6, overlap=2)';

/** Ids of which some continue others, by characters before and after "#". */
const id$ = fc.string({
  unit: fc.constantFrom('a', '!', '#', '/', 'é'),
  minLength: 1,
  maxLength: 3,
});
const text$ = fc
  .array(fc.constantFrom('The Linnet sails.', 'No!', '', 'Her engine is new. She waits.', ' '), {
    maxLength: 5,
  })
  .map(parts => parts.join('\n\n'));

const document$: fc.Arbitrary<Document> = fc
  .record({ id: id$, title: fc.constantFrom('', 'Ship'), text: text$, headed: fc.boolean() })
  .map(({ id, title, text, headed }) => {
    const outline: Block[] = [{ start: 0, heading: ['Engines'] }];
    const metadata = { source: title, published_at: '2024-01-02' };
    return defined({
      id,
      title,
      text,
      metadata,
      outline: headed && text.length > 0 ? outline : undefined,
    });
  });

test('units are packed as those of a segment that holds all items', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(document$, { selector: ({ id }) => id, maxLength: 6 }),
      documents => {
        const cut = cutBy(chunkers.create(CHUNKER));
        for (const unit of UNITS) {
          const { items, lexical } = finish(packSegment(documents, unit, cut, ['plain', 's1']));
          const { current } = new EmbeddedEngine({ documents, chunker: CHUNKER });
          const whole = packItems(current.itemsOf(unit), documents.length);
          assert.deepEqual(Object.entries(items), Object.entries(whole));
          for (const analysis of ['plain', 's1'] as const)
            assert.deepEqual(
              lexical.get(analysis),
              finish(current.corpus.packedIndex(unit, analysis)),
            );
        }
      },
    ),
    { numRuns: 300 },
  );
});
