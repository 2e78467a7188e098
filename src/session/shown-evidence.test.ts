/** Tests what is shown of the evidence: texts, their order, and the marked sentences. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document, Span } from '../core/corpus/document.ts';
import type { Answer, Citation, Evidence, Trace } from '../core/trace/trace.ts';
import {
  type ArticleText,
  partsOf,
  placesWords,
  type ShownArticle,
  showEvidence,
  shownBlocks,
} from './shown-evidence.ts';

const FOUNDER = 'Petra Quill founded the firm Dunmarrow.';
const STUDIED = 'Ilse Tarrandine studied at Oddle.';
const documentOf = (id: string, text: string): Document => ({ id, title: id, text, metadata: {} });
const school = documentOf('school', `It rained. ${STUDIED} She left.`);
const firm = documentOf('firm', `The firm builds motors. ${FOUNDER} It has 34 workers.`);
const documents = new Map([school, firm].map(document => [document.id, document]));

const spanOf = ({ text }: Document, words = text): Span => {
  const start = text.indexOf(words);
  return [start, start + words.length];
};
const item = (document: Document, more: Partial<Evidence> = {}): Evidence => ({
  id: `${document.id}#p0`,
  documentId: document.id,
  title: document.title,
  metadata: {},
  score: 1,
  spans: [spanOf(document)],
  ...more,
});
const citing = (document: Document, words: string, id = `${document.id}#p0`): Citation => {
  const [start, end] = spanOf(document, words);
  return { id, documentId: document.id, start, end };
};
const traceOf = (evidence: readonly Evidence[], answer: Answer, more: object = {}): Trace =>
  ({
    question: { id: 'q', text: 'Who founded the firm Dunmarrow?' },
    hops: [],
    evidence,
    answer,
    context: { name: 'whole', text: '', tokens: 0, parts: [] },
    ...more,
  }) as unknown as Trace;
const withheld = (citation: Citation): Answer => ({
  kind: 'abstained',
  reason: 'No answer is likely',
  probability: 0.2,
  below: 0.7,
  withheld: { text: 'Oddle', citations: [citation] },
});
const answered = (citation: Citation): Answer => ({
  kind: 'answered',
  text: 'Petra Quill',
  citations: [citation],
});
const articlesOf = (trace: Trace, all = documents): readonly ShownArticle[] =>
  shownBlocks(showEvidence(trace, all)).flatMap(({ articles }) => articles);
const marked = (text: ArticleText): string[] =>
  partsOf(text).flatMap(part => (part.marked ? [part.text] : []));

describe('shown evidence', () => {
  test('a candidate that is withheld hides nothing: texts are whole, and the best sentence is marked', () => {
    const evidence = [item(firm), item(school)];
    const trace = traceOf(evidence, withheld(citing(school, STUDIED)));
    const shown = showEvidence(trace, documents).evidence;
    assert.deepEqual(
      shown.map(({ texts, cited }) => [texts.map(({ text }) => text), cited]),
      [
        [[firm.text], false],
        [[school.text], false],
      ],
    );
    const [first, second] = articlesOf(trace);
    assert.deepEqual(marked(first!.texts[0]!), [FOUNDER]);
    assert.deepEqual(marked(second!.texts[0]!), [STUDIED]);
  });

  test('a candidate that is withheld is marked beside the best sentence of its text', () => {
    const both = documentOf('both', `${STUDIED} It rained. ${FOUNDER}`);
    const [shown] = articlesOf(
      traceOf([item(both)], withheld(citing(both, STUDIED))),
      new Map([[both.id, both]]),
    );
    assert.deepEqual(marked(shown!.texts[0]!), [STUDIED, FOUNDER]);
  });

  test('what a given answer cites comes first under its number, and is marked alone', () => {
    const evidence = [item(school), item(firm)];
    const trace = traceOf(evidence, answered(citing(firm, 'It has 34 workers.')));
    const articles = articlesOf(trace);
    assert.deepEqual(
      articles.map(({ documentId, number, cited }) => [documentId, number, cited]),
      [
        ['firm', 2, true],
        ['school', 1, false],
      ],
    );
    assert.deepEqual(marked(articles[0]!.texts[0]!), ['It has 34 workers.']);
  });

  test('texts that overlap are one, in the order of the document', () => {
    const spans: Span[] = [
      [30, firm.text.length],
      [0, 40],
    ];
    const evidence = spans.map((span, index) => item(firm, { id: `firm#${index}`, spans: [span] }));
    const [shown] = articlesOf(traceOf(evidence, { kind: 'abstained', reason: 'No' }));
    assert.deepEqual(
      shown!.texts.map(({ start, end, text }) => [start, end, text]),
      [[0, firm.text.length, firm.text]],
    );
  });

  test('sections stand best first, cited ones before others, those of an article under its number', () => {
    const texts = ['One. ', 'Two. ', 'Three.', ' Four.'];
    const starts = [0, 5, 10, 16];
    const body = texts.join('');
    const outline = starts.map((start, at) => ({ start, heading: [at === 2 ? 'B' : `A${at}`] }));
    const guide = { ...documentOf('guide', body), outline };
    const kept = (at: number): Evidence =>
      item(guide, { id: `guide#p${at}`, spans: [[starts[at]!, starts[at]! + texts[at]!.length]] });
    const order = [kept(3), item(firm), kept(1), kept(0), item(school), kept(2)];
    const shownAs = (answer: Answer): unknown =>
      articlesOf(traceOf(order, answer), new Map([...documents, ['guide', guide]])).map(
        ({ number, cited, texts: shown }) => [
          `${cited ? '*' : ''}${number}`,
          ...shown.map(({ heading = [] }) => heading.join()),
        ],
      );
    assert.deepEqual(shownAs({ kind: 'abstained', reason: 'No' }), [
      ['1', 'A3'],
      ['2', ''],
      ['1', 'A1', 'A0'],
      ['3', ''],
      ['1', 'B'],
    ]);
    const citation = { ...citing(guide, 'Three.', 'guide#p2') };
    assert.deepEqual(shownAs(answered(citation)), [
      ['*1', 'B'],
      ['1', 'A3'],
      ['2', ''],
      ['1', 'A1', 'A0'],
      ['3', ''],
    ]);
  });

  test('a kept sentence has no mark, unless the answer or a withheld candidate cites it', () => {
    const kept = item(firm, { spans: [spanOf(firm, FOUNDER)], passage: 'firm#p0' });
    const marksOf = (answer: Answer): string[] =>
      marked(articlesOf(traceOf([kept], answer))[0]!.texts[0]!);
    assert.deepEqual(marksOf({ kind: 'abstained', reason: 'No' }), []);
    assert.deepEqual(marksOf(answered(citing(firm, FOUNDER))), [FOUNDER]);
    assert.deepEqual(marksOf(withheld(citing(firm, FOUNDER))), [FOUNDER]);
  });

  test('a text says in how many places it stands, and one of a single place does not', () => {
    const trace = traceOf(
      [item(firm, { places: 3 }), item(school)],
      withheld(citing(school, STUDIED)),
    );
    const shown = showEvidence(trace, documents).evidence;
    assert.deepEqual(
      shown.map(({ places }) => places),
      [3, undefined],
    );
    assert.deepEqual(
      articlesOf(trace).map(({ texts }) => texts.map(({ places }) => placesWords(places))),
      [['the same text in 3 places'], ['']],
    );
  });

  test('an article is cited also by words that the reader did not get', () => {
    const parts = [{ id: 'firm', documentId: 'firm', start: 0, end: 0, spans: [[0, 10]] }];
    const answer = answered(citing(firm, FOUNDER, 'firm'));
    const trace = traceOf([item(school), item(firm, { id: 'firm' })], answer, {
      context: { parts },
    });
    assert.deepEqual(
      articlesOf(trace).map(({ documentId, cited }) => [documentId, cited]),
      [
        ['firm', true],
        ['school', false],
      ],
    );
  });

  test('of a document that was kept as a whole the parts that the reader got are shown', () => {
    const whole = item(firm, { id: 'firm' });
    const none: Answer = { kind: 'abstained', reason: 'No' };
    const texts = (spans: readonly Span[]): string[] => {
      const parts = [{ id: 'firm', documentId: 'firm', start: 0, end: 0, spans }];
      const trace = traceOf([whole], none, { context: { parts } });
      return showEvidence(trace, documents).evidence[0]!.texts.map(({ text }) => text);
    };
    const first = spanOf(firm, 'The firm builds motors.');
    assert.deepEqual(texts([first, spanOf(firm, FOUNDER)]), [`The firm builds motors. ${FOUNDER}`]);
    assert.deepEqual(texts([first, spanOf(firm, 'It has')]), ['The firm builds motors.', 'It has']);
    assert.deepEqual(texts([]), [FOUNDER], 'a header alone');
  });
});
