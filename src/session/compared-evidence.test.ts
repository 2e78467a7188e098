/** Tests which questions compare two things, and which evidence is about which of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from '../core/corpus/document.ts';
import { comparedSides } from './compared-evidence.ts';
import { quote } from './evidence-view.ts';

const documentOf = (id: string, title: string, text: string, source?: string): Document => ({
  id,
  title,
  text,
  metadata: source === undefined ? {} : { source },
});

const manuals = [
  documentOf('flask/cli.rst', 'Command line', 'The port is 5000.'),
  documentOf('gunicorn/settings.md', 'Settings', 'It runs Flask on port 8000.'),
  documentOf('guides/ports.md', 'Ports', 'Choose one for flask.'),
  documentOf('guides/both.md', 'Servers', 'Put gunicorn before Flask.'),
];
const films = [
  documentOf('a', 'Blind Shaft', 'A film of 2003.'),
  documentOf('b', 'The Mask of Fu Manchu', 'A film of 1932.'),
  documentOf('c', 'Li Yang', 'He directed Blind Shaft.'),
];
const reports = [
  documentOf('x', 'Fares', 'They rise.', 'Harbour Ledger'),
  documentOf('y', 'Fares', 'They stay.', 'Island News'),
  documentOf('z', 'Weather', 'It rained.', 'Courier'),
];

const sidesOf = (text: string, documents: readonly Document[], language?: string): unknown => {
  const parts = documents.map(document => ({
    documentId: document.id,
    texts: [quote(document, 0, document.text.length)],
  }));
  const question = { id: 'q', text };
  const trace = language === undefined ? { question } : { question, language };
  const byId = new Map(documents.map(document => [document.id, document]));
  const compared = comparedSides(trace, parts, byId);
  return (
    compared && [...compared.names, parts.map(part => compared.sides.get(part) ?? '-').join(' ')]
  );
};

for (const [question, documents, expected] of [
  [
    'Which default port is higher, that of Flask or that of gunicorn?',
    manuals,
    ['Flask', 'gunicorn', 'Flask gunicorn Flask -'],
  ],
  [
    'What is the difference between gunicorn and Flask?',
    manuals,
    ['gunicorn', 'Flask', 'Flask gunicorn Flask -'],
  ],
  [
    'Which film came out earlier, Blind Shaft or The Mask of Fu Manchu?',
    films,
    ['Blind Shaft', 'The Mask of Fu Manchu', 'Blind Shaft The Mask of Fu Manchu Blind Shaft'],
  ],
  [
    'Does the Harbour Ledger report that fares rise, while Island News reports that they stay?',
    reports,
    ['Harbour Ledger', 'Island News', 'Harbour Ledger Island News -'],
  ],
  ['How do I run Flask with gunicorn?', manuals, undefined],
  ['Which port does gunicorn use?', manuals, undefined],
  ['Is the port of Flask the same as that of uvicorn?', manuals, undefined],
  ['Does celery or flask use gunicorn?', manuals.slice(1, 3), undefined],
  ['Do the Harbour Ledger, Island News and Courier report the same fares?', reports, undefined],
] as const)
  test(question, () => assert.deepEqual(sidesOf(question, documents), expected));

test('a question in another language has no sides', () =>
  assert.equal(sidesOf('Flask versus gunicorn?', manuals, 'de'), undefined));
