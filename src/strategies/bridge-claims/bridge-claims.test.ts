/** Tests bridge-claims by hand-worked runs: both hops, profiles, a model's claims, and failures. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import type { Hop, ModelOutput, Trace } from '../../core/trace/trace.ts';
import type { LanguageModel, Prompt } from '../../models/language-model.ts';
import { failingModel, scriptedModel } from '../../testing/scripted-model.ts';
import { engineOf, runOf } from '../../testing/strategy-run.ts';
import { strategies } from '../strategies.ts';

const doc = (id: string, title: string, text: string, source = 'Ledger'): Document => ({
  id,
  title,
  text,
  metadata: { source },
});
const WORLD: readonly Document[] = [
  doc('works', 'Quill Works of Tarn', 'The Quill Works was founded by Ines Quill in 1902.'),
  doc(
    'ines',
    'Ines Quill and her teacher',
    'Ines Quill learnt it all. She studied under Osk Maren.',
  ),
  doc('maren', 'A life of Osk Maren', 'Osk Maren was born in Vell.', 'Gazette'),
  doc('vell', 'Vell by the river', 'Vell is a town on the Orr.', 'Gazette'),
  doc('ferry', 'Ferry', 'The ferry did not run on Sunday.'),
];
const QUESTION = 'Who taught the founder of the Quill Works?';

interface Given {
  readonly model?: LanguageModel;
  readonly question?: string;
  readonly documents?: readonly Document[];
}

async function run(settings: string, { model, question, documents }: Given = {}): Promise<Trace> {
  const strategy = strategies.create(`bridge-claims(minTokens=4${settings && `, ${settings}`})`);
  const { trace } = await runOf(
    strategy,
    defined({
      question: { id: 'q', text: question ?? QUESTION },
      engine: engineOf(documents ?? WORLD),
      retriever: 'lexical',
      context: 'whole',
      resources: model ? { model } : undefined,
    }),
  );
  return trace;
}

const queries = ({ searches }: Hop): (string | undefined)[] => searches.map(({ text }) => text);
const keptDocuments = ({ evidence }: Trace): string[] => evidence.map(item => item.documentId);
const outputs = ({ hops }: Trace, role: string): ModelOutput[] =>
  hops.flatMap(hop => hop.outputs ?? []).filter(output => output.role === role);
const claimsOf = (trace: Trace, hop: number) =>
  JSON.parse(outputs(trace, 'claims')[hop]!.text) as {
    readonly id: string;
    readonly claim: string;
    readonly target: string;
    readonly verified: boolean;
  }[];

describe('without a model', () => {
  test('hop 1 searches question and targets, hop 2 the names of its claims', async () => {
    const trace = await run('claims=1');
    assert.deepEqual(trace.hops.map(queries), [
      [QUESTION, 'Quill Works', 'founder'],
      ['Ines Quill'],
    ]);
    assert.deepEqual(trace.hops[1]!.reason, 'Ines Quill');
    const { id } = trace.evidence.find(({ documentId }) => documentId === 'works')!;
    assert.deepEqual(trace.hops[1]!.searches[0]!.from, { hop: 0, search: 0, id });
    const paper = 'profile=paper, claims=1, answerK=9';
    assert.deepEqual(keptDocuments(await run(`${paper}, bridges=0`)), ['works']);
    assert.ok(keptDocuments(await run(paper)).includes('ines'), 'found by the bridge alone');
  });
  test('claims are self-contained, and the trace says what is lost', async () => {
    const trace = await run('');
    const claims = claimsOf(trace, 1);
    assert.ok(
      claims.some(({ claim }) => claim === 'Ines Quill studied under Osk Maren.'),
      JSON.stringify(claims),
    );
    assert.match(outputs(trace, 'degraded')[0]!.text, /Without a language model: a claim is/);
    assert.deepEqual(outputs(trace, 'questionType')[0]!.text, 'inference');
    const byRules = await run('by=rules, over=sentences', { model: scriptedModel(['{}']) });
    assert.equal(outputs(byRules, 'degraded').length, 1);
  });
  test('the profile of the paper searches targets alone, and reads what answerK admits', async () => {
    const paper = await run('profile=paper');
    assert.deepEqual(queries(paper.hops[0]!), ['Quill Works', 'founder']);
    const single = await run('profile=paper, answerK=1');
    assert.equal(single.evidence.length, 1);
    assert.ok(paper.evidence.length > 1);
    assert.deepEqual(
      single.hops[1]!.withdrawn?.map(({ why }) => why),
      single.hops[0]!.kept.filter(({ id }) => id !== single.evidence[0]!.id).map(() => 'outranked'),
    );
    const capped = await run('profile=paper, cap=1, answerK=5');
    assert.equal(capped.evidence.length, 1);
  });
  test('joined, the second hop takes claims about a target of the run, otherwise any that name it', async () => {
    const strangers = async (settings: string): Promise<number> => {
      const documents = [
        doc('a', 'Osk Maren', 'Osk Maren of Vell ground lenses.'),
        doc('b', 'Tarn Works', 'Tarn Works once hired Osk Maren for a day.'),
      ];
      const question = 'What did Osk Maren grind?';
      const trace = await run(`profile=paper, answerK=9, claims=1${settings}`, {
        documents,
        question,
      });
      const targets = outputs(trace, 'targets').flatMap(({ text }) => JSON.parse(text) as string[]);
      const claims = new Map(claimsOf(trace, 1).map(({ id, target }) => [id, target]));
      const kept = trace.hops[1]!.kept.map(({ id }) => claims.get(id)!);
      return kept.filter(target => !targets.includes(target)).length;
    };
    assert.equal(await strangers(', join=target'), 0);
    assert.ok((await strangers('')) > 0);
  });
  test('answer=rules: a name that two documents speak for; yes or no by polarity; or none', async () => {
    const documents = [
      doc('a', 'Prize of Tarn', 'Tarn gave the prize to Osk Maren.'),
      doc('b', 'Lens of Tarn', 'Osk Maren made the lens of Tarn.', 'Gazette'),
    ];
    const who = await run('answer=rules', { documents, question: 'Who got the prize of Tarn?' });
    assert.equal(who.answer.kind, 'answered');
    assert.equal('text' in who.answer && who.answer.text, 'Osk Maren');
    const denied = [
      doc('a', 'Tarn', 'Tarn said the lamp was sold in May.'),
      doc('b', 'Vell', 'Vell said the lamp was not sold in May.'),
    ];
    const ask = 'Did Tarn and Vell both say that the lamp was sold?';
    const verdict = await run('answer=rules', { documents: denied, question: ask });
    assert.equal('text' in verdict.answer && verdict.answer.text, 'No');
    const unknown = await run('answer=rules', {
      question: 'What does the Nowhere Times article on Tarn say?',
    });
    assert.equal(outputs(unknown, 'questionType')[0]!.text, 'null');
    assert.equal(unknown.answer.kind, 'abstained');
  });
  test('a name that no found document mentions makes a question null; parts of names do not count', async () => {
    const typeOf = async (question: string): Promise<string> =>
      outputs(await run('', { question }), 'questionType')[0]!.text;
    assert.equal(await typeOf('Which town did Osk Maren and Ines Quill live in?'), 'inference');
    assert.equal(await typeOf('Which town did Osk Maren and Bela Strand live in?'), 'null');
    // Words of a name may stand apart, but in one document.
    assert.equal(await typeOf('Which town did Osk Quill live in?'), 'inference');
    assert.equal(await typeOf('Which town did Vell Quill live in?'), 'null');
    // Letters inside "learnt" are no word.
    assert.equal(await typeOf('Which town did Arn live in?'), 'null');
  });
});

const REPLIES: Readonly<Record<string, string>> = {
  claim:
    '{"claim": "Ines Quill founded the Quill Works.", "target": "Quill Works", "topic": "founding"}',
  verify: '{"consistent": true, "score": 0.9}',
  finalAnswer: '{"type": "inference", "answer": "Osk Maren", "evidenceIds": [1]}',
};
const byRole = (more: Readonly<Record<string, string>> = {}) =>
  scriptedModel(({ role, messages }: Prompt) =>
    role === 'bridge'
      ? messages[1]!.text.startsWith('Question')
        ? (more['targets'] ?? '{"targets": ["Quill Works", "Tarn"]}')
        : '{"targets": ["Osk Maren", "Vell"]}'
      : ({ ...REPLIES, ...more }[role] ?? ''),
  );
const calls = (prompts: readonly Prompt[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(prompts, ({ role }) => role)].map(([role, list]) => [role, list.length]),
  );

describe('with a model', () => {
  test('one call for targets, one or two a claim, one for the answer, which cites its claim', async () => {
    const model = byRole();
    const trace = await run('profile=aware, claims=1, bridges=0, over=sentences', { model });
    assert.deepEqual(queries(trace.hops[0]!), [QUESTION, 'Quill Works', 'Tarn']);
    // The same reply suits one sentence; all others refuse it twice.
    const { length } = trace.evidence;
    assert.deepEqual(calls(model.prompts), { bridge: 1, claim: 2 * length - 1, finalAnswer: 1 });
    assert.deepEqual(claimsOf(trace, 0)[0], {
      ...claimsOf(trace, 0)[0],
      claim: 'Ines Quill founded the Quill Works.',
      target: 'Quill Works',
      verified: true,
    });
    assert.equal('text' in trace.answer && trace.answer.text, 'Osk Maren');
    assert.equal(outputs(trace, 'degraded').length, 0);
  });
  test('the rules add to a single target of a model', async () => {
    const model = byRole({ targets: '{"targets": ["Tarn"]}' });
    const trace = await run('claims=1, bridges=0', { model });
    assert.deepEqual(queries(trace.hops[0]!), ['Tarn', 'Quill Works']);
    const narrow = await run('claims=1, bridges=0, targets=1', { model });
    assert.deepEqual(queries(narrow.hops[0]!), ['Tarn']);
  });
  test('the paper is the default: targets of each claim are regenerated; verify=model asks for each claim', async () => {
    const model = byRole();
    const trace = await run('claims=2, verify=model, answer=reader', { model });
    const { bridge, claim, verify, ...none } = calls(model.prompts);
    assert.deepEqual([bridge, none], [3, {}]);
    assert.equal(verify, claim);
    assert.deepEqual(queries(trace.hops[1]!), ['Osk Maren', 'Vell']);
  });
  test('a claim that adds a name is written twice, then by rules', async () => {
    const model = byRole({ claim: '{"claim": "Bob Nobody founded it.", "target": "Bob Nobody"}' });
    const trace = await run('claims=1, bridges=0, cap=1', { model });
    assert.equal(calls(model.prompts)['claim'], 2);
    assert.equal(claimsOf(trace, 0)[0]!.claim, WORLD[0]!.text);
    const refused = byRole({ verify: '{"consistent": false, "score": 0.1}' });
    await run('claims=1, bridges=0, cap=1, verify=model', { model: refused });
    assert.deepEqual([calls(refused.prompts)['claim'], calls(refused.prompts)['verify']], [2, 2]);
  });
  test('labelled lines are read; no claim is no second writing', async () => {
    const lines = 'Claim: Ines Quill founded the Quill Works.\nTarget: Ines Quill\nTopic: x';
    const trace = await run('claims=1, bridges=0, cap=1', { model: byRole({ claim: lines }) });
    assert.equal(claimsOf(trace, 0)[0]!.target, 'Ines Quill');
    const model = byRole({ claim: '{"claim": null, "target": "", "topic": ""}' });
    await run('claims=1, bridges=0, cap=1', { model });
    assert.equal(calls(model.prompts)['claim'], 1);
  });
  test('type null abstains; an answer without a claim is left to the reader', async () => {
    const none = byRole({ finalAnswer: '{"type": "null", "answer": "x", "evidenceIds": []}' });
    const abstained = await run('', { model: none });
    assert.equal(abstained.answer.kind, 'abstained');
    assert.equal(outputs(abstained, 'questionType')[0]!.text, 'null');
    const uncited = byRole({
      finalAnswer: '{"type": "inference", "answer": "Osk", "evidenceIds": [99]}',
    });
    const left = await run('', { model: uncited });
    assert.ok(outputs(left, 'finalAnswer')[0]!.parsed);
    assert.notEqual('text' in left.answer && left.answer.text, 'Osk');
  });
  test('after a failure the rules go on', async () => {
    const trace = await run('', { model: failingModel });
    assert.deepEqual(keptDocuments(trace), keptDocuments(await run('profile=paper')));
  });
  test('a limit on its calls leaves the claims of the first hop as evidence', async () => {
    const strategy = strategies.create('bridge-claims(minTokens=4)');
    const { trace } = await runOf(strategy, {
      question: { id: 'q', text: QUESTION },
      engine: engineOf(WORLD),
      retriever: 'lexical',
      context: 'whole',
      resources: { model: byRole() },
      budget: { modelCalls: 2 },
    });
    assert.deepEqual(trace.stopped, { by: 'limit', limit: 'modelCalls' });
    assert.ok(trace.evidence.length > 0);
  });
});
