/** Tests `eval jsonl`: one's own questions over a store, a folder or a file of documents. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { EvidencePlaces } from '../src/documents/data-sets/stated-evidence.ts';
import { argv, freshFolder, printed, refuses, run, succeeds } from './running-command.ts';

const FERRY = 'The ferry *Linnet* leaves Hask Point at noon.\n\nIts captain is Ada\nQuill.';
const BELL = '# Bell\n\nThe bell of the Linnet was cast in 1911.';

const folder = freshFolder();
const notes = join(folder, 'notes');
const store = join(folder, 'store');
before(async () => {
  mkdirSync(notes);
  writeFileSync(join(notes, 'ferry.txt'), FERRY);
  writeFileSync(join(notes, 'bell.md'), BELL);
  await succeeds(['ingest', notes, '--store', store]);
});

function questions(...all: readonly object[]): string {
  const path = join(freshFolder(), 'questions.jsonl');
  writeFileSync(path, all.map(question => `${JSON.stringify(question)}\n`).join(''));
  return path;
}
const evaluating = (path: string, ...words: string[]): string[] =>
  argv`eval jsonl --questions ${path} --store ${store} ${words}`;

describe('eval jsonl', () => {
  const asked = (): string =>
    questions(
      { question: 'Who is the captain of the Linnet?', answer: 'Ada Quill', evidence: 'Ada Quill' },
      {
        question: 'In which year was the bell cast?',
        answer: 1911,
        evidence: [{ text: 'cast in 1911', document: 'bell.md' }],
      },
      { question: 'Who painted the ferry?', answer: null },
    );

  test('asks a store and a folder alike, with evidence across a line break', async () => {
    const words = argv`eval jsonl --questions ${asked()} --measure FactRecall
      --measure AbstainedNull`;
    const byStore = await printed([...words, '--store', store]);
    const byFolder = await printed([...words, '--corpus', notes]);
    assert.equal(byStore.manifest.documents, 2);
    assert.equal(byStore.manifest.corpus, byFolder.manifest.corpus);
    assert.match(byStore.manifest.corpus, /^[0-9a-f]{64}$/);
    const { FactRecall, AbstainedNull } = byStore.rows[0].measures;
    assert.deepEqual([FactRecall.mean, FactRecall.n, AbstainedNull.n], [1, 2, 1]);
    assert.deepEqual(byFolder.rows, byStore.rows);
  });

  test('refuses evidence that stands nowhere, and names question and text', () => {
    const lost = { question: 'Who?', answer: 'x', evidence: ['Ada Quill', 'The bell sank'] };
    const elsewhere = { text: 'cast in 1911', document: 'ferry.txt' };
    const path = questions(lost, { question: 'When?', answer: '1911', evidence: elsewhere });
    return refuses(
      evaluating(path),
      /^(?!.*Ada Quill).*question 0: "The bell sank", question 1: "cast in 1911" of "ferry.txt".*multihop search/s,
    );
  });

  test('names fields that are not read', async () => {
    const path = questions(
      { question: 'Who?', answer: 'x', evidence_list: [], note: 'mine' },
      { question: 'When?', answer: 'x', evidence_list: [], anwser: 'y', zzz: 1 },
    );
    const { err } = await run(evaluating(path));
    for (const said of [
      /field "evidence_list" of 2 questions is not read. Did you mean evidence\?/,
      /field "anwser" of 1 question is not read. Did you mean answer/,
      /field "zzz" of 1 question is not read. Fields that are read: id,/,
    ])
      assert.match(err, said);
    assert.doesNotMatch(err, /"note"/);
  });

  test('warns of evidence in several documents and of what is no text', async () => {
    const path = questions({ question: 'Who?', answer: 'x', evidence: ['Linnet', 3] });
    const { err } = await run(evaluating(path));
    assert.match(err, /evidence "Linnet" stands in 2 documents; the first is taken/);
    assert.match(err, /left out what is neither a text nor/);
  });

  test('asks a store whose documents have the language that its ingest found', async () => {
    const [corpus, german] = [join(freshFolder(), 'german.jsonl'), join(freshFolder(), 'store')];
    const text = 'Die Fähre verlässt den Hafen am Mittag, und ihre Kapitänin ist seit Jahren Ada.';
    writeFileSync(corpus, `${JSON.stringify({ text })}\n`);
    await succeeds(['ingest', corpus, '--store', german]);
    const asked = questions({ question: 'Wann verlässt die Fähre den Hafen?', answer: null });
    const words = argv`eval jsonl --questions ${asked} --corpus ${corpus} --store ${german}`;
    assert.equal((await printed(words)).rows.length, 1);
  });

  test('asks a store that holds the corpus of the files, and refuses one of another corpus', async () => {
    assert.equal((await printed(evaluating(asked(), '--corpus', notes))).rows.length, 1);
    const other = join(freshFolder(), 'other.jsonl');
    writeFileSync(other, '{"text":"The Linnet sails."}\n');
    const unanswered = questions({ question: 'Who painted the ferry?', answer: null });
    await refuses(evaluating(unanswered, '--corpus', other), /holds another corpus/);
  });
});

describe('eval --init', () => {
  test('writes a template that reads without a warning once its evidence is true', async () => {
    const path = join(freshFolder(), 'mine.jsonl');
    const { out } = await succeeds(['eval', '--init', '--questions', path]);
    assert.ok(out.includes(`multihop eval jsonl --store DIR --questions ${path}`));
    assert.match((await run(evaluating(path))).err, /Evidence in .* stands in no document/);
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    const edited = lines.map(line => {
      const { evidence = [], ...rest } = JSON.parse(line);
      return { ...rest, evidence: evidence.map(() => 'Ada Quill') };
    });
    const again = await run(evaluating(questions(...edited)));
    assert.equal(again.err, '');
    assert.match(again.out, /3 questions: multi-hop 1, null 1, one-hop 1/);
  });

  test('never overwrites questions', async () => {
    const path = questions({ question: 'Mine?', answer: 'yes' });
    await refuses(['eval', '--init', '--questions', path], /exists already/);
    assert.match(readFileSync(path, 'utf8'), /Mine\?/);
  });

  test('eval without a data set says what to type', () =>
    refuses(['eval'], /DATASET is missing.*multihop eval --init/));
});

describe('evidence as text', () => {
  const word = fc.string({ minLength: 1, maxLength: 6 }).filter(text => !/\s/.test(text));
  const space = fc.constantFrom(' ', '\n', '  ', '\t\n');

  test('is found as a search of the words with single spaces finds it', () => {
    const text = fc.array(fc.tuple(word, space), { minLength: 1, maxLength: 12 });
    const part = fc.tuple(fc.nat(11), fc.integer({ min: 1, max: 4 }));
    fc.assert(
      fc.property(text, part, fc.boolean(), (pairs, [from, count], changed) => {
        const words = pairs.map(([first]) => first);
        const phrase = words.slice(from % words.length).slice(0, count);
        const asked = changed ? [...phrase, 'q'] : phrase;
        const whole = pairs.flat().join('');
        const evidence = new EvidencePlaces([{ id: 'a', title: '', text: whole, metadata: {} }]);
        const gold = evidence.goldOf(0, { evidence: asked.join(' ') }, () => {});
        const single = (value: string): string => value.split(/\s+/).join(' ');
        assert.equal(gold.length === 1, single(whole).includes(single(asked.join(' ').trim())));
        for (const { fact, span } of gold) {
          assert.equal(whole.slice(...span!), fact);
          assert.equal(single(fact!), single(asked.join(' ').trim()));
        }
      }),
    );
  });
});
