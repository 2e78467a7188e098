/**
 * Tests the comparison of readers over frozen evidence: the same text comes back, answers go on
 * where they stopped, and `cascade` asks a model only where the rules are not sure.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { CascadeModel } from '../../src/models/cascade/cascade-checkpoint.ts';
import { ask } from '../../src/session/verbs.ts';
import { scriptedModel } from '../../src/testing/index.ts';
import { freshFolder } from '../../test/fresh-folder.ts';
import {
  type FrozenQuestion,
  frozenOf,
  readFrozen,
  writeFrozen,
} from '../models/frozen-evidence.ts';
import { openSet } from '../models/question-sets.ts';
import { answersIn, CASCADE, readAnswers } from '../models/read-answers.ts';

const BY_MODEL: CascadeModel = {
  weights: { rules: 0, unfound: 0, model: 5, verdict: 0 },
  none: 0,
};

const set = await openSet('demo', 'report', { data: '', cache: '' });
const questions = set.questions.slice(0, 2);
const frozen: Record<string, FrozenQuestion> = {};
for (const { id, text } of questions)
  frozen[id] = frozenOf(await ask(text, { engine: set.engine, reader: 'evidence-only', id }));

describe('answers from frozen evidence', () => {
  test('rest on the text that was frozen, and go on where they stopped', async () => {
    const file = join(freshFolder(), 'evidence.br');
    writeFrozen(file, { demo: frozen });
    const request = {
      set: 'demo',
      readers: ['combined-reader'],
      shown: 'own',
      cascade: undefined,
    } as const;
    const out = join(freshFolder(), 'answers.jsonl');
    const again = readFrozen(file)['demo']!;
    await readAnswers(
      { ...set, questions: questions.slice(0, 1) },
      { ...request, frozen: again, out },
    );
    await readAnswers({ ...set, questions }, { ...request, frozen: again, out });
    assert.deepEqual(
      answersIn(out).map(({ id }) => id),
      questions.map(({ id }) => id),
    );
    for (const { answer } of answersIn(out)) assert.equal(answer.kind, 'answered');
  });

  test('refuse evidence that makes another text', async () => {
    const [question] = questions;
    const changed = { ...frozen[question!.id]!, sha256: 'another' };
    const request = { set: 'demo', readers: ['combined-reader'], shown: 'own' } as const;
    await assert.rejects(
      readAnswers(
        { ...set, questions: [question!] },
        { ...request, frozen: { [question!.id]: changed }, out: join(freshFolder(), 'a.jsonl') },
      ),
      /another text/,
    );
  });

  for (const [sure, asked] of [
    [0, 0],
    [1.01, 1],
  ] as const)
    test(`ask the model ${asked} times where the rules are sure from ${sure} on`, async () => {
      const model = scriptedModel([
        '{"answer": "Dunmarrow Drives", "citations": [1], "abstain": false}',
      ]);
      const out = join(freshFolder(), 'answers.jsonl');
      const [question] = questions;
      await readAnswers(
        { ...set, questions: [question!] },
        {
          set: 'demo',
          readers: [CASCADE],
          shown: 'own',
          cascade: { weights: BY_MODEL, sure },
          frozen,
          model,
          out,
        },
      );
      const [{ answer, rules, said }] = answersIn(out) as [ReturnType<typeof answersIn>[0]];
      assert.equal(model.prompts.length, asked);
      assert.deepEqual([rules !== undefined, said !== undefined], [asked > 0, asked > 0]);
      if (asked > 0) assert.ok(answer.kind === 'answered' && answer.text === 'Dunmarrow Drives');
      if (asked > 0) assert.match(model.prompts[0]!.messages[1]!.text, /considers these answers/);
    });
});
