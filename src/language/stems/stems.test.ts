import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LexicalIndex, type LexicalItem } from '../../search/indexes/lexical/lexical-index.ts';
import { scorers } from '../../search/indexes/lexical/scorers.ts';
import { STEMMED_LANGUAGES, stemmedLanguage, stemTerms } from './stems.ts';

/** Words of each language that have one stem. */
const SAME: Readonly<Record<string, string>> = {
  ar: 'كتاب الكتاب',
  da: 'bøger bøgerne',
  de: 'Sicherungskopie Sicherungskopien',
  es: 'creación creaciones creacion',
  fi: 'talossa taloissa',
  fr: 'fichier fichiers',
  it: 'documento documenti',
  nb: 'boken boka',
  nl: 'bestand bestanden',
  no: 'boken boka',
  pt: 'documento documentos',
  ru: 'документ документами',
  sv: 'filen filer',
  tr: 'belge belgeler',
};

test('forms of a word have one stem, marked by the language', () => {
  assert.deepEqual(Object.keys(SAME), STEMMED_LANGUAGES);
  for (const [code, words] of Object.entries(SAME)) {
    const stems = new Set(stemTerms(words, code).split(' '));
    assert.equal(stems.size, 1, `${code}: ${[...stems]}`);
    assert.match([...stems][0]!, new RegExp(`^Ω${code}.`));
  }
});

test('stated languages with stems are known by their code', () => {
  for (const [stated, code] of [
    ['de', 'de'],
    ['DE-at', 'de'],
    ['German', undefined],
    ['en', undefined],
    ['', undefined],
  ] as const)
    assert.equal(stemmedLanguage(stated), code);
});

const item = (id: string, text: string, language?: string): LexicalItem => ({
  id,
  title: '',
  text,
  metadata: language === undefined ? {} : { language },
});
const ITEMS = [
  item('a', 'Die Sicherungskopie liegt im Ordner.', 'de'),
  item('b', 'Die Sicherungskopien liegen im Ordner.', 'de'),
  item('c', 'The copies lie in folders.'),
];
const found = (items: readonly LexicalItem[], mode: 'auto' | 'plain', text: string): string[] => {
  const index = LexicalIndex.build(items, 'plain', mode);
  const [hits] = index.search([{ text }], 5, scorers.create('bm25'));
  return hits!.map(hit => items[hit.item]!.id);
};

test('another form of a word is found behind the form itself, in every mode alike', () => {
  for (const mode of ['auto', 'plain'] as const) {
    assert.deepEqual(found(ITEMS, mode, 'Sicherungskopien'), ['b', 'a']);
    assert.deepEqual(found(ITEMS, mode, 'copy'), []);
    assert.deepEqual(found(ITEMS, mode, 'folders'), ['c']);
  }
});

test('a question in English ranks one item in another language as if it had no stems', () => {
  const words = ['harbour', 'lamps', 'of', 'the', 'old', 'quay', 'in', 'Lisbon'];
  const english = Array.from({ length: 40 }, (_, at) =>
    item(`e${at + 10}`, words.filter((_, place) => (at * 7 + place) % 5 > 0).join(' ')),
  );
  const text = 'Las lamps del quay de Lisbon, in Lisbon';
  const ranked = (language?: string): string[] =>
    found([...english, item('f', text, language)], 'plain', 'Which lamps of the quay in Lisbon?');
  assert.deepEqual(ranked('es'), ranked());
});

test('stems weigh by the part of the items with each word of the query that have its stem', () => {
  const items = [
    item('a', 'Häuser Lampe', 'de'),
    item('b', 'lampe'),
    item('c', 'quay'),
    item('d', 'quay'),
  ];
  const index = LexicalIndex.build(items, 'plain');
  // One of one item with "Häuser", one of two with "Lampe", none of two with "quay".
  const share = (1 + 1 / 2 + 0) / 3;
  const idf = (df: number): number => Math.log(1 + (4 - df + 0.5) / (df + 0.5));
  const norm = 1.5 * (0.25 + (0.75 * 2) / (5 / 4));
  const [hits] = index.search([{ text: 'Häuser Lampe quay' }], 1, scorers.create('bm25'));
  const expected = ((idf(1) + idf(2) + share * (idf(1) + idf(1))) * 2.5) / (1 + norm);
  assert.equal(hits![0]!.item, 0);
  assert.ok(Math.abs(hits![0]!.score - expected) < 1e-12, `${hits![0]!.score}, ${expected}`);
});

test('stems are no part of the length of an item, and English has none', () => {
  const lengths = (items: readonly LexicalItem[]): number[] => [
    ...LexicalIndex.build(items, 'plain').segment.inverted.lengths,
  ];
  const bare = ITEMS.map(({ id, text }) => item(id, text));
  assert.deepEqual(lengths(ITEMS), lengths(bare));
  const { dictionary } = LexicalIndex.build(ITEMS.slice(2), 'plain').segment.inverted;
  assert.doesNotMatch(new TextDecoder().decode(dictionary.bytes), /Ω/);
});
