/** Tests how lines of a PDF are joined: hyphens, addresses and scripts without blanks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineEnds } from '../src/documents/formats/pdf/line-ends.ts';

/** Joins lines, which follow on each other in one document. */
async function joined(lines: readonly string[], rest: readonly string[] = []): Promise<string> {
  const ended = await lineEnds([...lines, '', ...rest]);
  return lines
    .map((text, at) => (at < lines.length - 1 ? ended(text, lines[at + 1]!) : text))
    .join('');
}

const CASES: readonly (readonly [what: string, lines: readonly string[], expected: string])[] = [
  ['a broken word', ['the docu-', 'ment'], 'the document'],
  ['a broken word of capitals', ['THE DOCU-', 'MENT'], 'THE DOCUMENT'],
  ['a broken word whose first part is one', ['the govern-', 'ment'], 'the government'],
  ['a broken word of two words', ['an over-', 'view'], 'an overview'],
  ['a word of two words', ['a cost-', 'effective pump'], 'a cost-effective pump'],
  ['a word of many', ['state-of-the-', 'art'], 'state-of-the-art'],
  ['the last part of a word of many', ['a self-con-', 'tained unit'], 'a self-contained unit'],
  ['one letter', ['by e-', 'mail'], 'by e-mail'],
  ['another hyphen', ['a cost\u2010', 'effective pump'], 'a cost\u2010effective pump'],
  ['a soft hyphen', ['a cost\u00ad', 'effective pump'], 'a costeffective pump'],
  ['an option', ['use --log-', 'level'], 'use --log-level'],
  ['a name in code', ['use my_first-', 'name'], 'use my_first-name'],
  ['a version', ['version 2-', 'beta'], 'version 2-beta'],
  ['a name of two', ['the Newey-', 'West estimator'], 'the Newey-West estimator'],
  ['years', ['from 1990-', '1995'], 'from 1990-1995'],
  ['letters and a number', ['COVID-', '19'], 'COVID-19'],
  ['half of a pair', ['pre-', 'and post-war'], 'pre- and post-war'],
  ['half of a pair in German', ['die Ein-', 'und Ausgabe'], 'die Ein- und Ausgabe'],
  ['a dash', ['all -', 'or none'], 'all - or none'],
  ['a hyphen before a sign', ['a re-', '(un)do'], 'a re- (un)do'],
  ['Chinese', ['每天晚上系統會備', '份資料。'], '每天晚上系統會備份資料。'],
  ['Japanese and Latin', ['データの', 'backup'], 'データの backup'],
  ['Korean', ['데이터를', '저장한다'], '데이터를 저장한다'],
  ['Thai', ['สำรอง', 'ข้อมูล'], 'สำรองข้อมูล'],
  ['an address after a hyphen', ['https://a.org/so-', 'long'], 'https://a.org/so-long'],
  ['an address after a sign', ['https://a.org/?q=', 'tern'], 'https://a.org/?q=tern'],
  ['an address before a sign', ['https://a.org', '/terns/a'], 'https://a.org/terns/a'],
  ['an address in a path', ['https://a.org/docs/', 'tern.html'], 'https://a.org/docs/tern.html'],
  ['an address before its suffix', ['see www.tern.', 'org'], 'see www.tern.org'],
  ['an address before a word', ['see https://a.org/', 'for more'], 'see https://a.org/ for more'],
  ['an address at the end', ['See https://a.org.', 'It is new.'], 'See https://a.org. It is new.'],
  ['a path', ['in /usr/share/', 'tern/a.txt'], 'in /usr/share/tern/a.txt'],
  ['a path before a word', ['in /usr/share/', 'and there'], 'in /usr/share/ and there'],
  ['words', ['a', 'b'], 'a b'],
];

for (const [what, lines, expected] of CASES)
  test(`joins ${what}`, async () => assert.equal(await joined(lines), expected));

const EVIDENCE: readonly (readonly [what: string, rest: readonly string[], expected: string])[] = [
  ['joined', ['the Over-view', 'an overview, the overview'], 'an overview'],
  ['with a hyphen', ['an over-view, over-views', 'the Over-View'], 'an over-view'],
  ['in a longer word', ['an all-over-view'], 'an over-view'],
  ['at ends of lines only', ['some over-', 'view'], 'an overview'],
  ['beside another break of it', ['the overv-', 'iew, the over-view'], 'an over-view'],
];

for (const [what, rest, expected] of EVIDENCE)
  test(`goes by the word elsewhere in the document: ${what}`, async () =>
    assert.equal(await joined(['an over-', 'view'], rest), expected));
