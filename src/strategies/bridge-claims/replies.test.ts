/** Tests prompts and replies of `bridge-claims`: any reply of a model is read or refused. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { promptTokens } from '../../models/prompt-tokens.ts';
import { answerPrompt, readClaimAnswer } from './answer-prompt.ts';
import {
  claimPrompt,
  claimTargetsPrompt,
  readClaim,
  readClaimLines,
  readTargets,
  readVerdict,
  targetsPrompt,
  verifyPrompt,
} from './prompts.ts';

const place = {
  sentence: 'He bought it.',
  before: 'Ines Quill saw the lamp.',
  after: 'It burns.',
  title: 'The lamp',
  about: 'Ledger, 2023-11-18',
};

/** JSON of the shapes that models write instead of the one asked for. */
const anyReply = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      targets: fc.oneof(fc.array(fc.oneof(fc.string(), fc.jsonValue())), fc.string()),
      claim: fc.oneof(fc.string({ unit: 'binary' }), fc.constant(null), fc.jsonValue()),
      target: fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.jsonValue()),
      topic: fc.jsonValue(),
      consistent: fc.jsonValue(),
      score: fc.oneof(fc.double(), fc.jsonValue()),
      answer: fc.oneof(fc.string(), fc.jsonValue()),
      type: fc.oneof(fc.constantFrom('null', 'temporal', 'other'), fc.jsonValue()),
      evidenceIds: fc.oneof(fc.array(fc.oneof(fc.integer(), fc.jsonValue())), fc.jsonValue()),
    },
    { requiredKeys: [] },
  ),
);
const isClean = (text: string): boolean =>
  text === text.trim() && text.isWellFormed() && !/[^\P{C}\s]|\s\s/u.test(text);

describe('any reply', () => {
  test('targets are some distinct clean texts, or none', () =>
    fc.assert(
      fc.property(anyReply, fc.integer({ min: 1, max: 5 }), (json, most) => {
        const targets = readTargets(json, most);
        if (targets === undefined) return;
        assert.ok(targets.length >= 1 && targets.length <= most);
        assert.ok(targets.every(text => text.length <= 100 && isClean(text)));
        assert.equal(new Set(targets.map(text => text.toLowerCase())).size, targets.length);
      }),
    ));
  test('a claim is a clean text of bounded length, or null', () =>
    fc.assert(
      fc.property(anyReply, json => {
        const read = readClaim(json);
        if (read === undefined) return;
        assert.ok(read.claim === undefined || (isClean(read.claim) && read.claim !== ''));
        for (const [text, most] of [
          [read.claim ?? '', 1200],
          [read.target, 100],
          [read.topic, 100],
        ] as const)
          assert.ok(text.length <= most && isClean(text));
      }),
    ));
  test('a verdict is a boolean; an answer cites only claims that were shown, each once', () =>
    fc.assert(
      fc.property(anyReply, fc.integer({ min: 0, max: 4 }), (json, claims) => {
        const verdict = readVerdict(json);
        assert.ok(verdict === undefined || typeof verdict.consistent === 'boolean');
        const answer = readClaimAnswer(json, claims);
        if (answer === undefined) return;
        assert.ok(answer.answer.trim() !== '');
        assert.ok(answer.evidence.every(at => at >= 0 && at < claims));
        assert.equal(new Set(answer.evidence).size, answer.evidence.length);
      }),
    ));
});

describe('replies by hand', () => {
  test('targets', () => {
    assert.deepEqual(readTargets({ targets: [' Osk\u0000 Maren ', 'osk maren', 3, '..'] }, 4), [
      'osk maren',
    ]);
    for (const json of [{ targets: [] }, { targets: 'Osk' }, [], null, { targets: ['-'] }])
      assert.equal(readTargets(json, 4), undefined);
  });
  test('claims: as JSON, as labelled lines; null is no claim', () => {
    assert.deepEqual(readClaim({ claim: null, target: 'Lamp' }), {
      claim: undefined,
      target: 'Lamp',
      topic: '',
    });
    assert.equal(readClaim({ target: 'Lamp', topic: 'light' }), undefined);
    assert.equal(readClaim({ claim: 'x'.repeat(1201) }), undefined);
    assert.deepEqual(
      readClaimLines('Sure!\n**Claim:** Osk bought it.\n- Bridge-Target: Osk\nTopic = lamp'),
      { claim: 'Osk bought it.', target: 'Osk', topic: 'lamp' },
    );
  });
  test('the score decides a verdict, from 0.5 on', () => {
    assert.deepEqual(readVerdict({ consistent: true, score: 0.49 }), { consistent: false });
    assert.deepEqual(readVerdict({ consistent: false, score: 0.5 }), { consistent: true });
    assert.deepEqual(readVerdict({ consistent: true, score: 7 }), { consistent: true });
    assert.equal(readVerdict({ consistent: 'yes' }), undefined);
  });
  test('type null, or words for it, is insufficient information', () => {
    const insufficient = { answer: 'Insufficient information.', evidence: [] };
    assert.deepEqual(readClaimAnswer({ type: 'null', answer: 'Osk' }, 3), {
      type: 'null',
      ...insufficient,
    });
    assert.deepEqual(readClaimAnswer({ type: 'x', answer: 'unknown' }, 3), {
      type: undefined,
      ...insufficient,
    });
    assert.deepEqual(
      readClaimAnswer({ type: 'temporal', answer: true, evidenceIds: [2, 2, 9] }, 3),
      { type: 'temporal', answer: 'Yes', evidence: [1] },
    );
  });
});

describe('prompts', () => {
  const long = {
    sentence: 'word '.repeat(3000),
    before: 'x'.repeat(9000),
    after: 'y '.repeat(3000),
    title: 'z'.repeat(9000),
    about: 'Ledger',
  };
  const prompts = (support: typeof place, atMost: number) => [
    claimPrompt(support, atMost),
    claimPrompt(support, atMost, ['Osk']),
    verifyPrompt(support, support.before, atMost),
    claimTargetsPrompt(support.sentence, 2, atMost),
    answerPrompt(
      'Who?',
      [
        { ...support, text: support.sentence },
        { title: '', text: support.before },
      ],
      atMost,
    ),
  ];
  test('keep to the setting by showing less', () => {
    for (const prompt of prompts(long, 900)) assert.ok(promptTokens(prompt) <= 900, prompt.role);
  });
  test('are pinned: what they ask, and documents as data', () => {
    const shown = prompts(place, 6000).map(({ role, messages: [system, user] }) => ({
      role,
      asks: /Reply with JSON alone: (.*)$/m.exec(system!.text)![1],
      data: user!.text,
    }));
    const claim = {
      role: 'claim',
      asks: '{"claim": "...", "target": "...", "topic": "..."}',
      data: '<<passage 1>> The lamp (Ledger, 2023-11-18)\nHe bought it.\n<<passage 2>> before\nInes Quill saw the lamp.\n<<passage 3>> after\nIt burns.\n<<end>>',
    };
    assert.deepEqual(shown.slice(0, 4), [
      claim,
      claim,
      {
        role: 'verify',
        asks: '{"consistent": true, "score": 0.9}',
        data: '<<passage 1>> The lamp (Ledger, 2023-11-18)\nHe bought it.\n<<passage 2>> claim\nInes Quill saw the lamp.\n<<end>>',
      },
      {
        role: 'bridge',
        asks: '{"targets": ["...", "..."]}',
        data: '<<passage 1>> \nHe bought it.\n<<end>>',
      },
    ]);
    assert.match(targetsPrompt('Who?', 4).messages[0]!.text, /^Name 2 to 4 bridge targets/);
    assert.match(targetsPrompt('Who?', 1).messages[0]!.text, /^Name at most 1 bridge targets/);
  });
  test('a second writing says that the first added names', () =>
    assert.notDeepEqual(claimPrompt(place, 6000), claimPrompt(place, 6000, ['Osk'])));
});
