import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Metadata } from '../core/corpus/document.ts';
import { languageOf, withLanguage } from './document-language.ts';

const TEXTS: readonly (readonly [text: string, code: string | undefined])[] = [
  ['The pump is started by the switch at the left side of the housing and stops by itself.', 'en'],
  ['Die Pumpe wird mit dem Schalter links am Gehäuse gestartet und hält von selbst an.', 'de'],
  [
    'La pompe démarre par le bouton à gauche du boîtier et elle s’arrête toute seule ensuite.',
    'fr',
  ],
  ['La bomba arranca con el botón a la izquierda de la carcasa y se detiene por sí sola.', 'es'],
  [
    'Pumpen startas med knappen till vänster på höljet och stannar sedan av sig själv efter en stund.',
    'sv',
  ],
  ['Насос запускается кнопкой слева на корпусе и через некоторое время останавливается сам.', 'ru'],
  ['水泵由外壳左侧的按钮启动，过一段时间后会自动停止。', 'zh'],
  ['ポンプは本体の左側にあるボタンで始動し、しばらくすると自動的に止まります。', 'ja'],
  [
    '펌프는 본체 왼쪽에 있는 버튼으로 시작하고 잠시 뒤에 저절로 멈춥니다. 그때 문을 여십시오.',
    'ko',
  ],
  ['ម៉ាស៊ីនបូមទឹកចាប់ផ្តើមដោយប៊ូតុងនៅខាងឆ្វេង ហើយឈប់ដោយខ្លួនឯង។', 'km'],
  // Names outweigh what is said of them.
  [
    'Karl Leopold Baron von Reichenau, Lord of Bad Tegernbrunn and Markt Oberwiesau, owner of mills',
    'en',
  ],
  ['Op zolder staat de pomp van de buren of die van de molen, en beide zijn al jaren stuk.', 'nl'],
  ['x = f(y); return z', undefined],
  ['Berlin', undefined],
  ['', undefined],
];

test('texts of one sentence tell their language, fragments do not', async () => {
  for (const [text, code] of TEXTS) assert.equal(await languageOf(text), code, text);
});

test('what a document states stays, and English is not written down', async () => {
  const document = { id: 'a', title: '', text: TEXTS[1]![0], metadata: {} };
  assert.deepEqual((await withLanguage(document)).metadata, { language: 'de' });
  const stated: readonly Metadata[] = [{ language: 'Deutsch' }, { lang: 'de-AT' }];
  for (const metadata of stated)
    assert.deepEqual((await withLanguage({ ...document, metadata })).metadata, metadata);
  const english = { ...document, text: TEXTS[0]![0] };
  assert.equal(await withLanguage(english), english);
});

describe('sentences in ASCII are in their own language', () => {
  for (const [language, text] of [
    [
      'pl',
      'Co to znaczy? To znaczy, ze to jest nasz stary dom, a to jest nowy sad. Kto by to kupil?',
    ],
    ['cs', 'To je nase mesto. To by bylo hezke, kdyby to slo. Kdo to vedel? To vime vsichni.'],
    ['da', 'Vi har en stor have, og katten skal have mad hver morgen. De skal ogsa have vand.'],
    ['no', 'De to gutta har to ender og to hester. Familien bor ved sjoen og drar ut med baten.'],
    ['ro', 'Orasul are trei parcuri si un muzeu. Casa are doua camere iar gradina are un izvor.'],
    ['nl', 'Kom of bel ons op maandag of dinsdag. Neem je kaart of je code mee naar de balie.'],
    ['sv', 'By efter by passerades. I nasta by fanns en gammal skola, och en by till vid sjon.'],
  ] as const)
    test(language, async () => assert.equal(await languageOf(text), language));
});
