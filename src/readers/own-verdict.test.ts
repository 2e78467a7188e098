import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../core/trace/trace.ts';
import { ownVerdict } from './own-verdict.ts';

const answered = (text: string, more: object = {}): Answer => ({
  kind: 'answered',
  text,
  citations: [],
  ...more,
});
const textOf = (answer: Answer): string => (answer.kind === 'answered' ? answer.text : '');

test('a bare yes or no is said in the language of the question', () => {
  const rows: readonly (readonly [question: string, said: string, given: string])[] = [
    ['Wurde der Leuchtturm vor der Brücke gebaut?', 'Yes', 'Ja'],
    ['Wurde der Leuchtturm vor der Brücke gebaut?', 'no.', 'Nein'],
    ['Est-ce que le phare est plus ancien que le pont ?', 'No', 'Non'],
    ['¿Es el faro más antiguo que el puente?', 'Yes', 'Sí'],
    ['Маяк старше моста?', 'No', 'Нет'],
    ['灯塔比桥更古老吗？', 'Yes', '是'],
    ['灯台は橋より古いですか。', 'No', 'いいえ'],
    ['등대가 다리보다 오래되었습니까?', 'Yes', '예'],
    ['Was the lighthouse built before the bridge?', 'Yes', 'Yes'],
    ['Wann wurde der Leuchtturm gebaut?', '1998', '1998'],
    ['Wurde der Leuchtturm vor der Brücke gebaut?', 'Yes, in 1998', 'Yes, in 1998'],
  ];
  for (const [question, said, given] of rows)
    assert.equal(textOf(ownVerdict(answered(said), question)), given, question);
});

test('its marks follow it, and sentences of a written answer stay', () => {
  const question = 'Wurde der Leuchtturm vor der Brücke gebaut?';
  assert.deepEqual(
    ownVerdict(answered('Yes', { unsupported: ['Yes'] }), question),
    answered('Ja', { unsupported: ['Ja'] }),
  );
  const written = answered('Yes.', { sentences: [{ start: 0, end: 4, citations: [] }] });
  assert.deepEqual(ownVerdict(written, question), written);
});
