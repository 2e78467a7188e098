/** Tests how texts are read that are not UTF-8: by what they declare, or by a guess. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Encoding, encodingOf } from '../src/documents/files/encoding.ts';
import { memorySource } from '../src/documents/files/source.ts';
import { textSource } from '../src/documents/files/text-source.ts';
import { readDocuments } from '../src/documents/read-documents.ts';
import { freshFolder } from './running-command.ts';

const folder = freshFolder();

/** Encodes a text of characters that a decoder of single or double bytes has. */
function encoded(text: string, label: string): Uint8Array {
  const decoder = new TextDecoder(label);
  const bytes = new Map<string, readonly number[]>();
  for (let high = 0; high < 256; high++) {
    const single = decoder.decode(Uint8Array.of(high));
    if (single.length === 1 && single !== '\ufffd') bytes.set(single, [high]);
    for (let low = 0x40; high > 0x80 && low < 256; low++) {
      const pair = decoder.decode(Uint8Array.of(high, low));
      if (pair.length === 1 && !bytes.has(pair)) bytes.set(pair, [high, low]);
    }
  }
  return Uint8Array.from([...text].flatMap(character => bytes.get(character) ?? assert.fail()));
}

async function read(
  name: string,
  bytes: Uint8Array | string,
): Promise<{ readonly texts: string[]; readonly notes: string[]; readonly skipped: string[] }> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const [texts, skipped]: [string[], string[]] = [[], []];
  const notes = new Set<string>();
  for await (const event of readDocuments([path]))
    if (event.type === 'document') {
      texts.push(event.document.text);
      for (const note of event.notes ?? []) notes.add(note);
    } else skipped.push(event.reason);
  return { texts, notes: [...notes], skipped };
}

const RUSSIAN = 'Гарантия на компрессор действует два года со дня поставки.';
const SENTENCES: readonly (readonly [label: string, text: string])[] = [
  ['windows-1251', RUSSIAN],
  ['koi8-r', RUSSIAN],
  ['ibm866', RUSSIAN],
  ['koi8-u', 'Гарантія на компресор діє два роки від дня постачання, якщо її зареєстровано.'],
  ['gb18030', '压缩机的保修期为自交货之日起两年。'],
  ['big5', '壓縮機的保固期為自交貨之日起兩年。'],
  ['shift_jis', '圧縮機の保証期間は納品日から二年間です。'],
  ['euc-jp', '圧縮機の保証期間は納品日から二年間です。'],
  ['shift_jis', 'コンプレッサーのフィルターをきれいにしてください'],
  ['euc-kr', '압축기의 보증 기간은 납품일로부터 이 년입니다.'],
  ['windows-1252', 'The operator’s log says “close the valve first” – and nothing else…'],
  ['windows-1252', 'Das Gerät läuft über Nacht.'],
  ['windows-1252', 'Le café de la gare est fermé.'],
  ['windows-1252', 'La presión de la válvula está en el panel.'],
  ['windows-1250', 'Záruka na kompresor platí dva roky ode dne dodání, příští rok též.'],
  [
    'iso-8859-2',
    'Gwarancja na sprężarkę obowiązuje przez dwa lata od dnia dostawy, także później.',
  ],
  ['windows-1253', 'Η εγγύηση του συμπιεστή ισχύει για δύο χρόνια από την παράδοση.'],
  ['windows-1254', 'Kompresörün garantisi teslim gününden başlayarak iki yıl geçerlidir.'],
  ['windows-1255', 'האחריות על המדחס תקפה לשנתיים מיום המסירה.'],
  ['windows-1256', 'ضمان الضاغط سار لمدة عامين من يوم التسليم.'],
  ['windows-874', 'การรับประกันเครื่องอัดอากาศมีอายุสองปีนับจากวันส่งมอบ'],
];

describe('one sentence without a declaration is read, and the guess is named', () => {
  for (const [label, text] of SENTENCES)
    test(`${label}: ${text.slice(0, 30)}`, async () => {
      const { texts, notes } = await read('a.txt', encoded(text, label));
      assert.deepEqual(texts, [text]);
      assert.match(notes.join(), /^read as [\w-]+ \(a guess\)$/);
    });
});

test('lines of records are read in the encoding of their file', async () => {
  const rows = 'id,text\n1,Насос стоит у дороги и работает.\n2,Кран закрыт до утра.\n';
  const russian = await read('a.csv', encoded(rows, 'windows-1251'));
  assert.deepEqual(russian.texts, ['Насос стоит у дороги и работает.', 'Кран закрыт до утра.']);
  const lines = `{"text":"${RUSSIAN}"}\n{"text":"two"}\n`;
  assert.deepEqual((await read('a.jsonl', encoded(lines, 'koi8-r'))).texts, [RUSSIAN, 'two']);
});

describe('text of an old Macintosh is known by signs inside words', () => {
  for (const text of [
    'Die Fähre ließ früh morgens die Stadt zurück.',
    'L’été, la jetée reçoit des milliers de pêcheurs.',
    'El muelle abrió después del otoño.',
    'Færgen sejler på søndag.',
  ])
    test(text, async () => {
      const old = await read('a.txt', encoded(text, 'macintosh'));
      assert.deepEqual([old.texts, old.notes], [[text], ['read as macintosh (a guess)']]);
      assert.deepEqual((await read('a.txt', encoded(text, 'windows-1252'))).texts, [text]);
    });
});

describe('capitals and signs inside words make no text of another script one of a Macintosh', () => {
  for (const [encoding, text] of [
    ['windows-1251', 'Завод МоторСтрой и банк РегионКредит открыли новую линию в порту.'],
    ['koi8-r', 'Служба ВодаСервис дает справку о погоде и о времени прибытия парома.'],
    ['windows-1251', 'Паром «НордЛайн» идет до острова, а оттуда автобус везет гостей в город.'],
    ['gb18030', '请使用less、head查看日志文件，然后执行sort命令。'],
    ['gb18030', '使用perl，ruby编写脚本，并在服务器上运行这些程序。'],
  ] as const)
    test(`${encoding}: ${text}`, async () =>
      assert.deepEqual((await read('a.txt', encoded(text, encoding))).texts, [text]));
});

describe('an encoding that a file declares is no guess', () => {
  const cases: Record<string, string> = {
    'a.html': '<meta http-equiv=Content-Type content="text/html; charset=koi8-r"><p>TEXT',
    'b.html': "<meta charset='koi8-r'><p>TEXT",
    'c.xhtml': '<?xml version="1.0" encoding="KOI8-R"?><html><body><p>TEXT</p></body></html>',
    'd.txt': '# -*- coding: koi8-r-unix -*-\n\nTEXT',
    'e.tex': '\\usepackage[koi8-r]{inputenc}\n\nTEXT',
  };
  for (const [name, content] of Object.entries(cases))
    test(name, async () => {
      const { texts, notes } = await read(
        name,
        encoded(content.replace('TEXT', RUSSIAN), 'koi8-r'),
      );
      assert.ok(texts[0]!.endsWith(RUSSIAN), texts[0]);
      assert.deepEqual(notes, []);
    });
});

test('a declaration that the bytes contradict is not followed', async () => {
  const page = `<meta charset="iso-8859-1"><p>${RUSSIAN}`;
  assert.deepEqual((await read('a.html', page)).texts, [RUSSIAN]);
  const korean = encoded(`<meta charset="euc-kr"><p>${RUSSIAN}`, 'windows-1251');
  const { texts, notes } = await read('b.html', korean);
  assert.equal(texts.length, 1);
  assert.equal(notes.length, 1);
});

test('damaged UTF-8 is read as UTF-8, with a note', async () => {
  const bytes = Buffer.concat([Buffer.from(`${RUSSIAN}\nCaf`), Buffer.of(0xe9), Buffer.from(' x')]);
  const { texts, notes } = await read('a.txt', bytes);
  assert.deepEqual(texts, [`${RUSSIAN}\nCaf\ufffd x`]);
  assert.deepEqual(notes, ['holds bytes that are not valid utf-8, read as \ufffd']);
});

test('UTF-16 without a mark is read in either order, and binary data is not', async () => {
  for (const text of [`${RUSSIAN}\n`, 'Plain words.\n', '圧縮機の保証\n']) {
    const little = Buffer.from(text, 'utf16le');
    assert.deepEqual((await read('a.txt', little)).texts, [text]);
    assert.deepEqual((await read('a.txt', Buffer.from(little).swap16())).texts, [text]);
    assert.deepEqual((await read('unnamed', little)).texts, [text]);
  }
  for (const bytes of [
    [1, 0, 2, 0, 3, 0],
    [0x61, 0x62, 0, 0x63, 0x64, 0x65],
    [0, 0, 0, 0x61],
  ])
    assert.match((await read('a.txt', Uint8Array.from(bytes))).skipped.join(), /binary/);
  assert.match((await read('b.txt', Uint8Array.of(0xe9, 1, 0xe8, 2))).skipped.join(), /UTF-8/);
});

test('Japanese of seven bits is read', async () => {
  // "日本" between the sequences that begin and end it.
  const bytes = Buffer.concat([
    Buffer.from('Title \x1b$B'),
    Buffer.of(0x46, 0x7c, 0x4b, 0x5c),
    Buffer.from('\x1b(B.\n'),
  ]);
  assert.deepEqual((await read('a.txt', bytes)).texts, ['Title 日本.\n']);
});

/** Streams bytes in pieces of a size. */
const inPieces = (bytes: Uint8Array, size: number): ReturnType<typeof textSource> =>
  textSource({
    ...memorySource('a.txt', bytes),
    async *stream() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  });

async function textOf(source: ReturnType<typeof textSource>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of source.stream()) parts.push(part);
  return Buffer.concat(parts).toString();
}

test('pieces of a stream decide nothing', async () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (text, size) => {
      const bytes = Buffer.from(text);
      assert.equal(await textOf(inPieces(bytes, size)), text.replace(/^\ufeff/, ''));
    }),
  );
  for (const [label, text] of SENTENCES) {
    const bytes = encoded(`id\n${text}\n`, label);
    const whole = await textOf(textSource(memorySource('a.txt', bytes)));
    for (const size of [1, 2, 3, 7]) {
      const source = inPieces(bytes, size);
      assert.equal(await textOf(source), whole);
      assert.equal(await textOf(source), whole, 'a second time');
    }
  }
});

test('any bytes are decided on without a failure', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async bytes => {
      const decided: Encoding | undefined = await encodingOf(bytes, bytes, false);
      if (decided) new TextDecoder(decided.label);
      await textOf(textSource(memorySource('a.txt', bytes)));
    }),
  );
});
