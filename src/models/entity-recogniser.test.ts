/** Checks entities by spelling, their names, and what a metered recogniser refuses. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InputError, PortError } from '../core/errors.ts';
import type { Metering } from '../core/port.ts';
import { freeCall } from '../core/trace/call.ts';
import {
  type EntityRecogniser,
  entityName,
  type RecognisedEntities,
  recogniseChecked,
} from './entity-recogniser.ts';
import { nameRecogniser } from './name-recogniser.ts';
import { ports } from './ports.ts';
import { resourceOf } from './resources.ts';

const call = freeCall();
const found = async (title: string, ...sentences: string[]): Promise<readonly string[][]> => {
  const [found] = await recogniseChecked(nameRecogniser, [{ title, sentences }], call);
  return found!.sentences.map(names => [...names]);
};

describe('names by spelling', () => {
  test('every mention counts, in its order', async () =>
    assert.deepEqual(await found('', 'When Orla met Tamsin Reed, Orla left.', 'Nobody came.'), [
      ['Orla', 'Tamsin Reed', 'Orla'],
      [],
    ]));

  test('a word that opens a sentence is a name where the document shows it to be one', async () => {
    assert.deepEqual(await found('', 'Foxes ran.', 'Reed saw Tamsin Reed.'), [
      [],
      ['Reed', 'Tamsin Reed'],
    ]);
    assert.deepEqual(await found('Dunmarrow (town)', '“Dunmarrow is old.', 'Rain fell.'), [
      ['Dunmarrow'],
      [],
    ]);
    assert.deepEqual(await found('', 'Orla Tennant left.', 'Tennant stayed.'), [
      ['Orla Tennant'],
      ['Tennant'],
    ]);
  });
});

test('mentions meet under one name', () => {
  for (const mention of ['U.S. Open', 'u s open', ' U.S.\u00a0OPEN!', 'Ｕ.Ｓ. open'])
    assert.equal(entityName(mention), 'u s open');
  assert.equal(entityName('Ünal–Žižek'), 'ünal žižek');
  assert.equal(entityName('—'), '');
});

const asked = [{ title: '', sentences: ['Who met Orla?'] }];
const answering = (found: unknown): EntityRecogniser => ({
  id: 'r',
  recognise: async () => found as RecognisedEntities[],
});
const triple = { head: 'Orla', relation: 'met', tail: 7 };
for (const [code, found] of [
  ['wrong-count', []],
  ['wrong-count', [{ sentences: [] }]],
  ['no-text', [{ sentences: [[7]] }]],
  ['no-text', [{ sentences: [['Orla']], triples: [triple] }]],
] as const)
  test(`refused as ${code}: ${JSON.stringify(found)}`, async () => {
    const isRefused = (error: unknown): boolean => PortError.is(error) && error.code === code;
    await assert.rejects(recogniseChecked(answering(found), asked, call), isRefused);
    const metered = ports.entityRecogniser.meter(answering(found), metering([]));
    await assert.rejects(metered.recognise(asked, call), isRefused);
  });

const metering = (roles: string[]): Metering => ({
  signal: call.signal,
  call: async ({ role, check }, work) => {
    roles.push(role);
    return check(await work(freeCall()));
  },
  output: () => {},
});

test('a run counts each call, and has the recogniser by spelling without being given one', async () => {
  const roles: string[] = [];
  const { entityRecogniser } = ports;
  const metered = entityRecogniser.meter(nameRecogniser, metering(roles));
  const [found] = await metered.recognise(asked, call);
  assert.deepEqual([found!.sentences, roles], [[['Orla']], ['recognise']]);
  assert.equal((await entityRecogniser.shipped!('names')).id, 'names');
  const need = { port: entityRecogniser, id: 'other' };
  assert.throws(
    () => resourceOf({ kind: 'strategy', name: 's' }, need, {}),
    (error: unknown) => error instanceof InputError && /names/.test(error.message),
  );
});
