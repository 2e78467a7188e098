/**
 * Tests the benchmark of documents: the shape of its questions and packages, its measures, and,
 * where a cache holds the corpus, that every pattern stands in it.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askable, checkQuestions } from '../bench/documents/check.ts';
import { keptCorpus } from '../bench/documents/corpus.ts';
import { integrityOf } from '../bench/documents/download.ts';
import { CORPUS_NAMES, corpusPackages, folderOf, isDocument } from '../bench/documents/manifest.ts';
import { plainWords } from '../bench/documents/plain-words.ts';
import {
  type DocumentQuestion,
  documentQuestions,
  expressionOf,
  halfOf,
  isRight,
  KINDS,
  suffices,
} from '../bench/documents/questions.ts';

const questions = documentQuestions();
const packages = corpusPackages();
const corpus = keptCorpus(process.env['MULTIHOP_CACHE'] ?? '.cache');

describe('the benchmark of documents', () => {
  test('has at least 240 distinct questions of every kind, about half of them held', () => {
    const counts = Object.fromEntries(
      KINDS.map(kind => [kind, questions.filter(question => question.kind === kind).length]),
    );
    assert.equal(
      Object.values(counts).reduce((sum, count) => sum + count),
      questions.length,
    );
    assert.ok(counts['one-hop']! >= 80 && counts['multi-hop']! >= 80, JSON.stringify(counts));
    assert.ok(counts['how-to']! >= 40 && counts['unanswerable']! >= 40, JSON.stringify(counts));
    assert.equal(new Set(questions.map(({ id }) => id)).size, questions.length);
    assert.equal(new Set(questions.map(({ question }) => question)).size, questions.length);
    const held = questions.filter(({ id }) => halfOf(id) === 'held').length;
    assert.ok(Math.abs(held / questions.length - 0.5) < 0.1, String(held));
  });

  test('questions have answers and evidence as their kind demands, of known packages', () => {
    const folders = new Set(packages.map(({ name }) => folderOf(name)));
    for (const { id, kind, answer, evidence, verdict } of questions) {
      assert.equal(answer.length === 0, kind === 'unanswerable', id);
      assert.equal(evidence.length === 0, kind === 'unanswerable', id);
      assert.ok(verdict === undefined || verdict === 'yes' || verdict === 'no', id);
      const documents = new Set(evidence.map(({ document }) => document));
      if (kind === 'multi-hop') assert.ok(documents.size > 1, id);
      for (const document of documents) assert.ok(folders.has(document.split('/')[0]!), document);
      for (const pattern of [...answer, ...evidence.map(each => each.pattern)])
        assert.doesNotThrow(() => expressionOf(pattern), id);
    }
  });

  test('packages are distinct over all corpora, exact in version, and hashed', () => {
    const all = CORPUS_NAMES.flatMap(name => corpusPackages(name));
    assert.equal(new Set(all.map(({ name }) => folderOf(name))).size, all.length);
    for (const { name, version, registry, integrity } of all) {
      assert.match(
        version,
        registry === 'debian' ? /^(\d+:)?\d[\w.+~-]*$/ : /^\d+(\.\d+)+(\.post\d+)?$/,
        name,
      );
      assert.match(
        integrity,
        registry === 'npm' ? /^sha512-[\w+/]{86}==$/ : /^sha256-[\da-f]{64}$/,
        name,
      );
    }
  });

  test('globs choose documents, and the hash is in the notation of the registry', () => {
    const wanted = { ...packages[0]!, documents: ['docs/**/*.md'], except: ['docs/old/**'] };
    assert.ok(isDocument('docs/a/b.md', wanted));
    assert.ok(!isDocument('docs/old/b.md', wanted));
    assert.ok(!isDocument('src/b.md', wanted));
    assert.equal(
      integrityOf(Buffer.from(''), 'sha256-'),
      'sha256-e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  test('questions of a package that cannot be had leave', () => {
    const left = askable(questions, new Map([['django', 'gone']]));
    assert.ok(left.length < questions.length);
    assert.ok(!left.some(({ evidence }) => evidence.some(each => /^django\//.test(each.document))));
    assert.equal(left.length + questions.filter(usesDjango).length, questions.length);
  });

  test('every pattern stands in the corpus', {
    skip: corpus ? false : 'the corpus is not fetched: npm run documents, or MULTIHOP_CACHE',
  }, () => {
    const { checked, faults } = checkQuestions(questions, corpus!);
    assert.deepEqual(faults, []);
    assert.equal(checked, questions.length);
  });
});

const usesDjango = ({ evidence }: (typeof questions)[number]): boolean =>
  evidence.some(({ document }) => document.startsWith('django/'));

describe('words of documents', () => {
  for (const [format, text, words] of [
    [
      'Markdown',
      '### `bodyLimit`\n\n+ Default: `1048576` ([1 MiB](#a))',
      'bodyLimit + Default: 1048576',
    ],
    [
      'reStructuredText',
      'Set :setting:`CONN_MAX_AGE` to ``0``, see Jinja_ or the `docs <https://a.b>`_ here.',
      'Set CONN_MAX_AGE to 0, see Jinja or the docs here.',
    ],
    [
      'HTML',
      '<p>The <code>pool_size</code>&nbsp;is<br>5 &amp; more</p>',
      'The pool_size is 5 & more',
    ],
    ['man', '.SS "logs\\-max"\n.RS 0\n.IP \\(bu 4\nDefault: \\fB10\\fR', '"logs-max" Default: 10'],
  ] as const)
    test(format, () => assert.ok(plainWords(text).includes(words), plainWords(text)));
});

describe('judgements', () => {
  const question: DocumentQuestion = {
    id: 'a',
    kind: 'one-hop',
    question: 'Is it on?',
    answer: ['off|no'],
    verdict: 'no',
    evidence: [{ document: 'a.md', pattern: 'off\\W+by\\W+default' }],
  };

  test('evidence suffices only if every pattern stands in it', () => {
    assert.ok(suffices('It is **off** by\ndefault.', question));
    assert.ok(!suffices('It is on by default.', question));
  });

  test('a yes is wrong where the answer is no, and all patterns must match', () => {
    assert.ok(isRight('No', question));
    assert.ok(isRight('It is off.', question));
    assert.ok(!isRight('Yes, it is off', question));
    assert.ok(!isRight('5', { ...question, answer: ['5', '6'] }));
    assert.ok(!isRight('anything', { ...question, answer: [] }));
  });
});
