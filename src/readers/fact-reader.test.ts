/**
 * Tests the fact reader on invented news: masks, paired sentences, names, abstentions and
 * citations.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../core/corpus/document.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Answer, Trace } from '../core/trace/trace.ts';
import { namesIn } from '../language/english/names/entity-names.ts';
import { writtenInFull } from '../language/english/names/full-names.ts';
import { longerNames } from '../language/english/names/persons.ts';
import { MASKS, maskedQuestion } from '../language/english/question/masked-question.ts';
import { isDiscourseWord } from '../language/english/words/discourse-words.ts';
import { askEvents } from '../run/ask.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { type Prepared, prepare } from './fact-reader/prepare.ts';
import { UNDECIDED } from './fact-reader.ts';

const document = (id: string, source: string, day: string, text: string, title = ''): Document => ({
  id,
  title,
  text,
  metadata: source === '' ? {} : { source, published_at: `${day}T08:00:00+00:00` },
});

const NEWS: readonly Document[] = [
  document(
    'ferry',
    'Harbour Ledger',
    '2025-10-07',
    'Castlenook Ferries will raise its fares in January. Mara Quist, who runs the company, said that oil had become dear.',
  ),
  document(
    'fares',
    'Skerrin News',
    '2025-11-05',
    'The fares of Castlenook Ferries fell by a tenth in spring. Quist told passengers that more boats will come.',
  ),
  document(
    'kelp',
    'Skerrin News',
    '2025-09-12',
    'Brightwater grows kelp in the bay. Its beds doubled within a year.',
  ),
];
const CATALOGUE = {
  sources: ['Skerrin News', 'Harbour Ledger'],
  days: ['2025-09-12', '2025-10-07', '2025-11-05'],
};

async function read(
  question: string,
  documents: readonly Document[] = NEWS,
  reader = 'fact-reader',
  context = 'whole',
): Promise<Trace> {
  const options = {
    engine: new EmbeddedEngine({ documents }),
    strategy: 'fixed-top-k(k=5)',
    reader,
    context,
  };
  const run = askEvents(question, options, () => 0);
  let step = await run.next();
  while (!step.done) step = await run.next();
  return step.value;
}

async function prepared(
  question: string,
  documents: readonly Document[] = NEWS,
): Promise<Prepared> {
  const { context, evidence } = await read(question, documents, 'evidence-only');
  const kit = { engine: new EmbeddedEngine({ documents }).current };
  const shown = { question: { text: question }, context, evidence, kit, call: freeCall() };
  return prepare(shown, CATALOGUE);
}

const textOf = (answer: Answer): string =>
  answer.kind === 'abstained' ? `withheld: ${answer.withheld?.text}` : answer.text;

describe('masks', () => {
  const masked = (question: string): string => maskedQuestion(question, CATALOGUE).join(' ');

  test('replace names, sources, dates, numbers and topics, and keep the form', () => {
    assert.equal(
      masked(
        'Did the Harbour Ledger report that Mara Quist raised 40 fares before Skerrin News, on 5 November 2025, denied it?',
      ),
      'did the <source> report that <name> <topic> <number> <topic> before <source> on <date> denied it',
    );
    assert.equal(
      masked(
        "Considering the Velo Dispatch article on Castlenook Ferries' boats in May, which may sink?",
      ),
      'considering the <source> article on <name> <topic> in <date> which may <topic>',
    );
  });

  test('keep no word besides function words and words of reporting', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), text => {
        const masks: readonly string[] = Object.values(MASKS);
        return maskedQuestion(text, CATALOGUE).every(
          token => masks.includes(token) || isDiscourseWord(token),
        );
      }),
    );
  });
});

describe('facts', () => {
  test('pairs each clause with a sentence of the source that it names', async () => {
    const question =
      'Does the Harbour Ledger report that the fares of Castlenook Ferries will rise, while Skerrin News reports that the fares of Castlenook Ferries fell?';
    const { reading } = await prepared(question);
    assert.deepEqual(
      reading.facts.map(({ best }) => reading.sentences[best!]!.documentId),
      ['ferry', 'fares'],
    );
  });
});

describe('names', () => {
  test('for any text: offsets are exact', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Ada', ' ', '’s ', "'s", 'CEO ', 'of ', 'All', 'x', '. ', ', '), {
          maxLength: 20,
        }),
        pieces => {
          const text = pieces.join('');
          return namesIn(text).every(
            name =>
              text.slice(name.start, name.end) === name.text && name.text.trim() === name.text,
          );
        },
      ),
    );
  });

  test('completes last names as the names of whole texts do', () => {
    const word$ = fc.constantFrom('Mara Quist', 'Orre', 'Ilse Orre', 'and', 'of', 'The', '’s');
    const end$ = fc.constantFrom(' ', ', ', '. ', '! ', '.', '?', '\n', ' “');
    const text$ = fc
      .array(fc.tuple(word$, end$), { maxLength: 20 })
      .map(pairs => pairs.flat().join(''));
    fc.assert(
      fc.property(fc.array(text$, { maxLength: 3 }), texts => {
        const longer = longerNames(texts.flatMap(namesIn).map(({ text }) => text));
        for (const last of ['Quist', 'Orre'])
          assert.equal(writtenInFull(last, texts), longer.get(last), `${texts}`);
      }),
    );
  });
});

describe('answers', () => {
  test('are an entity or a date, and cite sentences', async () => {
    const entity = await read(
      'Who, according to the Harbour Ledger, runs Castlenook Ferries and told passengers that more boats will come, according to Skerrin News?',
    );
    assert.match(textOf(entity.answer), /Mara Quist$/);
    const date = await read(
      'On which date did Skerrin News write on the kelp beds of Brightwater?',
    );
    assert.match(textOf(date.answer), /2025-09-12$/);
    for (const { answer } of [entity, date]) {
      const citations = answer.kind === 'abstained' ? answer.withheld!.citations : answer.citations;
      assert.ok(citations.length > 0);
    }
  });

  for (const support of [0, 0.25])
    test(`show the evidence of each claim of a question for yes or no, undecided, with support=${support}`, async () => {
      const { answer } = await read(
        'Does the Harbour Ledger report that Castlenook Ferries will raise its fares, while Skerrin News reports that the fares of Castlenook Ferries fell?',
        NEWS,
        `fact-reader(support=${support})`,
      );
      assert.ok(answer.kind === 'abstained');
      assert.deepEqual(
        [answer.reason, answer.withheld, answer.questionType],
        [UNDECIDED, undefined, 'comparison'],
      );
      assert.deepEqual(
        answer.sides!.map(({ claim, citations }) => [
          claim,
          citations.map(({ documentId }) => documentId),
        ]),
        [
          ['The Harbour Ledger report that Castlenook Ferries will raise its fares', ['ferry']],
          ['Skerrin News reports that the fares of Castlenook Ferries fell', ['fares']],
        ],
      );
    });

  test('abstain if neither sources nor evidence support an answer, with the type null', async () => {
    const { answer } = await read(
      'Which airline, according to Velo Dispatch and Coastline Today, opened the route between Lindmar and Kestrel Point?',
    );
    assert.ok(answer.kind === 'abstained');
    assert.equal(answer.questionType, 'null');
    assert.ok(answer.support! < 0.5);
  });

  test('always answer with support=0, and record the predicted type', async () => {
    const { answer } = await read(
      'Who, according to Velo Dispatch, opened the route to Lindmar?',
      NEWS,
      'fact-reader(support=0)',
    );
    assert.ok(answer.kind === 'answered');
    assert.equal(answer.questionType, 'inference');
  });

  test('work on a corpus without metadata', async () => {
    const bare = NEWS.map(({ id, text }) => document(id, '', '', text));
    const { answer } = await read(
      'Who runs Castlenook Ferries and told passengers that more boats will come?',
      bare,
      'fact-reader(support=0)',
    );
    assert.equal(textOf(answer), 'Mara Quist');
  });
});
