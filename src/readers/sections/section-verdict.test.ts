/** Tests verdicts on documentation: none contradicts the sentence that it cites. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../../core/corpus/document.ts';
import { askedForm } from '../../language/english/question/asked-form.ts';
import { deniedWords } from '../../language/english/values/polarity.ts';
import { Said } from '../../language/said.ts';
import { shippedSections } from '../../models/section-reader/shipped.ts';
import { candidatesOf, decideValue } from './decide.ts';
import { readSections } from './section-units.ts';

/** Decides over one section of one document, each text a block of its own. */
function verdict(question: string, heading: string, ...texts: string[]): string | undefined {
  let text = '';
  const outline = texts.map(each => {
    const start = text === '' ? 0 : text.length + 2;
    text = text === '' ? each : `${text}\n\n${each}`;
    return { start, heading: [heading] };
  });
  const id = 'kestrel/docs/server.md';
  const document: Document = { id, title: 'Kestrel', text, metadata: {}, outline };
  const shown = outline.map(({ start }, at) => ({
    part: 0,
    id,
    documentId: id,
    start,
    end: start + texts[at]!.length,
    text: texts[at]!,
    said: new Said(texts[at]!),
  }));
  const candidates = candidatesOf(askedForm(question), readSections(shown, [document], []));
  return decideValue(candidates, shippedSections())?.text.toLowerCase();
}

describe('yes and no', () => {
  for (const [expected, question, heading, ...texts] of [
    [
      'no',
      'Does Kestrel compress responses by default?',
      'Compression',
      'Responses are compressed. It is turned off by default.',
    ],
    [
      'no',
      'Are source maps on in production builds?',
      'Source maps',
      'Source maps are enabled by default in development.',
      'In production builds they are disabled.',
    ],
    [
      'yes',
      'Are source maps enabled in development?',
      'Source maps',
      'Source maps are enabled by default in development.',
      'In production builds they are disabled.',
    ],
    [
      'yes',
      'Does Kestrel follow symbolic links?',
      'Links',
      'Kestrel follows symbolic links in its root folder.',
    ],
    [
      'no',
      'Does Kestrel still set the temperature?',
      'Temperature',
      'Kestrel no longer sets the temperature.',
    ],
    ['no', 'Is compression enabled by default?', 'compression', 'Default: false'],
    ['yes', 'Is compression disabled by default?', 'compression', 'Default: false'],
    [
      'no',
      'Is autoescape on by default?',
      'autoescape',
      'Whether text is escaped.',
      'Default: off',
    ],
    [
      undefined,
      'Can scripts read the session cookie?',
      'sessionCookieHttpOnly',
      'Of the session cookie.',
      'Default: true',
    ],
    [
      undefined,
      'Does Kestrel pipeline requests?',
      'Errors',
      'Kestrel will not retry a failed call of the pipeline of requests.',
    ],
    [
      undefined,
      'Does Kestrel rotate logs unless I ask for it?',
      'Logs',
      'Kestrel rotates logs with the option rotate.',
    ],
    [
      undefined,
      'Is the setting late_acks enabled by default?',
      'late_acks',
      'The global default can be overridden by the setting late_acks.',
    ],
    [
      undefined,
      'Is merging done automatically by Kestrel?',
      'Folders',
      'Merging is a part of Kestrel.',
      'Also, if cookies are disabled, their folder is kept automatically.',
    ],
    [
      undefined,
      'Is strict parsing enabled by default?',
      'Parsing',
      'The flag --warn is not enabled by strict parsing.',
    ],
    [
      undefined,
      'Does Kestrel parse bodies without a filter?',
      'Bodies',
      'The filter of Kestrel will parse the bodies of all requests.',
    ],
    [
      undefined,
      'Does Kestrel sign cookies?',
      'Cookies',
      'It is not true that Kestrel never signs cookies.',
    ],
  ] as const)
    test(`${question} ${expected ?? 'withheld'}: ${texts.at(-1)}`, () =>
      assert.equal(verdict(question, heading, ...texts), expected));
});

test('what a denial denies are the next three words of content', () => {
  for (const [sentence, words] of [
    ['It will not retry the first request of the pool.', 'retry first request'],
    ['The server is no longer able to read it.', 'read'],
    ['There is no escaping.', 'escaping'],
    ['It is read.', ''],
    ['It is not only read but kept.', ''],
  ] as const)
    assert.equal(deniedWords(sentence), words);
});
