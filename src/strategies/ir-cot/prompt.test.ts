/** Tests the prompts of IR-CoT by profile: the words of the conclusion, and the demonstrations. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stepPrompt } from './prompt.ts';
import { IR_COT_PROFILES, type IrCotProfile, readThought } from './reply.ts';

const STEP = { question: 'Which lamp?', paragraphs: [], sentences: [] };
const settings = (profile: IrCotProfile, demonstrations = 3) => ({
  profile,
  demonstrations,
  words: 350,
  prompt: 8000,
});
const partsOf = (profile: IrCotProfile, demonstrations?: number) => {
  const { messages } = stepPrompt(STEP, settings(profile, demonstrations));
  const [system, user] = messages.map(({ text }) => text) as [string, string];
  return { system, examples: user.split('Example\n').slice(1), user };
};

for (const profile of IR_COT_PROFILES)
  describe(profile, () => {
    const start = profile === 'comparison-text' ? 'The answer is: ' : 'So the answer is: ';

    test('the rules show the conclusion that the parser of the profile reads', () => {
      const { system } = partsOf(profile);
      assert.ok(system.includes(`"${start}X."`), system);
      assert.ok(system.includes(`"${start}Insufficient information."`), system);
      const thought = readThought({ text: `${start}X.`, finish: 'stop' }, profile);
      assert.equal(thought.kind === 'thought' && thought.answer, 'X');
    });

    test('as many demonstrations as are asked for, the first ones, and none for 0', () => {
      const all = partsOf(profile).examples;
      assert.equal(all.length, 3);
      assert.deepEqual(partsOf(profile, 0).examples, []);
      const questions = (examples: readonly string[]) =>
        examples.map(example => /^Question: (.*)$/m.exec(example)![1]);
      for (const count of [1, 2])
        assert.deepEqual(
          questions(partsOf(profile, count).examples),
          questions(all).slice(0, count),
        );
    });

    test('a demonstration is a chain that the parser reads: facts, then one answer at the end', () => {
      for (const example of partsOf(profile).examples) {
        const replies =
          profile === 'comparison-code'
            ? [/^Continue: (.*)$/m.exec(example)![1]!]
            : [...example.matchAll(/^Next: (.*)$/gm)].map(match => match[1]!);
        const answers = replies.map(text => {
          const thought = readThought({ text, finish: 'stop' }, profile);
          assert.equal(thought.kind, 'thought', text);
          return thought.kind === 'thought' ? thought.answer : undefined;
        });
        assert.ok(profile === 'comparison-code' || replies.length >= 3);
        assert.ok(answers.slice(0, -1).every(answer => answer === undefined));
        assert.ok(['Blue Heron', 'Insufficient information', '1950'].includes(answers.at(-1)!));
        if (profile === 'comparison-code') continue;
        for (const [at, reply] of replies.entries()) {
          const { answer } = JSON.parse(reply) as { answer: string | null };
          assert.equal(answer !== null, at === replies.length - 1, reply);
        }
      }
    });

    test('the prompt ends with the sentences so far, or says that there are none', () => {
      const { user } = partsOf(profile, 0);
      const next = profile === 'comparison-code' ? 'Continue:' : 'Next:';
      assert.ok(user.endsWith(`Question: Which lamp?\nSo far: (nothing)\n${next}`), user);
      const { messages } = stepPrompt({ ...STEP, sentences: ['A.', 'B.'] }, settings(profile));
      assert.ok(messages[1]!.text.endsWith(`So far: A. B.\n${next}`));
    });
  });
