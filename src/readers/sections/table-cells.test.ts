/** Tests cells of table rows by the heads of their columns. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { rowText } from '../../documents/blocks/table-rows.ts';
import { askedForm } from '../../language/english/question/asked-form.ts';
import { askedTerms } from '../../language/english/words/terms.ts';
import { Said } from '../../language/said.ts';
import type { Place } from './candidate.ts';
import { candidatesIn } from './candidates.ts';
import { askedCell, cellsOf } from './table-cells.ts';

const LTS = 'Version: 3.0.0 | Release Date: 2020-07-07 | End Of LTS Date: 2023-06-30';
const OPTION = 'Option: bodyLimit | Type: integer | Default: 1048576 | Unit: bytes';
const PORTS = 'Transport: AMQP | Port: 5672 | Encrypted port: 5671 | Maintainer: Ada Lindgren';

const known = (question: string): Set<string> =>
  new Set(askedTerms(askedForm(question).subject).flatMap(({ term, joins }) => [term, ...joins]));

describe('askedCell', () => {
  for (const [row, question, expected] of [
    [LTS, 'On which day was version 3 of Wren released?', '2020-07-07'],
    [LTS, 'When is the end of LTS for version 3?', '2023-06-30'],
    [OPTION, 'Which type has bodyLimit?', 'integer'],
    [OPTION, 'In which unit is the bodyLimit?', 'bytes'],
    [PORTS, 'Who is the maintainer of the AMQP transport?', 'Ada Lindgren'],
    [PORTS, 'What is the encrypted port of AMQP?', '5671'],
    [PORTS, 'Which colour has the AMQP transport?', undefined],
    [PORTS, 'What is the encrypted port of STOMP?', undefined],
    ['AMQP | 5672', 'What is the port of AMQP?', undefined],
  ] as const)
    test(question, () => assert.equal(askedCell(row, known(question))?.text, expected));
});

test('the cell of the column wins over other texts of its form', () => {
  for (const [row, question, expected] of [
    [LTS, 'On which day was version 3 of Wren released?', '2020-07-07'],
    [LTS, 'On what date is the end of LTS of version 3?', '2023-06-30'],
    [OPTION, 'What type does bodyLimit have?', 'integer'],
    [PORTS, 'What is the encrypted port of AMQP?', '5671'],
  ] as const) {
    const place = {
      asked: askedForm(question),
      unit: { text: row, said: new Said(row), kind: 'table-row', index: 0, section: 0 },
      section: { heading: [], text: row },
      known: known(question),
    } as unknown as Place;
    const found = candidatesIn(place);
    const most = Math.max(...found.map(({ form }) => form));
    const best = found.filter(({ form }) => form === most).map(({ text }) => text);
    assert.deepEqual([...new Set(best)], [expected], question);
    for (const { text, start } of found) if (start > 0) assert.ok(row.startsWith(text, start));
  }
});

test('cells are those that a format prints, with their places', () => {
  const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 .]{0,8}[a-z0-9]$/u);
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 6 }), columns => {
      const row = rowText(
        columns.map(([head]) => head),
        columns.map(([, cell]) => cell),
      );
      const cells = cellsOf(row);
      assert.equal(cells.length, columns.length);
      for (const [at, { head, text, start, end }] of cells.entries()) {
        assert.equal(row.slice(start, end), text);
        const [expected, cell] = columns[at]!.map(each => each.replace(/\s+/gu, ' ').trim());
        assert.equal(text, cell);
        assert.equal(head, expected === cell ? '' : expected);
      }
    }),
  );
});
