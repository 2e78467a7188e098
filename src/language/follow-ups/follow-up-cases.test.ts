/** Counts what rules make of questions that stand alone, and of follow-ups, in eight languages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { followUpReading } from './references.ts';
import { standAloneByRules } from './stand-alone.ts';
import type { Turn } from './turn.ts';

const BEFORE: readonly Turn[] = [
  { question: 'Who founded Tarn Works?', answer: 'Ines Quill' },
  { question: 'Where is Tarn Works based?', answer: 'Vell' },
  { question: 'Which yard built the Velmar?', answer: 'Ostrin' },
  { question: 'Who wrote the novel Tarnholm?', answer: 'Osk Merrow' },
];
const BEFORE_IN: Readonly<Record<string, readonly Turn[]>> = {
  de: [{ question: 'Wer gründete Ostrin?', answer: 'Ines Brandal' }],
  fr: [{ question: 'Qui a fondé Ostrin ?', answer: 'Louis Merrow' }],
  es: [{ question: '¿Quién fundó Ostrin?', answer: 'Amancio Merrow' }],
  it: [{ question: 'Chi ha fondato Ostrin?', answer: 'Dante Merrow' }],
  pt: [{ question: 'Quem fundou Ostrin?', answer: 'Luís Merrow' }],
  nl: [{ question: 'Wie richtte Ostrin op?', answer: 'Hendrik Merrow' }],
  ru: [{ question: 'Кто основал Тарн?', answer: 'Инес Квилл' }],
};

const byRules = (
  question: string,
  turn: Turn,
): { readonly text: string } | { readonly unsure: string } => {
  const reading = followUpReading(question, turn.question);
  return reading.refers === 'back'
    ? standAloneByRules(question, [turn], reading)
    : { text: question };
};

const ALONE: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Who was it that founded Acme?',
    'Was it Rome or Carthage that won?',
    'What time does it close in Oslo?',
    'Does the bank charge fees?',
    'Who approves the company card?',
    'What is the country code?',
    'Who is the author of the book?',
    'When was the war?',
    'Who killed the captain?',
    'Who heads the IT department at Acme?',
    'What does HE mean in chemistry?',
    'In its first year, how much did Netflix earn?',
    'Do they speak French in Quebec?',
    'So how do bees make honey?',
    'Does it get dark early in Reykjavik?',
    'How many people live in this country?',
    'How is the weather?',
    'Is it better to rent or to buy?',
    'Who invented the film camera?',
    'What is the city council?',
    'Where is the ship canal?',
    'Does it matter which fork I use?',
    'Does it rain in Oslo?',
    'Will it snow tomorrow?',
    'Is it cold in Tromso in May?',
    'How hot does it get in Cairo?',
    'Is it raining?',
    'Is it safe to drink tap water?',
    'What time is it in Lima?',
    'Is it Friday today?',
    'How far is it from Berlin to Munich?',
    'How long does it take to boil an egg?',
    'Is it worth buying a used car?',
    'What do they eat in Japan?',
    'What language do they speak in Brazil?',
    'How do they make cheese?',
    'Before his death, where did Mozart live?',
    'When he was young, what did Darwin collect?',
    'In her speech, what did Thatcher promise?',
    'Did his mother support Mozart?',
    'What is the IT budget of Acme?',
    'What does US law say on patents?',
    'Who directed It?',
    'Who sang She Loves You?',
    'Who wrote His Dark Materials?',
    'What does `it` do in a test file?',
    'What does the word "it" stand for?',
    'When is water at its densest?',
    'Why does honey keep when it is sealed?',
    'Why do cats purr when they sleep?',
    'Can someone lose his job for that reason?',
    'Who cut off his own ear?',
    'What bird lays its eggs in other nests?',
    'Were Curie and Pasteur of the same nationality?',
    'Which of these is older: Paris or Rome?',
    'Which one is bigger, the sun or the moon?',
    'Did Canada and Peru join in the same year?',
    'Is a frog the same as a toad?',
    'How do I convert one format to another?',
    'Are there wolves in Norway?',
    'Can there be life on Mars?',
    'So what is photosynthesis?',
    'OK, how do I peel a mango?',
    'How do I reset the router?',
    'Tell me more about black holes',
    'Where can I find more details about GDPR?',
    'What films won prizes this year?',
    'Who is the king?',
    'Who are you?',
    'How are you?',
    'What can you do?',
    'How do I reverse a list in Python?',
    'What is a monad?',
    'Explain recursion',
    'What is the most elaborate costume?',
    'Why is it called the Big Apple?',
    'How is it possible that planes fly?',
    'Is the earth flat?',
    'Do bees protect their queen?',
    'What happens to lead when it melts?',
    'If a guest arrives early, where can he wait?',
    'Is it legal in Texas?',
    'How do you know that it is fresh?',
    'What is it like to be a bat?',
    'Does everyone get their money back?',
  ],
  de: [
    'Wie warm ist es in Berlin?',
    'Seit wann ist es in Bayern verboten?',
    'Kann es sein, dass Rom fiel?',
    'Her yıl kaç gün var?',
    'Hvad er København?',
    'Schneit es?',
    'Geht es dir gut?',
    'Darf man ihn im Handgepäck mitnehmen?',
    'Regnet es in Berlin?',
    'Wie kalt wird es im Winter?',
    'Wie alt muss man sein, um in Berlin zu wählen?',
    'Wie spät ist es in Tokio?',
    'Kann ein Hund sein Futter riechen?',
    'Gibt es in Bonn einen Zoo?',
    'Was kann ich tun, damit mein Rasen grün wird?',
    'Hvem er Ibsen?',
    'Wer gewinnt dieses Jahr den Pokal?',
    'Habt ihr auch sonntags offen?',
    'Warum schnurren Katzen, wenn sie schlafen?',
    'Wie weit ist es von Köln nach Bonn?',
    'Was ist älter: Rom oder Athen?',
    'Haben alle Katzen dieselbe Augenfarbe?',
    'Wie schreibt man sein Testament?',
    'Wie funktioniert ein Motor?',
  ],
  fr: [
    'Le musée est-il ouvert le lundi ?',
    'Comment les abeilles font-elles leur miel ?',
    'Est-il vrai que Rome est tombée ?',
    'Fait-il froid ?',
    'Pourquoi est-il interdit de fumer ?',
    'Pourquoi le ciel est-il bleu ?',
    'Quelle heure est-il à Tokyo ?',
    'Quel temps fait-il à Paris ?',
    'Combien de temps la garantie dure-t-elle ?',
    'Qu’est-ce que le son ?',
    'Pleut-il souvent à Brest ?',
    'Comment un chat montre-t-il son affection ?',
    'Est-il possible de voter en ligne ?',
    'Où en savoir plus sur le RGPD ?',
    'Qui a gagné cette année ?',
    'Il pleut ?',
    'Quelle est la vitesse du son ?',
    'Combien coûte un passeport ?',
  ],
  es: [
    '¿Cómo funciona?',
    '¿Cuándo abre el museo?',
    '¿Cuál es su horario?',
    '¿Llueve mucho en Bilbao?',
    '¿Cuándo llueve?',
    '¿Cómo cocinar arroz?',
    '¿Hay algo más rápido que la luz?',
    '¿Dónde se compran sellos?',
    '¿Qué hora es en Lima?',
    '¿Cómo estás?',
    '¿Quién ganó este año?',
    '¿Cómo defiende un perro su casa?',
    '¿Es legal en Chile?',
  ],
  it: [
    'Come funziona?',
    'Dove si trova il suo ufficio?',
    'Piove a Genova?',
    'Quando nevica?',
    'Che ore sono a Lima?',
    'Come si fa il pane?',
    'Quale animale dorme di più?',
    'Come trova un’ape il suo alveare?',
    'Chi ha vinto quest’anno?',
    'Chi guadagna di più, un medico o un avvocato?',
  ],
  pt: [
    'Qual é o seu horário?',
    'Como funciona?',
    'Chove muito em Lisboa?',
    'Que horas são em Lima?',
    'Onde posso saber mais sobre impostos?',
    'Quando neva?',
    'Quem é você?',
    'Como um gato marca seu território?',
  ],
  nl: [
    'Regent het in Gent?',
    'Hoe laat is het?',
    'Waar kan ik een fiets huren?',
    'Hoe ver is het van Gent naar Brugge?',
    'Verliest een slang haar huid?',
    'Wie wint dit jaar de beker?',
  ],
  ru: [
    'Идёт ли дождь в Москве?',
    'Сколько времени в Токио?',
    'Почему кошки мурлычут, когда они спят?',
    'Как испечь хлеб?',
    'Когда вышел последний фильм Тарковского?',
    'Какая птица бросает их птенцов?',
  ],
  '': [
    'Hvor er den?',
    'Vem är Ibsen?',
    'Kto to jest Chopin?',
    'Kdy zemřel Dvořák?',
    'Når er han født?',
    '鲁迅是谁？',
  ],
};

describe('a question that stands alone is asked as it is, without a note', () => {
  for (const [code, questions] of Object.entries(ALONE))
    for (const question of questions)
      test(question, () => {
        for (const turn of [...BEFORE, ...(BEFORE_IN[code] ?? Object.values(BEFORE_IN).flat())])
          assert.deepEqual(byRules(question, turn), { text: question }, turn.question);
      });
});

const LEFT = '';
/** Follow-ups with what they mean; `LEFT` where the rules leave them to a model. */
const FOLLOW_UPS: readonly (readonly [
  question: string,
  answer: string,
  followUp: string,
  written: string,
])[] = [
  ['Who founded Tarn Works?', 'Ines Quill', 'Where was she born?', 'Where was Ines Quill born?'],
  [
    'Who founded Tarn Works?',
    'Ines Quill',
    'When did she move to Vell?',
    'When did Ines Quill move to Vell?',
  ],
  ['Who founded Tarn Works?', 'Ines Quill', 'Is she still alive?', 'Is Ines Quill still alive?'],
  [
    'Who founded Tarn Works?',
    'Ines Quill',
    'What did she study at Merrow College?',
    'What did Ines Quill study at Merrow College?',
  ],
  [
    'Who founded Tarn Works?',
    'Ines Quill',
    'How many ships did it build?',
    'How many ships did Tarn Works build?',
  ],
  ['Who founded Tarn Works?', 'Ines Quill', 'Who was her father?', "Who was Ines Quill's father?"],
  [
    'Where is Tarn Works based?',
    'Vell',
    'What is the weather like there?',
    'What is the weather like in Vell?',
  ],
  ['Where is Tarn Works based?', 'Vell', 'What else is made there?', 'What else is made in Vell?'],
  [
    'Where is Tarn Works based?',
    'Vell',
    'Does it have branches?',
    'Does Tarn Works have branches?',
  ],
  ['Which yard built the Velmar?', 'Ostrin', 'Who leads that company?', 'Who leads Ostrin?'],
  ['How long is the Velmar?', '80 m', 'Who owns it?', 'Who owns the Velmar?'],
  ['How long is the Velmar?', '80 m', 'Was it sold to Halvik?', 'Was the Velmar sold to Halvik?'],
  ['How long is the Velmar?', '80 m', 'What is its top speed?', "What is the Velmar's top speed?"],
  ['How long is the Velmar?', '80 m', 'And the Corncrake?', 'How long is the Corncrake?'],
  ['How long is the Velmar?', '80 m', 'What about the Linnet?', 'How long is the Linnet?'],
  ['When did Ines Quill leave Tarn?', '1950', 'Why?', 'Why did Ines Quill leave Tarn?'],
  ['When was Ines Quill hired?', '1940', 'And why?', 'Why was Ines Quill hired?'],
  [
    'What does max_tokens set?',
    'A limit',
    'Does it work on Windows?',
    'Does max_tokens work on Windows?',
  ],
  ['What does max_tokens set?', 'A limit', 'What is its default?', "What is max_tokens' default?"],
  [
    'How long is the warranty?',
    'Two years',
    'How do I extend it?',
    'How do I extend the warranty?',
  ],
  ['What is the capital of Spain?', 'Madrid', 'And of Italy?', 'What is the capital of Italy?'],
  [
    'What is the capital of Spain?',
    'Madrid',
    'How many people live there?',
    'How many people live in Madrid?',
  ],
  ['Who won the Prism in 2019?', 'Osk Merrow', 'And in 2021?', 'Who won the Prism in 2021?'],
  [
    'Who wrote Tarnholm?',
    'Osk Merrow',
    'What other books did he write?',
    'What other books did Osk Merrow write?',
  ],
  ['Who wrote Tarnholm?', 'Osk Merrow', 'Who was he married to?', 'Who was Osk Merrow married to?'],
  ['Who wrote Tarnholm?', 'Osk Merrow', 'When was it published?', 'When was Tarnholm published?'],
  ['Who wrote Tarnholm?', 'Osk Merrow', 'What is his role at Ostrin?', LEFT],
  ['Who wrote Tarnholm?', 'Osk Merrow', 'Who painted his portrait?', LEFT],
  [
    'Who owns the Velmar?',
    'Ostrin',
    'Does it sail in Vell and Orr?',
    'Does the Velmar sail in Vell and Orr?',
  ],
  ['Who owns the Velmar?', 'Ostrin', 'Which is older?', LEFT],
  ['Who owns the Velmar?', 'Ostrin', 'What is the population?', LEFT],
  ['Who wrote Tarnholm?', 'Osk Merrow', 'What about the second one?', LEFT],
  [
    'Wer gründete Ostrin?',
    'Ines Brandal',
    'Wann wurde sie geboren?',
    'Wann wurde Ines Brandal geboren?',
  ],
  ['Wer gründete Ostrin?', 'Ines Brandal', 'Wie heißt ihr Vater?', LEFT],
  ['Wer gründete Ostrin?', 'Ines Brandal', 'Lebt sie noch?', 'Lebt Ines Brandal noch?'],
  ['Wo liegt Halvik?', 'In Vell', 'Wer leitet es?', LEFT],
  ['Qui a fondé Ostrin ?', 'Louis Merrow', 'Où est-il né ?', 'Où est-il né (Louis Merrow) ?'],
  ['Qui a fondé Ostrin ?', 'Louis Merrow', 'Quelle est sa nationalité ?', LEFT],
  ['¿Quién fundó Ostrin?', 'Amancio Merrow', '¿Cuándo murió?', '¿Cuándo murió Amancio Merrow?'],
  ['¿Quién fundó Ostrin?', 'Amancio Merrow', '¿Y dónde nació?', '¿Dónde nació Amancio Merrow?'],
  ['Chi ha fondato Ostrin?', 'Dante Merrow', 'Quando è nato?', 'Quando è nato Dante Merrow?'],
  ['Quem fundou Ostrin?', 'Luís Merrow', 'Quando ele morreu?', 'Quando ele morreu (Luís Merrow)?'],
  [
    'Wie richtte Ostrin op?',
    'Hendrik Merrow',
    'Waar woont hij?',
    'Waar woont hij (Hendrik Merrow)?',
  ],
  ['Кто основал Тарн?', 'Инес Квилл', 'Когда она умерла?', 'Когда она умерла (Инес Квилл)?'],
  ['Wer ist Brandal?', 'Ein Dichter', 'Wann starb er?', 'Wann starb Brandal?'],
];

test('real follow-ups are written right or left', () => {
  const counts = { right: 0, wrong: 0, left: 0 };
  const rows: string[] = [];
  for (const [question, answer, followUp, written] of FOLLOW_UPS) {
    const result = byRules(followUp, { question, answer });
    const text = 'text' in result ? result.text : followUp;
    const what = text === followUp ? 'left' : text === written ? 'right' : 'wrong';
    counts[what] += 1;
    if (what === 'wrong' || (what === 'left') !== (written === LEFT))
      rows.push(`${what}: ${question} ${followUp} -> ${JSON.stringify(result)}`);
  }
  assert.deepEqual(rows, []);
  assert.deepEqual(counts, { right: 37, wrong: 0, left: 8 });
});
