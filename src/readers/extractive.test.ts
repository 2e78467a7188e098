import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../core/corpus/document.ts';
import type { Answer, Trace } from '../core/trace/trace.ts';
import { sentenceSupport } from '../language/english/words/content-words.ts';
import { askEvents } from '../run/ask.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { questionSupport } from './question-support.ts';

const document = (
  id: string,
  text: string,
  source = 'Harbour Ledger',
  day = '2025-10-07',
): Document => ({
  id,
  title: '',
  text,
  metadata: { source, published_at: `${day}T08:00:00+00:00` },
});

async function read(
  question: string,
  documents: readonly Document[],
  reader = 'extractive',
): Promise<Trace> {
  const run = askEvents(
    question,
    { engine: new EmbeddedEngine({ documents }), strategy: 'fixed-top-k(k=5)', reader },
    () => 0,
  );
  let step = await run.next();
  while (!step.done) step = await run.next();
  return step.value;
}

const textOf = (answer: Answer): string =>
  answer.kind === 'abstained' ? `withheld: ${answer.withheld?.text}` : answer.text;

describe('form of the answer', () => {
  const ferry = [
    document(
      'a',
      'Castlenook Ferries will raise its fares in January, said Mara Quist. Quist runs the company.',
    ),
    document(
      'b',
      'The fares of Castlenook Ferries stay unchanged until 30 April 2026, said Mara Quist.',
      'Skerrin News',
      '2025-11-05',
    ),
  ];

  test('answers a yes/no question by yes, or by no if it asks whether reports disagree', async () => {
    assert.equal(
      textOf(
        (
          await read(
            'Did the Harbour Ledger and Skerrin News both report on fares of Castlenook Ferries?',
            ferry,
          )
        ).answer,
      ),
      'Yes',
    );
    assert.equal(
      textOf(
        (
          await read(
            'Was there an inconsistency between the reports on the fares of Castlenook Ferries?',
            ferry,
          )
        ).answer,
      ),
      'No',
    );
  });

  test('answers a question for a date by the date in the best supporting sentence', async () => {
    const trace = await read(
      'Until when, on which date, do the fares of Castlenook Ferries stay unchanged?',
      ferry,
    );
    assert.equal(textOf(trace.answer), '30 April 2026');
  });

  test('answers by the day of publication if no sentence has a date', async () => {
    const trace = await read('When did the ferry sink?', [
      document('a', 'The ferry did sink in the harbour.'),
    ]);
    assert.equal(textOf(trace.answer), '2025-10-07');
  });

  test('answers by an entity that the evidence shares and the question does not name; by a person if it asks who', async () => {
    assert.equal(
      textOf((await read('Who speaks about the fares of Castlenook Ferries?', ferry)).answer),
      'Mara Quist',
    );
  });

  test('does not answer by a name that the question describes as something else', async () => {
    const trace = await read(
      'Which company will fit motors in the ship that Ilse Tarrandine uses?',
      [
        document(
          'a',
          'Nobody whistles on the Wandering Linnet, the ship of Ilse Tarrandine. The Wandering Linnet is quiet.',
        ),
        document(
          'b',
          'Dunmarrow Drives will fit motors in the Wandering Linnet. Dunmarrow Drives is small.',
        ),
      ],
    );
    assert.equal(textOf(trace.answer), 'Dunmarrow Drives');
    assert.ok(
      trace.answer.kind === 'answered' &&
        trace.answer.citations.every(({ documentId }) => documentId === 'b'),
    );
  });
});

describe('abstention', () => {
  test('abstains without support, and records the withheld answer in the trace', async () => {
    const trace = await read(
      'Which airline opened the route from Sarn to Kestrel Bay according to The Copper Times?',
      [
        document('a', 'The harbour was dredged by Orrin Wind.'),
        document('b', 'The airline opened.', 'Elsewhere'),
      ],
    );
    assert.equal(trace.answer.kind, 'abstained');
    assert.ok(
      trace.answer.kind === 'abstained' &&
        trace.answer.reason === 'Insufficient information.' &&
        trace.answer.support! < 0.4,
    );
  });

  test('support=0 never abstains, support=1.01 always does', async () => {
    const documents = [document('a', 'Orrin Wind dredged the harbour.')];
    assert.equal(
      (await read('Who dredged the harbour?', documents, 'extractive(support=0)')).answer.kind,
      'answered',
    );
    const never = (await read('Who dredged the harbour?', documents, 'extractive(support=1.01)'))
      .answer;
    assert.ok(never.kind === 'abstained' && never.withheld?.text === 'Orrin Wind');
  });
});

test('question support is the mean of the defined shares', () => {
  const context = {
    name: 'x',
    text: 'Orrin Wind dredged it. The harbour is deep.',
    tokens: 8,
    parts: [part(0, 22), part(23, 43)],
  };
  const evidence = [
    { id: 'a', documentId: 'a', title: '', metadata: { source: 'Ledger' }, score: 1, spans: [] },
  ];
  // Sources: Ledger found, Post not. Names: orrin, wind found of orrin, wind, ada. Words: dredged,
  // harbour found of dredged, harbour, tomorrow.
  const support = questionSupport(
    'Ledger and Post: will Orrin Wind and Ada have dredged the harbour tomorrow?',
    context,
    evidence,
    ['Ledger', 'Post'],
  );
  assert.deepEqual(
    [
      support.sources,
      support.names,
      support.namesTogether,
      support.words,
      support.wordsTogether,
    ].map(share => Number(share!.toFixed(3))),
    [0.5, 0.667, 0.667, 0.667, 0.333],
  );
  assert.equal(
    Number(support.support.toFixed(4)),
    Number(((1 / 2 + 2 / 3 + 2 / 3 + 2 / 3 + 1 / 3) / 5).toFixed(4)),
  );
  assert.equal(questionSupport('', context, evidence, []).support, 0);
});

function part(start: number, end: number) {
  return { id: 'a', documentId: 'a', start, end, spans: [] };
}

test('sentence support weighs a question word by its rarity among the sentences', () => {
  // harbour is in both (weight ln(1 + 2/3)), dredged in one (weight ln(1 + 2/2)).
  const [both, one] = sentenceSupport('Who dredged the harbour?', [
    'They dredged the harbour.',
    'The harbour is deep.',
  ]);
  const [common, rare] = [Math.log(1 + 2 / 3), Math.log(2)];
  assert.equal(both, 1);
  assert.ok(Math.abs(one! - common / (common + rare)) < 1e-12);
  assert.deepEqual(sentenceSupport('the of', ['anything']), [0]);
});
