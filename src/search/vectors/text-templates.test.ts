import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document, Passage } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { freeCall } from '../../core/trace/call.ts';
import { hashedEmbedder } from '../../testing/hashed-embedder.ts';
import { EmbeddedEngine } from '../embedded-engine.ts';
import { type TextTemplate, textTemplates } from './text-templates.ts';

const news: Document = {
  id: 'n',
  title: 'Harbour “sold”',
  text: 'The buyer – a glass maker – paid.',
  metadata: { source: 'Coast Courier', published_at: '2024-03-02T10:00:00Z' },
};
const plain: Document = { id: 'p', title: 'Tarn', text: 'A lake.', metadata: {} };
const untitled: Document = { id: 'u', title: '', text: 'A lake.', metadata: {} };
const whole = ({ id, text }: Document): Passage => ({
  id,
  documentId: id,
  start: 0,
  end: text.length,
  text,
});
const passage = (name: string, document: Document): string =>
  textTemplates.create(name).passage(document, whole(document));

describe('text templates', () => {
  test('header: title, source and day above the words', () => {
    assert.equal(
      passage('header', news),
      'Harbour “sold”, Coast Courier, 2024-03-02\nThe buyer – a glass maker – paid.',
    );
    assert.equal(passage('header', untitled), 'A lake.');
    assert.equal(textTemplates.create('header').query('Who – then?'), 'Who – then?');
  });

  test('title-context: TreeHop’s Tables 7 and 8, a line left out when its field is empty', () => {
    assert.equal(passage('title-context', plain), 'Title: Tarn\nContext: A lake.');
    assert.equal(passage('title-context', untitled), 'Context: A lake.');
    assert.equal(passage('title-context', { ...plain, text: '' }), 'Title: Tarn');
    assert.equal(
      passage('title-context', news),
      'Title: Harbour "sold"\nSource: Coast Courier\nContext: The buyer - a glass maker - paid.',
    );
  });

  test('title-context: passages and queries are cleaned by default', () => {
    assert.equal(textTemplates.create('title-context').query('Who’s – he?'), "Who's - he?");
    const raw = textTemplates.create('title-context(normalise=false)');
    assert.equal(raw.query('Who’s – he?'), 'Who’s – he?');
    assert.match(raw.passage(news, whole(news)), /^Title: Harbour “sold”\n/);
    assert.equal(textTemplates.canonical('title-context(normalise=true)'), 'title-context');
    assert.equal(raw.name, 'title-context(normalise=false)');
  });

  test('text: the item’s words only, not the document’s', () => {
    assert.equal(
      textTemplates
        .create('text')
        .passage(news, { ...whole(news), start: 0, end: 9, text: 'The buyer' }),
      'The buyer',
    );
  });
});

describe('an engine with a template', () => {
  const call = freeCall();
  const textsRead = async (template: string | TextTemplate | undefined, space = 'hashed') => {
    const embedder = hashedEmbedder();
    const engine = new EmbeddedEngine(
      defined({ embedders: [embedder], chunker: 'whole', template }),
    );
    await engine.put([news], call);
    await engine.current.search(
      { unit: 'passage', space, k: 1, queries: [{ text: 'Who’s he?' }] },
      call,
    );
    return Object.fromEntries(
      ['passage', 'query'].map(as => [
        as,
        embedder.calls.filter(asked => asked.as === as).flatMap(asked => asked.texts),
      ]),
    );
  };

  test('embeds passages and queries by it', async () => {
    assert.deepEqual(await textsRead('title-context'), {
      passage: [
        'Title: Harbour "sold"\nSource: Coast Courier\nContext: The buyer - a glass maker - paid.',
      ],
      query: ["Who's he?"],
    });
    assert.deepEqual((await textsRead(undefined))['query'], ['Who’s he?']);
  });

  test('takes a template of the caller’s own', async () => {
    const shouting: TextTemplate = {
      name: 'own',
      passage: ({ title }) => title.toUpperCase(),
      query: query => `? ${query}`,
    };
    assert.deepEqual(await textsRead(shouting), {
      passage: ['HARBOUR “SOLD”'],
      query: ['? Who’s he?'],
    });
  });

  test('rejects an unknown name, with the nearest', () => {
    assert.throws(
      () => new EmbeddedEngine({ template: 'heder' }),
      /Unknown template "heder".*header/s,
    );
  });
});
