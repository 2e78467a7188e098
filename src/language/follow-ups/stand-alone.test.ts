import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { followUpReading } from './references.ts';
import { standAloneByRules } from './stand-alone.ts';
import type { Turn } from './turn.ts';

type Row = readonly [question: string, answer: string, followUp: string, written: string];

const UNSURE = '?';
const WRITTEN: Readonly<Record<string, readonly Row[]>> = {
  English: [
    [
      'Who founded Tarn Works?',
      'Ines Quill',
      'And when was it founded?',
      'When was Tarn Works founded?',
    ],
    ['Who founded Tarn?', 'Ines Quill', 'When was she born?', 'When was Ines Quill born?'],
    [
      'Who founded Tarn?',
      'Ines Quill [2].',
      'What is her brother’s name?',
      "What is Ines Quill's brother’s name?",
    ],
    [
      'Which yard built the Velmar 3?',
      'Ostrin',
      'When was it founded?',
      'When was Ostrin founded?',
    ],
    ['Where is Tarn based?', 'Vell', 'When was it founded?', 'When was Tarn founded?'],
    [
      'Where is Tarn based?',
      'Vell',
      'How many people live there?',
      'How many people live in Vell?',
    ],
    [
      'What is the capital of France?',
      'Paris',
      'What about Spain?',
      'What is the capital of Spain?',
    ],
    ['What is the capital of France?', 'Paris', 'And in Italy?', 'What is the capital of Italy?'],
    ['Who rowed for Tarn in 2019?', 'Ines Quill', 'And in 2020?', 'Who rowed for Tarn in 2020?'],
    ['When was Ines Quill born?', '1931', 'And where?', 'Where was Ines Quill born?'],
    [
      'Did Ines Quill work at Tarn?',
      'Yes',
      'When did she leave it?',
      'When did Ines Quill leave Tarn?',
    ],
    ['Which yard built the Velmar?', 'Ostrin', 'Who leads that company?', 'Who leads Ostrin?'],
    [
      'How long is the warranty?',
      'Two years',
      'Does it cover batteries?',
      'Does the warranty cover batteries?',
    ],
    [
      'What does max_tokens set?',
      'A limit',
      'What is its default?',
      "What is max_tokens' default?",
    ],
    [
      'Which yards lie there?',
      'Ostrin and Halvik',
      'Where are they based?',
      'Where are Ostrin and Halvik based?',
    ],
    [
      'Which tug saved her?',
      'The Corncrake.',
      'When was it built?',
      'When was the Corncrake built?',
    ],
    [
      'Who leads Tarn?',
      'Ines Quill led Tarn in 1975 [1].',
      'Where was she born?',
      'Where was Ines Quill born?',
    ],
    ['Who is Osk Maren?', '', 'What does he grind?', 'What does Osk Maren grind?'],
    ['Who is Osk Maren?', 'A grinder.', 'Tell me more about him', 'Tell me more about Osk Maren'],
    ['Who owns Tarn?', 'Ines Quill', 'And the Velmar?', 'Who owns the Velmar?'],
    [
      'Who is the CEO of Tarn?',
      'The CEO of Tarn is Ines Quill.',
      'How old is she?',
      'How old is Ines Quill?',
    ],
    ['Who is Ines Quill?', 'The Head of Tarn', 'How old is she?', 'How old is Ines Quill?'],
    ['Who won?', 'It was Ines Quill', 'How old is she?', 'How old is Ines Quill?'],
    [
      'Tell me about the Long Wall of Vell',
      'It is a wall.',
      'How long is it?',
      'How long is the Long Wall of Vell?',
    ],
    [
      'How do I moor a Velmar at Ostrin?',
      'By ropes.',
      'And at Halvik?',
      'How do I moor a Velmar at Halvik?',
    ],
    [
      'What is the speed of the Velmar 3?',
      '12 knots',
      'And the Velmar 4?',
      'What is the speed of the Velmar 4?',
    ],
    [
      'Who founded Tarn?',
      'Ines Quill',
      'What is the name of her brother?',
      "What is the name of Ines Quill's brother?",
    ],
    ['Who founded Tarn?', 'Ines Quill', 'Tell me more', UNSURE],
    ['Where was Ines Quill born?', 'Vell', 'Is that on the Orr?', UNSURE],
    ['Who is Ines Quill married to?', 'Osk Quill', 'What did he grind?', UNSURE],
    [
      'Who leads Tarn?',
      'The head of Tarn is Ines Quill.',
      'How old is she?',
      'How old is Ines Quill?',
    ],
    ['Did Ostrin buy Halvik?', 'Yes', 'When was it founded?', UNSURE],
    ['Who founded Tarn?', 'Ines Quill', 'What about the second one?', UNSURE],
    ['Who founded Tarn?', 'Ines Quill', 'Why?', UNSURE],
    ['What is new?', '', 'When was it founded?', UNSURE],
  ],
  German: [
    [
      'Wer schrieb den Roman Tarnholm?',
      'Ines Brandal',
      'Und wann starb sie?',
      'Wann starb Ines Brandal?',
    ],
    [
      'Wer gründete Ostrin?',
      'Ines Brandal',
      'Wann wurde sie gegründet?',
      'Wann wurde Ostrin gegründet?',
    ],
    [
      'Wo wurde Brandal geboren?',
      'Halvik',
      'Wie viele Menschen leben dort?',
      'Wie viele Menschen leben in Halvik?',
    ],
    ['Wann wurde Brandal geboren?', '1749', 'Wie hieß seine Frau?', 'Wie hieß Brandals Frau?'],
    ['Wann wurde Brandal geboren?', '1749', 'Und wo?', 'Wo wurde Brandal geboren?'],
    [
      'Wer ist der Chef von Ostrin?',
      'Stefan Brandal',
      'Wie alt ist er?',
      'Wie alt ist Stefan Brandal?',
    ],
    [
      'Wer war Ines Brandal?',
      'Kanzlerin',
      'Wann trat sie zurück?',
      'Wann trat Ines Brandal zurück?',
    ],
    [
      'Was ist die Hauptstadt von Frankreich?',
      'Paris',
      'Und was ist mit Spanien?',
      'Was ist die Hauptstadt von Spanien?',
    ],
  ],
  French: [
    [
      'Qui a fondé la société Ostrin ?',
      'Louis Merrow',
      'Quand est-il mort ?',
      'Quand est-il mort (Louis Merrow) ?',
    ],
    [
      'Qui a fondé la société Ostrin ?',
      'Louis Merrow',
      'Et quand a-t-elle été fondée ?',
      'Quand a-t-elle été fondée (Ostrin) ?',
    ],
    [
      'Quelle est la capitale de la France ?',
      'Paris',
      'Quelle est sa population ?',
      'Quelle est sa population (Paris) ?',
    ],
  ],
  Spanish: [
    ['¿Quién fundó Ostrin?', 'Amancio Merrow', '¿Y cuándo murió?', '¿Cuándo murió Amancio Merrow?'],
    ['¿Quién fundó Ostrin?', 'Amancio Merrow', '¿Dónde nació?', '¿Dónde nació Amancio Merrow?'],
    ['¿Quién fundó Ostrin?', 'Amancio Merrow', '¿Y dónde está su sede?', UNSURE],
  ],
  Italian: [
    [
      'Chi ha scritto Tarnholm?',
      'Dante Merrow',
      'E quando è morto?',
      'Quando è morto Dante Merrow?',
    ],
  ],
  Portuguese: [
    ['Quem escreveu Tarnholm?', 'Luís Merrow', 'E quando morreu?', 'Quando morreu Luís Merrow?'],
    [
      'Quem escreveu Tarnholm?',
      'Luís Merrow',
      'Onde ele nasceu?',
      'Onde ele nasceu (Luís Merrow)?',
    ],
  ],
  Russian: [
    [
      'Кто основал Тарн?',
      'Инес Квилл',
      'А когда она родилась?',
      'Когда она родилась (Инес Квилл)?',
    ],
    ['Когда основан Тарн?', '1931', 'А где?', 'Где основан Тарн?'],
    ['Кто живёт в Вене?', 'Квилл', 'А в Граце?', 'Кто живёт в Граце?'],
  ],
  Dutch: [
    [
      'Wie schreef Tarnholm?',
      'Hendrik Merrow',
      'Wanneer is hij geboren?',
      'Wanneer is hij geboren (Hendrik Merrow)?',
    ],
  ],
};

describe('a follow-up by rules', () => {
  for (const [language, rows] of Object.entries(WRITTEN))
    for (const [question, answer, followUp, written] of rows)
      test(`${language}: ${followUp} after ${question}`, () => {
        assert.equal(followUpReading(followUp, question).refers, 'back');
        const result = standAloneByRules(followUp, [{ question, answer }]);
        if (written === UNSURE)
          assert.ok('unsure' in result && result.unsure !== '', JSON.stringify(result));
        else assert.deepEqual(result, { text: written });
      });

  test('knows from all turns what a name is', () => {
    const turns: Turn[] = [
      { question: 'Who founded Dunmarrow Works?', answer: 'Petra Quill' },
      { question: 'What ships did Dunmarrow Works build?', answer: 'Long Linnet' },
    ];
    for (const [followUp, text] of [
      ['And where is she from?', 'Where is Petra Quill from?'],
      ['Who owns that ship?', 'Who owns Long Linnet?'],
      ['Who leads the company?', 'Who leads Dunmarrow Works?'],
    ] as const)
      assert.deepEqual(standAloneByRules(followUp, turns), { text });
  });

  test('describes what the question before did not find', () => {
    const turns: Turn[] = [{ question: 'Who won the Silver Prism?' }];
    assert.deepEqual(standAloneByRules('Where does she live?', turns), {
      text: 'Where does the person who won the Silver Prism live?',
    });
    assert.ok('unsure' in standAloneByRules('Where does she live?', [{ question: 'Who is it?' }]));
    const firms: Turn[] = [...turns, { question: 'Which companies build motors?' }];
    assert.deepEqual(standAloneByRules('Where are they based?', firms), {
      text: 'Where are the companies that build motors based?',
    });
  });

  test('keeps a preposition before a place', () => {
    const turns: Turn[] = [{ question: 'Where was Ines Quill born?', answer: 'Vell' }];
    assert.deepEqual(standAloneByRules('Who else came from there?', turns), {
      text: 'Who else came from Vell?',
    });
  });

  test('is read by the newest turn that names what it may be about', () => {
    const turns: Turn[] = [
      { question: 'Who founded Tarn?', answer: 'Ines Quill' },
      { question: 'When was it founded?', answer: '1931' },
      { question: 'Why?' },
    ];
    assert.deepEqual(standAloneByRules('Who led it then?', turns), { text: 'Who led Tarn then?' });
  });
});

test('a question that refers to nothing before it stands alone', () => {
  for (const question of [
    'Is there a limit on uploads?',
    'Who founded Ostrin and when was it sold?',
    'And who is Ines Quill?',
    'Which company makes the Velmar?',
    'How long does it take to build Tarn?',
    'What is the capital of France?',
    'Wer leitet die Werft Halvik?',
    'Combien de personnes y a-t-il à Paris ?',
  ])
    assert.equal(followUpReading(question, 'Who founded Tarn?').refers, 'alone', question);
});

test('a pronoun of a language without rules is said to be left', () => {
  for (const question of [
    '他什么时候去世的？',
    'それはいつ設立されましたか？',
    '그는 언제 태어났나요?',
  ]) {
    const reading = followUpReading(question, question);
    assert.equal(reading.refers, 'back', question);
    const turns = [{ question: '?', answer: '!' }];
    assert.ok('unsure' in standAloneByRules(question, turns, reading));
  }
});

test('a question that may refer back is left to a model', () => {
  for (const question of [
    'What is her role at Ostrin?',
    'What is the population?',
    'Which is older?',
    'How do bees find their hive?',
    'Can I cancel an order after it ships?',
    'If the server crashes, how do I restart it?',
    'When does a person lose his rights?',
    'What does it mean when the light blinks?',
    'Who else did Ostrin buy?',
    'Is Halvik bigger?',
    'Was baut Ostrin sonst?',
    'Does the warranty cover its battery?',
    'Wo hat die Firma ihren Sitz?',
    'What is photosynthesis?',
    '¿Cuánto tiempo tarda la entrega?',
    '鲁迅什么时候去世的？',
  ])
    assert.equal(followUpReading(question, 'Who founded Tarn?').refers, 'inside', question);
});
