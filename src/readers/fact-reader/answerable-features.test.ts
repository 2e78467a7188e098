/** Tests features of answerability on two articles: known and unknown outlets, names and titles. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContextText, Evidence } from '../../core/trace/trace.ts';
import { Asked } from '../../language/asked.ts';
import type { Features } from '../features.ts';
import { answerableFeatures } from './answerable-features.ts';
import type { Articles } from './evidence-articles.ts';
import type { FactReading } from './reading.ts';

const TEXTS = ['Mara Quist doubled the harbour fees.', 'Elm Board counted kelp.'];
const TITLES = ['Harbour fees', 'Kelp'];
const CONTEXT = {
  text: TEXTS.join('\n'),
  parts: [
    { id: 's0', documentId: 'a', start: 0, end: TEXTS[0]!.length },
    { id: 's1', documentId: 'b', start: TEXTS[0]!.length + 1, end: TEXTS.join('\n').length },
  ],
} as unknown as ContextText;
const ARTICLES: Articles = { all: [], weight: () => 1, spelled: stem => stem };

function featuresOf(
  question: string,
  sources: readonly string[] = ['Tin Herald', 'Copper Times'],
  shown = 2,
): Features {
  const catalogue = { sources, days: [] };
  const parts = TITLES.slice(0, shown).map((title, at) => ({ documentId: `d${at}`, title }));
  const reading = {
    asked: new Asked(question, catalogue),
    catalogue,
    parts,
    sentences: TEXTS.slice(0, shown),
    facts: [],
  } as unknown as FactReading;
  const context = { ...CONTEXT, parts: CONTEXT.parts.slice(0, shown) };
  const evidence = [{ metadata: { source: 'Tin Herald' } }] as unknown as Evidence[];
  return answerableFeatures(reading, context, evidence, ARTICLES, []);
}

/** Asserts features by name; 0 for one that is omitted. */
function has(features: Features, expected: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(expected))
    assert.ok(
      Math.abs((features.get(name) ?? 0) - value) < 1e-12,
      `${name}: ${features.get(name)}`,
    );
}

describe('outlets', () => {
  test('known alone', () => {
    has(featuresOf('Did an article from Tin Herald report fees?'), {
      'sources.unknown': 0,
      'sources.someUnknown': 0,
      'sources.onlyUnknown': 0,
      'sources.noneKnown': 0,
      'sources.unheld': 0,
      'sources.someUnheld': 0,
    });
  });

  test('none at all', () => {
    has(featuresOf('Did fees rise?'), {
      'sources.unknown': 0,
      'sources.someUnknown': 0,
      'sources.onlyUnknown': 0,
      'sources.noneKnown': 1,
      'sources.unheld': 0,
      'sources.someUnheld': 0,
    });
  });

  test('unknown alone, and beside two known ones', () => {
    has(featuresOf('Did an article from Velo Dispatch report fees?'), {
      'sources.unknown': 1,
      'sources.someUnknown': 1,
      'sources.onlyUnknown': 1,
      'sources.noneKnown': 1,
      'sources.unheld': 1,
      'sources.someUnheld': 1,
    });
    const question =
      'Did an article from Velo Dispatch, an article from Tin Herald and one from Copper Times agree?';
    has(featuresOf(question), {
      'sources.unknown': 1 / 3,
      'sources.someUnknown': 1,
      'sources.onlyUnknown': 0,
      'sources.noneKnown': 0,
      'sources.unheld': 1 / 3,
      'sources.someUnheld': 1,
    });
  });

  test('a name that the evidence has is cited and held, with or without its article', () => {
    for (const name of ['Elm Board', 'The Elm Board'])
      has(featuresOf(`Did an interview by ${name} report fees?`), {
        'sources.someUnknown': 1,
        'sources.unheld': 0,
        'sources.someUnheld': 0,
      });
  });

  test('count for nothing in a corpus without sources', () => {
    const features = featuresOf('Did an article from Velo Dispatch report fees?', []);
    assert.deepEqual(
      [...features.keys()].filter(name => name.startsWith('sources.')),
      [],
    );
    has(features, { 'support.names.missing': 1, 'names.none': 0 });
  });
});

describe('support', () => {
  test('all, some and none of the names', () => {
    has(featuresOf('Did Mara Quist raise fees?'), {
      'support.names': 1,
      'names.all': 1,
      'names.none': 0,
      'support.names.missing': 0,
      'support.namesTogether': 1,
    });
    has(featuresOf('Did Mara Quist meet Elm Board?'), {
      'support.names': 1,
      'support.namesTogether': 0.5,
      'names.all': 1,
    });
    has(featuresOf('Did Mara Oskeld raise fees?'), {
      'support.names': 0.5,
      'names.all': 0,
      'names.none': 0,
    });
    has(featuresOf('Did Bram Oskeld raise fees?'), {
      'support.names': 0,
      'names.all': 0,
      'names.none': 1,
      'support.names.missing': 0,
    });
    has(featuresOf('did fees rise?'), {
      'support.names': 0,
      'names.all': 0,
      'names.none': 0,
      'support.names.missing': 1,
    });
  });

  test('titles: the share of the words of the question', () => {
    has(featuresOf('harbour kelp dragons gold'), { titles: 0.5, 'sentences.none': 0 });
    has(featuresOf('harbour kelp dragons gold', [], 1), { titles: 0.25 });
    has(featuresOf('the'), { titles: 0, 'support.words.missing': 1 });
    has(featuresOf('kelp', [], 0), { titles: 0, 'sentences.none': 1 });
  });
});
