/** Tests which texts state that there is no answer, in many wordings and languages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { saysInsufficient } from './short-answer.ts';

const NONE: Readonly<Record<string, readonly string[]>> = {
  English: [
    'I could not find the answer in the passages.',
    "I couldn't find this in the provided context.",
    'I am unable to answer from the given passages.',
    'The passages do not mention who bought the lighthouse.',
    "The passages don't say.",
    'The text does not explicitly state when it was built.',
    'The provided documents do not contain this information.',
    'Based on the provided passages, it cannot be determined.',
    'Unfortunately, the context does not provide an answer to this.',
    "I'm sorry, but the passages do not contain enough information to answer.",
    'There is no mention of a price in the passages.',
    'No relevant information was found.',
    'None of the passages mention the price.',
    'No passage states the price.',
    'It is not mentioned.',
    'It is not stated in the passages.',
    'The answer is not in the passages.',
    'Not specified in the text.',
    "I don't know.",
    'We do not have enough information.',
    'Cannot determine.',
    'N/A',
    'The passages mention the lighthouse but do not say who bought it.',
    'The passages do not mention the price. They only name the buyer.',
  ],
  German: [
    'Die Passagen enthalten keine Angaben dazu.',
    'Das geht aus den Passagen nicht hervor.',
    'Ich kann die Frage nicht beantworten.',
    'Keine ausreichenden Informationen.',
    'Unbekannt.',
    'In den Texten wird der Käufer nicht genannt.',
  ],
  French: [
    "Les passages ne mentionnent pas l'acheteur.",
    'Informations insuffisantes.',
    "Je n'ai pas trouvé la réponse.",
    "Il n'y a pas assez d'informations.",
    "Ce n'est pas précisé.",
  ],
  Spanish: [
    'Los pasajes no mencionan al comprador.',
    'Información insuficiente.',
    'No lo sé.',
    'No hay suficiente información.',
    'No se menciona.',
  ],
  Portuguese: ['As passagens não mencionam o comprador.', 'Informações insuficientes.', 'Não sei.'],
  Italian: ['I passaggi non menzionano il prezzo.', 'Informazioni insufficienti.', 'Non lo so.'],
  Dutch: ['Onvoldoende informatie.', 'Ik weet het niet.', 'De passages vermelden dit niet.'],
  Russian: [
    'Недостаточно информации.',
    'В отрывках не указано, кто купил маяк.',
    'Не знаю.',
    'Неизвестно.',
  ],
  Chinese: [
    '信息不足。',
    '文中没有提到价格。',
    '无法确定。',
    '資訊不足',
    '段落中未提及买家',
    '我不知道',
  ],
  Japanese: [
    '情報が不足しています。',
    'わかりません。',
    '本文には記載されていません。',
    '不明です。',
  ],
  Korean: ['정보가 부족합니다.', '알 수 없습니다.', '본문에 언급되지 않았습니다.'],
  Arabic: ['معلومات غير كافية', 'لا أعرف', 'لم يذكر النص ذلك'],
};

const ANSWERS = [
  'Ines Quill',
  'No',
  'No one',
  'None',
  'Yes, it is known for its lamp.',
  'There is no fee.',
  'It is not allowed on Sundays.',
  'The limit is not enforced by the server.',
  'The article does not mention the fine.',
  'Not before Friday',
  'No, they are not.',
  'The passages were closed by the sea in 1931.',
  'The passages do not mention the price, but the buyer is Ines Quill.',
  'The passages do not name a price. However, the buyer is Ines Quill.',
  'The Unknown Soldier',
  'Unknown Pleasures',
  'I Know Why the Caged Bird Sings',
  'Text does not wrap inside a cell.',
  'Nicht-EU-Länder',
  'Die Tür ist nicht verschlossen.',
  'Il ne vend pas de pain.',
  'No se vende pan.',
  'Он не купил маяк.',
  '他没有买灯塔。',
  '東京',
  '42',
];

describe('a text states that there is no answer', () => {
  for (const [language, texts] of Object.entries(NONE))
    for (const text of texts)
      test(`${language}: ${text}`, () => assert.equal(saysInsufficient(text), true));
});

describe('a text is an answer', () => {
  for (const text of ANSWERS) test(text, () => assert.equal(saysInsufficient(text), false));
});

test('any text is read in linear time', () => {
  const pieces = [
    'the provided ',
    'given ',
    'but, but ',
    'so so ',
    'no relevant ',
    'in в не ',
    '. but ',
  ];
  for (const piece of pieces) saysInsufficient(piece.repeat(4000));
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => void saysInsufficient(text)));
});
