/** Tests odd files: each is read or refused by name, without an effect on other files. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { InputError } from '../src/core/errors.ts';
import {
  type LoadEvent,
  type ReadOptions,
  readDocuments,
} from '../src/documents/read-documents.ts';
import { freshFolder } from './fresh-folder.ts';

/** Writes a file of this content into a fresh folder. */
function file(name: string, content: string | Uint8Array): string {
  const path = join(freshFolder(), name);
  writeFileSync(path, content);
  return path;
}

async function read(path: string | readonly string[], options?: ReadOptions): Promise<LoadEvent[]> {
  const events: LoadEvent[] = [];
  for await (const event of readDocuments([path].flat(), options)) events.push(event);
  return events;
}

const idsOf = (events: readonly LoadEvent[]): string[] =>
  events.flatMap(event => (event.type === 'document' ? [event.document.id] : []));
const texts = (events: readonly LoadEvent[]): string[] =>
  events.flatMap(event => (event.type === 'document' ? [event.document.text] : []));
const reasons = (events: readonly LoadEvent[]): string[] =>
  events.flatMap(event => (event.type === 'skipped' ? [event.reason] : []));

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map(part => Buffer.from(part as string)));

function utf16(text: string, big = false): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return big ? bytes.swap16() : bytes;
}

interface Expected {
  readonly texts?: readonly string[];
  readonly skipped?: readonly RegExp[];
  /** The error code, then a part of the message. */
  readonly error?: readonly [string, RegExp];
  readonly limits?: ReadOptions['limits'];
}

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const SMALL = { documentBytes: 13 };
const fails = (code: string, message: RegExp): Expected => ({ error: [code, message] });
const badJson = (message: RegExp): Expected => fails('bad-json', message);
const partly = (reason: RegExp, ...texts: readonly string[]): Expected => ({
  texts,
  skipped: [reason],
});
const over = (reason: RegExp, ...texts: readonly string[]): Expected => ({
  ...partly(reason, ...texts),
  limits: SMALL,
});
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** A text stands for a file of that text, an expression for a file that is skipped for it. */
type Outcome = string | readonly string[] | RegExp | Expected;
const expectedOf = (outcome: Outcome): Expected =>
  outcome instanceof RegExp
    ? { skipped: [outcome] }
    : typeof outcome === 'string'
      ? { texts: [outcome] }
      : Array.isArray(outcome)
        ? { texts: outcome }
        : (outcome as Expected);

const cases: Record<string, readonly [name: string, content: string | Uint8Array, Outcome]> = {
  'an empty file': ['a.txt', '', /^empty file$/],
  'white space only': ['a.txt', ' \n\t\r\n\u00a0', /white space/],
  'a byte order mark only': ['a.txt', '\ufeff', /^empty file$/],
  'NUL bytes': ['a.txt', 'text\0text', /binary/],
  'a binary file': ['a.md', Uint8Array.from({ length: 300 }, (_, at) => at % 256), /binary/],
  'a binary file without extension': ['a', bytes([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0]), /binary/],
  'a zip archive': ['a.bin', Buffer.from('PK\u0003\u0004abc'), /archive/],
  'invalid UTF-8': ['a.txt', bytes([0x61, 0x20, 0xff, 0x20, 0x62]), 'a ÿ b'],
  'damaged UTF-8': ['a.txt', bytes('éé naïve ', [0xe9, 0x61]), 'éé naïve \ufffda'],
  'Latin-1': ['a.txt', latin1('caf\xe9 noir, \x93na\xefve\x94'), 'café noir, “naïve”'],
  'EUC-KR by the name in its head': [
    'a.html',
    bytes('<meta charset="euc-kr"><p>', [0xbe, 0xc6, 0xc6, 0xc4, 0xc4, 0xa1]),
    '아파치',
  ],
  'Windows-1251 by the declaration of XML': [
    'a.xhtml',
    bytes(
      '<?xml version="1.0" encoding="windows-1251"?><html><body><p>',
      [0xcf, 0xee, 0xf0, 0xf2],
      '</p></body></html>',
    ),
    'Порт',
  ],
  'bytes that are not of the encoding that they name': [
    'a.html',
    bytes('<meta charset="euc-kr"><p>', [0xff, 0x31]),
    'ÿ1',
  ],
  'an encoding that nobody knows': [
    'a.html',
    bytes('<meta charset="klingon"><p>', [0xff, 0x20, 0xff]),
    'ÿ ÿ',
  ],
  'Latin-1 with control characters': ['a.txt', latin1('caf\xe9\x01'), /not valid UTF-8/],
  'a compressed text': ['a.txt.gz', gzipSync('One.'), 'One.'],
  'compressed lines': ['a.jsonl.gz', gzipSync('{"text":"a"}\n{"text":"b"}\n'), ['a', 'b']],
  'a damaged gzip': ['a.md.gz', 'One.', /not valid gzip/],
  'a gzip that is cut': [
    'a.txt.gz',
    gzipSync('One. '.repeat(100)).subarray(0, 20),
    /not valid gzip/,
  ],
  'a gzip that grows beyond the limit': [
    'a.txt.gz',
    gzipSync('x'.repeat(1000)),
    over(/larger than 13 bytes/),
  ],
  'compressed lines without end': [
    'a.jsonl.gz',
    gzipSync('\n'.repeat(1000)),
    { skipped: [/holds more than 500 bytes/], limits: { documentBytes: 13, jsonBytes: 500 } },
  ],
  'a compressed archive': ['a.tar.gz', gzipSync(Buffer.alloc(600)), /binary/],
  'UTF-8 cut in a character': ['a.txt', Buffer.from('naïve é').subarray(0, -1), 'naïve \ufffd'],
  'a UTF-8 byte order mark': ['a.txt', '\ufeffOne.', 'One.'],
  'UTF-16, little end first': ['a.txt', utf16('Größe 😂.'), 'Größe 😂.'],
  'UTF-16, big end first': ['a.txt', utf16('Größe 😂.', true), 'Größe 😂.'],
  'UTF-16 without its mark': ['a.txt', Buffer.from('abc', 'utf16le'), 'abc'],
  'UTF-16 with half a pair': ['a.txt', utf16('a\ud800b'), 'a\ufffdb'],
  'UTF-16 JSONL': ['a.jsonl', utf16('{"text":"ä"}\r\n{"text":"😂"}\n'), ['ä', '😂']],
  'UTF-16 CSV': ['a.csv', utf16('id,text\n1,ä', true), 'ä'],
  'CRLF text': ['a.txt', 'a\r\nb\rc\n', 'a\nb\nc\n'],
  'CRLF JSONL with blank lines': [
    'a.jsonl',
    '{"text":"a"}\r\n\r\n  \r\n{"text":"b"}\r\n',
    ['a', 'b'],
  ],
  'truncated JSON': [
    'a.json',
    '[\n {"text": "a"},\n {"te',
    badJson(/a\.json.* line 3, column 6.*the end/),
  ],
  'a wrong JSON token': ['a.json', '{"text": "a",\n "n": 01}', badJson(/line 2, column 8/)],
  'a malformed line': [
    'a.jsonl',
    '{"text":"a"}\n{"text":"b"}\n{"text": b}\n',
    badJson(/a\.jsonl.* line 3, column 10/),
  ],
  'a malformed first line': [
    'a.jsonl',
    '{"text": b}\n{"text":"b"}\n',
    badJson(/line 1, column 10/),
  ],
  'a trailing comma': ['a.json', '[{"text":"a"},]', badJson(/line 1, column 15/)],
  'a control character in JSON': ['a.json', '{"text":"a\nb"}', badJson(/line 1, column 11/)],
  'a bad escape': ['a.json', '{"text":"a\\x"}', badJson(/line 1, column 11/)],
  'two JSON texts in one line': ['a.json', '{"text":"a"} {"text":"b"}', badJson(/column 14/)],
  'JSON that is JSONL': ['a.json', '{"text":"a"}\n{"text":"b"}', ['a', 'b']],
  'JSONL that is JSON': ['a.jsonl', '[\n{"text":"a"},\n{"text":"b"}\n]', ['a', 'b']],
  'JSON without extension': ['a', ' [{"text":"a"}]', 'a'],
  'an object of documents': ['a.json', '{"documents":[{"text":"a"},{"text":"b"}]}', ['a', 'b']],
  'one object': ['a.json', '{"text":"a"}', 'a'],
  'an empty list': ['a.json', '[]', /empty list/],
  'no objects': [
    'a.json',
    '[1, "a", null, [2]]',
    { skipped: [/^item 0: not a JSON object/, /^item 1/, /^item 2/, /^item 3/] },
  ],
  'a number': ['a.json', '42', /not a JSON object/],
  'no text field': [
    'a.jsonl',
    '{"name":"x"}\n{"text":null}\n{"text":""}\n{"text":"b"}',
    { texts: ['b'], skipped: [/no text/, /no text/, /empty/] },
  ],
  'JSON nested to 60 levels': ['a.json', `[{"text":"a","m":${deep(60)}}]`, 'a'],
  'JSON nested to 100 levels': [
    'a.json',
    `[{"text":"a","m":${deep(100)}},{"text":"b"}]`,
    partly(/deeper than 64/, 'b'),
  ],
  'JSON nested to 100,000 levels and cut': [
    'a.json',
    '['.repeat(100_000),
    badJson(/column 100001/),
  ],
  'lone surrogate escapes': [
    'a.jsonl',
    '{"title":"\\ud800","text":"a\\udc00b","x\\ud800":"\\ud800"}',
    'a\ufffdb',
  ],
  'keys that are prototypes': [
    'a.jsonl',
    '{"__proto__":{"polluted":1},"constructor":"c","text":"a","hasOwnProperty":1,"m":{"__proto__":{"polluted":1}}}',
    'a',
  ],
  'a line at the cap': [
    'a.jsonl',
    `${'{"text":"ab"}'}\n{"text":"b"}`,
    { texts: ['ab', 'b'], limits: SMALL },
  ],
  'a line one over the cap': [
    'a.jsonl',
    '{"text":"abc"}\r\n{"text":"b"}',
    over(/15 bytes: larger than 13 bytes/, 'b'),
  ],
  'a last line over the cap': ['a.jsonl', '{"text":"b"}\n{"text":"abc"}', over(/14 bytes/, 'b')],
  'a text file over the cap': ['a.txt', 'x'.repeat(14), over(/larger than 13 bytes/)],
  'a JSON record over the cap': [
    'a.json',
    '[{"text":"aaaaaaaaaaaaaaaaaaaa"},\n{"text":"b"}]',
    over(/20 bytes: larger than 13/, 'b'),
  ],
  'a JSON file over its cap': [
    'a.json',
    '[{"text":"a"}]',
    { skipped: [/larger than 10 bytes/], limits: { jsonBytes: 10 } },
  ],
  'a row over the cap': [
    'a.csv',
    'id,text\n1,aaaaaaaaaaaaaa\n2,b',
    over(/larger than 13 bytes/, 'b'),
  ],
  'one invalid line among good ones': [
    'a.jsonl',
    bytes('{"text":"a"}\n{"text":"', [0xff, 0x01], '"}\n{"text":"b"}'),
    partly(/not valid UTF-8/, 'a', 'b'),
  ],
  'JSONL that is binary': ['a.jsonl', bytes([0, 1, 2, 10, 3, 4, 10, 0]), /binary/],
  'one id twice': [
    'a.jsonl',
    '{"id":"x","text":"a"}\n{"id":"x","text":"a"}',
    fails('duplicate-id', /a\.jsonl:1 and .*a\.jsonl:2/),
  ],
  'one id twice in a list': [
    'a.json',
    '[{"id":1,"text":"a"},{"id":"1","text":"b"}]',
    fails('duplicate-id', /a\.json\[0\] and .*a\.json\[1\]/),
  ],
  'one content twice, without ids': [
    'a.jsonl',
    '{"text":"a"}\n{"text":"a"}',
    partly(/the same title and text as .*a\.jsonl:1/, 'a'),
  ],
  'CSV with quotes and line breaks': [
    'a.csv',
    'id,title,text\r\n1,"Say ""hi""","a, b\r\nc"\r\n\r\n2,,d',
    ['a, b\r\nc', 'd'],
  ],
  'CSV with a byte order mark': ['a.csv', '\ufeffid,text\n1,a', 'a'],
  'CSV rows that are short or long': [
    'a.csv',
    'id,text,x\n1,a\n2,b,c,d\n3\n',
    { texts: ['a'], skipped: [/4 cells under 3 headings/, /no text/] },
  ],
  'CSV without a column of text': ['a.csv', 'id,name\n1,a', 'name: a'],
  'CSV with a header only': ['a.csv', 'id,text\n', /no others/],
  'CSV with an open quote': ['a.csv', 'id,text\n1,a\n2,"b\n3,c\n', ['a', '"b', 'c']],
  'CSV with a quote inside a cell': ['a.csv', 'id,text\n1,a\n2,b"c"\n3,d\n', ['a', 'b"c"', 'd']],
  'JSONL with names in capitals': [
    'a.jsonl',
    '{"ID":"x","Text":"a"}\n{"Text":7}\n',
    partly(/no text/, 'a'),
  ],
  'CSV with columns of prototypes': ['a.csv', '__proto__,text,constructor\na,b,c', 'b'],
  TSV: ['a.tsv', 'id\ttext\n1\ta, b', 'a, b'],
  'HTML without body': ['a.html', '<title>T</title>Just &amp; text', 'Just & text'],
  'HTML without text': [
    'a.html',
    '<html><body><script>x()</script><nav>menu</nav></body></html>',
    /no readable text/,
  ],
  'HTML that is cut': ['a.html', '<p>One <b>two</p><div>Three <a href="', 'One two\n\nThree'],
  'HTML nested too deep': ['a.html', '<div>'.repeat(5000), /deeper than 2000/],
  'HTML without extension': ['a', '<!DOCTYPE html><p>a</p>', 'a'],
  'Markdown with only code': ['a.md', '```js\nlet x = 1;\n```\n', 'let x = 1;'],
  'Markdown with only a heading': ['a.md', '# Only this\n', 'Only this'],
  'Markdown with an open fence and front matter': ['a.md', '---\ntitle: T\n---\n```\ncode', 'code'],
  'Markdown of quotes and lists nested deeper than any text': [
    'a.md',
    `${'>'.repeat(40)} a\n\n---\n\n${'* + '.repeat(20)} b`,
    { texts: [`a\n\n- ${'* + '.repeat(4)}b`] },
  ],
  'a PDF': ['a.pdf', '%PDF-1.7', /not a valid PDF/],
  'a PDF by another name': ['a.dat', '%PDF-1.7', /not a valid PDF/],
  'a DOCX': ['a.docx', Buffer.from('PK\u0003\u0004'), /not a valid DOCX/],
  'an unknown extension, named by the caller': ['a.xyz', 'Plain words.', 'Plain words.'],
};

for (const [what, [name, content, outcome]] of Object.entries(cases))
  test(`odd file: ${what}`, async () => {
    const { error, texts: kept = [], skipped = [], limits } = expectedOf(outcome);
    const path = file(name, content);
    const options: ReadOptions = { limits };
    if (error) {
      await assert.rejects(
        read(path, { ...options, strict: true }),
        caught =>
          InputError.is(caught) && caught.code === error[0] && error[1].test(caught.message),
      );
      return;
    }
    const events = await read(path, options);
    assert.deepEqual(texts(events), kept);
    const said = reasons(events);
    assert.equal(said.length, skipped.length, said.join('; '));
    for (const [index, reason] of skipped.entries()) assert.match(said[index]!, reason);
    for (const event of events) if (event.type === 'skipped') assert.equal(event.path, path);
    for (const event of events)
      if (event.type === 'document')
        assert.ok(!Object.keys(event.document.metadata).some(key => key.includes('__proto__')));
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

test('a malformed file or line is skipped by name, and the others are read', async () => {
  const root = freshFolder();
  const files: Readonly<Record<string, string>> = {
    'a.json': '{ // commented\n "text": "a" }',
    'b.jsonl': '{"text":"one"}\n{"text": two}\n{"text":"three"}\n',
    'c.csv': 'id,text,x\n1,four,a\n2,five,b,c\n',
    'd.txt': 'six',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  const events = await read(root);
  assert.deepEqual(
    texts(events).filter(text => text !== 'four'),
    ['one', 'three', 'six'],
  );
  const said = events.flatMap(event =>
    event.type === 'skipped'
      ? [`${event.path.slice(root.length + 1)}:${event.line} ${event.reason}`]
      : [],
  );
  assert.match(said[0]!, /^a\.json:undefined not valid JSON at line 1, column 3/);
  assert.match(said[1]!, /^b\.jsonl:2 not valid JSON at line 2, column 10/);
  assert.match(said[2]!, /^c\.csv:3 4 cells under 3 headings/);
  assert.equal(said.length, 3);
  await assert.rejects(read(root, { strict: true }), /a\.json.*line 1, column 3/);
});

test('a file or folder without permission is skipped in a folder, and refused if named', {
  skip: process.getuid?.() === 0 ? 'root reads everything' : false,
}, async () => {
  const root = freshFolder();
  mkdirSync(join(root, 'shut'));
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(root, name), name);
  chmodSync(join(root, 'a.txt'), 0);
  chmodSync(join(root, 'shut'), 0);
  const events = await read(root);
  assert.deepEqual(texts(events), ['b.txt']);
  assert.deepEqual(reasons(events).length, 2);
  await assert.rejects(read(join(root, 'a.txt')), /permission/);
});

test('missing and unreadable paths are refused by name before anything is read', async () => {
  const good = file('a.txt', 'a');
  const rejects = (path: string, code: string): Promise<void> =>
    assert.rejects(
      read([good, path]),
      error =>
        InputError.is(error) && error.code === code && error.message.includes(JSON.stringify(path)),
    );
  await rejects(join(freshFolder(), 'none.txt'), 'missing-file');
  await rejects(join(good, 'below-a-file'), 'missing-file');
  await rejects('a\0b', 'unreadable-file');
  await rejects('/dev/null', 'unreadable-file');
  await assert.rejects(read([]), error => InputError.is(error) && error.code === 'no-paths');
  await assert.rejects(
    read(good, { format: 'jsno' }),
    error =>
      InputError.is(error) &&
      error.code === 'unknown-format' &&
      /Did you mean.*json/.test(error.message),
  );
});

test('a folder is read sorted and recursively; hidden files are ignored, links and unknown extensions skipped', async () => {
  const root = freshFolder();
  mkdirSync(join(root, 'b', 'c'), { recursive: true });
  mkdirSync(join(root, '.git'));
  for (const name of [
    'z.txt',
    'a.md',
    'b/x.txt',
    'b/c/y.txt',
    '.hidden.txt',
    '.git/config.txt',
    'pic.xyz',
    'README',
  ])
    writeFileSync(join(root, name), `In ${name}`);
  symlinkSync(root, join(root, 'b', 'loop'));
  symlinkSync(join(root, 'z.txt'), join(root, 'link.txt'));
  symlinkSync(tmpdir(), join(root, 'outside'));
  const skipped: string[] = [];
  const events = await read(root, { onSkip: event => skipped.push(event.path) });
  assert.deepEqual(
    events.map(event =>
      event.type === 'document'
        ? event.document.id
        : `! ${event.path.slice(root.length + 1)}: ${event.reason.slice(0, 17)}`,
    ),
    [
      'README',
      'a.md',
      'b/c/y.txt',
      '! b/loop: a symbolic link',
      'b/x.txt',
      '! link.txt: a symbolic link',
      '! outside: a symbolic link',
      '! pic.xyz: unknown extension',
      'z.txt',
    ],
  );
  assert.equal(skipped.length, 4);
  assert.deepEqual(
    texts(await read(join(root, 'link.txt'))),
    ['In z.txt'],
    'a link that the caller names is followed',
  );
});

test('a file or folder that vanishes while its folder is read is skipped, and others are read', async () => {
  const root = freshFolder();
  mkdirSync(join(root, 'c'));
  // More than are read before their turn.
  const kept = Array.from('0123456789', digit => `a${digit}.txt`);
  for (const name of [...kept, 'b.txt', 'c/x.txt', 'd.txt'])
    writeFileSync(join(root, name), `In ${name}`);
  const events: LoadEvent[] = [];
  for await (const event of readDocuments([root])) {
    events.push(event);
    // The folder is listed by now.
    for (const name of ['b.txt', 'c']) rmSync(join(root, name), { recursive: true, force: true });
  }
  assert.deepEqual(
    texts(events),
    [...kept, 'd.txt'].map(name => `In ${name}`),
  );
  assert.deepEqual(
    events.flatMap(event => (event.type === 'skipped' ? [event.path, event.reason] : [])),
    [join(root, 'b.txt'), join(root, 'c')].flatMap(path => [
      path,
      'gone while its folder was read',
    ]),
  );
});

test('what one file has 200,000 of is read as it is', async () => {
  const many = (text: string): string => text.repeat(200_000);
  for (const [name, content, end] of [
    ['a.md', `term\n: text\n${many('  x\n')}`, 'x x'],
    ['a.rst', `A\n=\n\n${many('https://tern.example/a ')}end\n`, 'end'],
    ['a.html', `<table><tr><td>${many('<a href=b.html></a>')}cell</table>`, 'cell'],
  ] as const) {
    const events = await read(file(name, content));
    assert.deepEqual(reasons(events), [], name);
    assert.ok(texts(events)[0]!.endsWith(end), name);
  }
});

test('a store is not read as a folder of documents; a store.json of another program is', async () => {
  const root = freshFolder();
  for (const name of ['my.store', 'theirs']) mkdirSync(join(root, name));
  writeFileSync(join(root, 'my.store', 'store.json'), '{"format":"multihop-store","version":99}');
  writeFileSync(join(root, 'my.store', 'documents-1.jsonl'), '{"id":"x","text":"stored"}\n');
  writeFileSync(join(root, 'theirs', 'store.json'), '{"id":"shop","text":"A shop by the sea"}');
  writeFileSync(join(root, 'a.txt'), 'a');
  const events = await read(root);
  assert.deepEqual(texts(events), ['a', 'A shop by the sea']);
  assert.deepEqual(reasons(events), ['a store of multihop: its files are no documents']);
  assert.deepEqual(
    reasons(await read([join(root, 'my.store'), join(root, 'a.txt')])).length,
    1,
    'nor when it is named itself',
  );
});

test('a file whose name is not valid UTF-8 is skipped, and the others are read', {
  skip: process.platform === 'linux' ? false : 'only Linux has such names',
}, async () => {
  const root = freshFolder();
  writeFileSync(Buffer.concat([Buffer.from(`${root}/a`), bytes([0xff]), Buffer.from('.txt')]), 'a');
  writeFileSync(join(root, 'ö 😂.txt'), 'b');
  const events = await read(root);
  assert.deepEqual(reasons(events), ['its name is not valid UTF-8']);
  assert.deepEqual(texts(events), ['b']);
});

test('files of one name in two folders have ids that begin with the folder', async () => {
  const [a, b] = [file('same.txt', 'a'), file('same.txt', 'b')];
  assert.deepEqual(
    idsOf(await read([a, b])),
    [a, b].map(path => `${basename(dirname(path))}/same.txt`),
  );
});

test('a file that is named twice is read once', async () => {
  const path = file('once.txt', 'a');
  const events = await read([dirname(path), path, path]);
  assert.deepEqual(idsOf(events), ['once.txt']);
});

test('an abort ends reading with its reason', async () => {
  const path = file('a.jsonl', '{"text":"a"}\n{"text":"b"}\n{"text":"c"}');
  const controller = new AbortController();
  const reader = readDocuments([path], { signal: controller.signal });
  await reader.next();
  controller.abort(new Error('enough'));
  await assert.rejects(reader.next(), /enough/);
});

test('a line of 60 MB is skipped and the rest is read in bounded memory', async () => {
  const path = file(
    'big.jsonl',
    Buffer.concat([
      Buffer.from('{"text":"a"}\n{"text":"'),
      Buffer.alloc(60 * 1024 * 1024, 0x78),
      Buffer.from('"}\n{"text":"b"}\n'),
    ]),
  );
  const events = await read(path);
  assert.deepEqual(texts(events), ['a', 'b']);
  assert.deepEqual(reasons(events), ['a line of 60 MiB: larger than 50 MiB']);
});
