// biome-ignore-all lint/suspicious/noControlCharactersInRegex: finds control characters
/** Tests that nothing of documents, names or errors reaches a terminal as an instruction to it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Output } from '../src/cli/output.ts';
import { styleOf } from '../src/cli/style.ts';
import { terminalText } from '../src/cli/terminal-text.ts';
import { terminalJson } from '../src/platform/terminal-json.ts';
import { freshFolder, run } from './running-command.ts';

const ACTS_ON = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const EVIL = '\u001b]0;owned\u0007\u001b[2J\u001b[8m\u009b31m\u202egnp.exe\u2069\r\u0008';
const hostile = fc.string({
  unit: fc.constantFrom(
    '\u001b',
    '[',
    ']',
    '8',
    ';',
    '1',
    'm',
    '\u0007',
    '\u202e',
    '\\',
    'a',
    '\n',
  ),
});

describe('terminal text', () => {
  test('keeps colours of styles and drops every other sequence', () => {
    const style = styleOf(true);
    const styled = `${style.bold('a')} ${style.link('b', 'https://c.example')}`;
    assert.equal(terminalText(styled, true, true), styled);
    assert.equal(terminalText(style.red('a'), true), style.red('a'));
    assert.match(terminalText(EVIL, true), /^[^\u001b]*$/);
    assert.doesNotMatch(terminalText(style.link('b', 'https://c.example'), true), /\u001b/);
    fc.assert(
      fc.property(hostile, text => {
        assert.doesNotMatch(terminalText(text, false), ACTS_ON);
        const colours = /\u001b\[(?:1|2|22|31|32|33|36|39)m/g;
        assert.doesNotMatch(terminalText(text, true).replace(colours, ''), ACTS_ON);
      }),
    );
  });

  test('keeps marks of direction of Hebrew and Arabic', () => {
    const text = 'שלום\u200f (a) \u061cسلام';
    assert.equal(terminalText(text, true), text);
  });

  test('JSON stays the same value', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), text => {
        const json = terminalJson(JSON.stringify({ [text]: [text] }, undefined, 2));
        assert.deepEqual(JSON.parse(json), { [text]: [text] });
        assert.doesNotMatch(json, ACTS_ON);
      }),
    );
  });

  test('every way of writing is harmless', () => {
    let written = '';
    const sink = { write: (text: string) => (written += text), isTTY: true, columns: 80 };
    const output = new Output({
      stdout: sink,
      stderr: sink,
      env: {},
      json: false,
      quiet: false,
      verbose: true,
    });
    output.line(EVIL);
    output.part(EVIL);
    output.object({ [EVIL]: EVIL });
    output.verbatim(JSON.stringify(EVIL));
    output.note(EVIL);
    output.detail(EVIL);
    output.warn(EVIL);
    output.error(EVIL);
    output.draw(EVIL);
    const colours = /\u001b\[(?:33|39)m|\r\u001b\[K/g;
    assert.doesNotMatch(written.replace(colours, ''), ACTS_ON);
  });

  test('ids, titles and metadata of a document are', async () => {
    const folder = freshFolder();
    const record = {
      id: EVIL,
      title: EVIL,
      text: `The ferry sails. ${EVIL}`,
      source: EVIL,
      [`name${EVIL}`]: EVIL,
    };
    writeFileSync(join(folder, 'a.jsonl'), JSON.stringify(record));
    const store = ['--store', join(folder, 'a.store')];
    for (const words of [
      ['ingest', join(folder, 'a.jsonl')],
      ['documents'],
      ['search', 'ferry'],
      ['search', 'ferry', '--json'],
      ['ask', 'When does the ferry sail?'],
      ['ask', 'When does the ferry sail?', '--json'],
      ['ask', 'When does the ferry sail?', '--filter', `"${EVIL}" = 1`],
      ['remove', EVIL.slice(1)],
      [EVIL],
    ])
      for (const terminal of [true, false]) {
        const { out, err } = await run([...words, ...store], { terminal });
        const oursAlone =
          /\u001b\[(?:1|2|22|31|32|33|36|39)m|\r\u001b\[K|\u001b\]8;;[!-~]*\u001b\\/g;
        assert.doesNotMatch(`${out}${err}`.replace(oursAlone, ''), ACTS_ON, words.join(' '));
      }
  });
});
