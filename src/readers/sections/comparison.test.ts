/** Tests comparisons over sections: both sides read, units met, and what is withheld. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../../core/corpus/document.ts';
import { Asked } from '../../language/asked.ts';
import { Said } from '../../language/said.ts';
import { shippedSections } from '../../models/section-reader/shipped.ts';
import { decideComparison } from './comparison.ts';
import { readSections, type Sections } from './section-units.ts';

type Row = readonly [document: string, title: string, heading: string, ...texts: string[]];

/** Reads blocks under headings as sections; every block is a unit. */
function headedSections(rows: readonly Row[]): Sections {
  const documents = [...Map.groupBy(rows, ([id]) => id)].map(([id, rowsOf]): Document => {
    let text = '';
    const outline = rowsOf.flatMap(([, , heading, ...texts]) =>
      texts.map(each => {
        const start = text === '' ? 0 : text.length + 2;
        text = text === '' ? each : `${text}\n\n${each}`;
        return { start, heading: [heading] };
      }),
    );
    return { id, title: rowsOf[0]![1], text, metadata: {}, outline };
  });
  const shown = documents.flatMap(({ id, text, outline = [] }, part) =>
    outline.map(({ start }, at) => {
      const end = outline[at + 1] ? outline[at + 1]!.start - 2 : text.length;
      const said = new Said(text.slice(start, end));
      return { part, id, documentId: id, start, end, text: said.text, said };
    }),
  );
  return readSections(shown, documents, []);
}

const SECTIONS = headedSections([
  [
    'kestrel/docs/server.md',
    'Kestrel server',
    'bodyLimit',
    'The largest request body, in bytes.',
    'Default: 1048576',
  ],
  [
    'kestrel/docs/server.md',
    'Kestrel server',
    'retries',
    'How often a request is repeated.',
    'Default: 5',
  ],
  [
    'kestrel/docs/server.md',
    'Kestrel server',
    'idle timeout',
    'Seconds until an idle connection is closed.',
    'Default: 75 seconds',
  ],
  [
    'kestrel/docs/server.md',
    'Kestrel server',
    'sameSite',
    'The SameSite attribute of the cookie.',
    'Default: "Lax"',
  ],
  ['kestrel/readme.md', 'Kestrel', 'Requirements', 'Kestrel needs Ruby 3.10 or newer.'],
  [
    'heron/readme.md',
    'Heron client',
    'body limit',
    'The largest request body. It defaults to 100kb.',
  ],
  ['heron/readme.md', 'Heron client', 'retries', 'How often a request is repeated.', 'Default: 2'],
  [
    'heron/readme.md',
    'Heron client',
    'idle timeout',
    'Until an idle connection is closed.',
    'Default: 2 minutes',
  ],
  [
    'heron/readme.md',
    'Heron client',
    'sameSite',
    'The SameSite attribute of the cookie.',
    'Default: "Strict"',
  ],
  ['heron/readme.md', 'Heron client', 'Requirements', 'Heron needs Ruby 3.9 or newer.'],
  ['heron/readme.md', 'Heron client', 'queue depth', 'How many requests wait.', 'Default: 40'],
]);

const decided = (question: string) =>
  decideComparison(new Asked(question), SECTIONS, shippedSections());

describe('decideComparison', () => {
  for (const [question, expected] of [
    ['Which retries more often by default, Kestrel or Heron?', 'Kestrel'],
    ['Which retries less often by default: Kestrel or Heron?', 'Heron'],
    ['Does Kestrel or Heron have the larger body limit?', 'Kestrel'],
    ['Compare the body limits of Heron and of Kestrel: which one is smaller?', 'Heron'],
    ['Which one has the longer idle timeout, Kestrel or Heron?', 'Heron'],
    ['Is the idle timeout of Kestrel longer than that of Heron?', 'No'],
    ['Is the idle timeout of Heron longer than that of Kestrel?', 'Yes'],
    ['Do Kestrel and Heron have the same number of retries?', 'No'],
    ['Do Kestrel and Heron set the same SameSite attribute?', 'No'],
    ['Does the SameSite attribute of Kestrel differ from that of Heron?', 'Yes'],
    ['Does Kestrel need an older Ruby version than Heron?', 'No'],
    ['Does Heron need an older Ruby version than Kestrel?', 'Yes'],
  ] as const)
    test(question, () => {
      const found = decided(question);
      assert.equal(found?.text, expected);
      assert.ok(found !== undefined && found.share > 0 && found.share <= 1);
      const [first, second] = found.sentences.map(
        unit => SECTIONS.sections[SECTIONS.units[unit]!.section]!.document.id.split('/')[0],
      );
      assert.deepEqual([first, second].sort(), ['heron', 'kestrel']);
    });

  for (const [why, question] of [
    ['one side states nothing', 'Which has the larger queue depth, Kestrel or Heron?'],
    ['words have no order', 'Which has the larger SameSite attribute, Kestrel or Heron?'],
    ['a thing is unknown', 'Which retries more often, Kestrel or Wren?'],
    ['it is denied', 'Which does not retry more often, Kestrel or Heron?'],
    ['no direction is asked', 'Which is nicer, Kestrel or Heron?'],
    ['nothing is compared of them', 'Is Kestrel larger than Heron?'],
  ] as const)
    test(`is withheld where ${why}`, () => assert.equal(decided(question), undefined));

  test('takes any question without throwing', () => {
    const words = 'which is are Kestrel Heron or and than the same larger , ? timeout of not'.split(
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 12 }), asked => {
        const found = decided(asked.join(' '));
        assert.ok(found === undefined || ['Yes', 'No', 'Kestrel', 'Heron'].includes(found.text));
      }),
    );
  });
});
