/** Tests which ranker applies, and the ranking of short passages. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../../core/corpus/document.ts';
import { defaultsOf } from '../../core/naming/family.ts';
import type { Trace } from '../../core/trace/trace.ts';
import type { Reranker } from '../../models/reranker.ts';
import { ask } from '../../session/verbs.ts';
import { hashedEmbedder } from '../../testing/hashed-embedder.ts';
import { documentOf as document, engineOf, runOf } from '../../testing/strategy-run.ts';
import { mostAreLong } from './corpus-kind.ts';
import { factLanesWith } from './fact-lanes.ts';
import { FACT_LANES_PARAMETERS } from './settings.ts';
import type { LanesView } from './view.ts';

async function seen(
  question: string,
  documents: readonly Document[],
  retriever = 'lexical',
): Promise<{ readonly view: LanesView; readonly trace: Trace }> {
  let view: LanesView | undefined;
  const settings = defaultsOf(FACT_LANES_PARAMETERS);
  const strategy = factLanesWith(settings, 'fact-lanes', { onRanked: told => (view = told) });
  const { trace } = await runOf(strategy, {
    question: { id: 'q', text: question },
    engine: engineOf(documents, [hashedEmbedder()]),
    retriever,
    context: 'whole',
  });
  return { view: view!, trace };
}

const RULES: readonly Document[] = [
  document('1', 'Rule 1.1', 'A fund manager must report suspicious payments to the board.'),
  document('2', 'Rule 1.2', 'The board must keep a report of the fund for six years.'),
  document('3', 'Rule 2.1', 'Suspicious payments are payments without a stated purpose.'),
  document('4', 'Rule 2.2', 'Furnaces must be inspected. The board may waive this.'),
  document('5', 'Rule 3.1', 'INTRODUCTION'),
];
const QUESTION = 'What must a fund manager do about suspicious payments, and for how long?';

describe('the kind of a corpus', () => {
  test('linked: a third of the texts say their own title, in whole words', async () => {
    const works = document('w', 'Quill Works', 'The Quill Works were founded by Ines Ferrow.');
    const ines = document('i', 'Ines Ferrow (engineer)', 'Ferrow was born in Tarn.');
    const orla = document('o', 'Orla', 'She founded Orlando.');
    const tarn = document('t', 'Tarn (town)', 'Works were founded here.');
    for (const [documents, kind] of [
      [[works, ines, orla], 'linked'],
      [[works, ines, orla, tarn], 'passages'],
      [[ines, orla], 'passages'],
    ] as const)
      assert.equal((await seen('Who founded works in Tarn?', documents)).view.kind, kind);
  });

  test('linked: a title that is a line of its text is a heading, and no name', async () => {
    const questions = 'Which options has the server?';
    const kindOf = async (text: string) =>
      (await seen(questions, [document('o', 'Options', text)])).view.kind;
    assert.equal(await kindOf('Options\n\nThe server reads a port.'), 'passages');
    assert.equal(await kindOf('Options\n\nOptions of the server are its port.'), 'linked');
  });

  test('a title of six words is a name, one of seven a headline', async () => {
    const kindOf = async (title: string) => {
      const founder = document('w', title, `The ${title} has a founder.`);
      const other = document('x', `${title} Again`, `The ${title} Again has a founder.`);
      return (await seen('Who is the founder?', [founder, other])).view.kind;
    };
    // The second title is a word longer: one of two is a name, or none.
    assert.equal(await kindOf('Great Northern Quill Works Of Tarn'), 'linked');
    assert.equal(await kindOf('Great Old Northern Quill Works Of Tarn'), 'passages');
  });

  test('half of the documents decide whether they are long or have headings', async () => {
    const [short, long] = [6000, 6001].map(length => document('x', '', 'x'.repeat(length))) as [
      Document,
      Document,
    ];
    const cases: readonly (readonly [documents: readonly Document[], long: boolean])[] = [
      [[], false],
      [[short], false],
      [[long], true],
      [[long, short], true],
      [[short, long, short], false],
      [[long, short, long], true],
    ];
    for (const [documents, expected] of cases)
      assert.equal(mostAreLong(documents), expected, String(documents.length));
    const outline = [
      { start: 0, heading: ['Rules'], kind: 'heading' as const },
      { start: 7, heading: ['Rules'], kind: 'prose' as const },
    ];
    const headed = (number: number) =>
      RULES.slice(0, 4).map((rule, at) =>
        at < number ? { ...rule, text: `Rules\n\n${rule.text}`, outline } : rule,
      );
    const kinds = await Promise.all(
      [0, 1, 2, 4].map(async number => (await seen(QUESTION, headed(number))).view.kind),
    );
    assert.deepEqual(kinds, ['passages', 'passages', 'sections', 'sections']);
  });
});

describe('short passages', () => {
  test('rank documents that share words and phrases first, and search by content words once', async () => {
    const { trace } = await seen(QUESTION, RULES);
    assert.equal(trace.ranking[0], '1');
    assert.equal(trace.hops.length, 2);
    const byContent = trace.hops[1]!.searches;
    assert.deepEqual(new Set(byContent.map(({ unit }) => unit)), new Set(['sentence', 'document']));
    assert.equal(byContent[0]!.text, 'fund manager suspicious payments long');
  });

  test('gain by a reranker, which reads each below its title once', async () => {
    const reranker: Reranker = {
      id: 'second',
      score: async (_, texts) =>
        Float32Array.from(texts, text => Number(/^Rule 1\.2\n/.test(text))),
    };
    const trace = await ask(QUESTION, {
      engine: engineOf(RULES),
      strategy: 'fact-lanes(reranker=second)',
      reader: 'evidence-only',
      resources: { reranker },
    });
    const scoresOf = ({ evidence }: Trace) =>
      new Map(evidence.map(({ documentId, score }) => [documentId, score]));
    const before = scoresOf((await seen(QUESTION, RULES)).trace);
    const gains = [...scoresOf(trace)].map(([id, score]) => [id, score - before.get(id)!] as const);
    assert.deepEqual(
      new Set(gains.filter(([, gain]) => gain > 1e-9).map(([id]) => id)),
      new Set(['2']),
    );
    assert.ok(trace.spent.rerankedPairs! <= RULES.length, String(trace.spent.rerankedPairs));
  });

  test('that are long are read around their best sentence', async () => {
    const padding = 'Tea was served at noon. '.repeat(100);
    const texts = ['', padding, padding.repeat(2)].map(
      (before, at) => `${before}${RULES[at]!.text} ${padding}`,
    );
    const read: string[] = [];
    const reranker: Reranker = {
      id: 'second',
      score: async (_, pairs) => {
        read.push(...pairs);
        return new Float32Array(pairs.length);
      },
    };
    await ask(QUESTION, {
      engine: engineOf(RULES.slice(0, 3).map((rule, at) => ({ ...rule, text: texts[at]! }))),
      strategy: 'fact-lanes(reranker=second)',
      reader: 'evidence-only',
      resources: { reranker },
    });
    assert.equal(read.length, 3);
    for (const [at, { title, text }] of RULES.slice(0, 3).entries()) {
      const pair = read.find(pair => pair.startsWith(`${title}\n`))!;
      assert.ok(pair.includes(text.slice(0, 40)), `${at}: ${pair}`);
      assert.equal(pair.length, title.length + 1 + 600);
    }
  });

  test('use vectors beside words, and vectors alone', async () => {
    for (const retriever of ['fused(lexical, dense(hashed))', 'dense(hashed)']) {
      const { view, trace } = await seen(QUESTION, RULES, retriever);
      assert.equal(view.kind, 'passages', retriever);
      assert.ok(trace.ranking.slice(0, 2).includes('1'), retriever);
    }
  });

  test('a phrase decides between documents of the same words', async () => {
    const documents = [
      document('split', '', 'Payments of the fund are rarely suspicious to the manager.'),
      document('phrase', '', 'Suspicious payments of the fund are rare to the manager.'),
      document('other', '', 'Furnaces are inspected each year.'),
    ];
    const { trace } = await seen('Which suspicious payments has the manager?', documents);
    assert.equal(trace.ranking[0], 'phrase');
  });
});
