import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sentenceSpans } from './sentences.ts';

const sentences = (text: string): string[] =>
  sentenceSpans(text).map(([start, end]) => text.slice(start, end));

/** Cases: `|` marks the boundaries between sentences. */
const cases: Record<string, string[]> = {
  'plain stops': ['One ends. | Two ends! | Does three? | Four'],
  titles: [
    'Mr. Smith met Dr. Jones and Gen. Lee. | They spoke.',
    'Sen. Warren asked Gov. Hobbs. | No reply came.',
    'St. Louis won. | Mt. Everest lost.',
  ],
  initials: [
    'J. K. Rowling wrote it. | George W. Bush did not.',
    'He met J.R.R. Tolkien. | They talked.',
    'John F. Kennedy spoke. | He paused.',
    'J.-P. Sartre wrote. | He won.',
  ],
  'dotted names of places': [
    'The U.S. Senate met. | It voted.',
    'She lives in the U.S. | The law there differs.',
    'He left Washington, D.C. | There it ended.',
    'The U.K. government fell.',
  ],
  companies: [
    'Apple Inc. said so. | Then it stopped.',
    'He joined Apple Inc. | The firm grew.',
    'Warner Bros. Discovery fell. | Shares dropped.',
    'Ask Smith & Co. Ltd. for it.',
  ],
  latin: [
    'Fruit, e.g. Apples, sell. | More, i.e. Pears, do not.',
    'Ali vs. Frazier was big.',
    'Smith et al. Nature published it.',
    'Pens, paper, etc. | They sell all.',
  ],
  'times and dates': [
    'At 5 p.m. Tuesday it began. | By 6 a.m. ET it was over.',
    'It began at 5 p.m. | The crowd left.',
    'On Jan. 5 it rained. | In Sept. 2023 it did not.',
  ],
  numbers: [
    'It cost $3.50 a share. | No. 5 won by 2.5 points.',
    'It was No. | He left.',
    'It grew in 2022. | 2023 was worse.',
    'Version 1.2.3 is out.',
  ],
  ellipses: [
    'Well... maybe not. | Wait... | The end.',
    'He was… tired. | Wait… | Then he slept.',
    'He said . . . nothing. | She left.',
  ],
  'closing quotes and brackets': [
    'He said “no.” | She left.',
    '"Stop!" he cried. | "Why?" | She ran.',
    '(It rained.) | We left. | [So they say.] | Fine.',
    'It is *bold.* | Next.',
    'They left.[12] | Others stayed.[3][4] | End.',
  ],
  'the stop inside a quote before a small letter': [
    '“Is it?” he asked. | “Yes.”',
    'Yahoo! is a firm. | It fell.',
  ],
  'camel names': ['It runs. | iPhone sales fell. | eBay rose.'],
  addresses: ['See example.com/a.b?c=d. | Write to a.b@c.org now.'],
  paragraphs: [
    'A heading\n\n | Text goes on\nover a line. | End',
    'a\r\n\r\n | b',
    'a\n \t\n | b',
    'Mr.\n\n | Smith',
  ],
  bullets: [
    'Buy:\n | - milk\n | - eggs and\nbutter\n | * bread',
    'Steps\n | 1. Wash it\n | 2) Dry it',
    '1. First comes this. | 2. Second comes that.',
  ],
  'an em dash after a stop': ['It ended. | — Jane Roe'],
  'full-width stops': ['你好。 | 再见！ | 「好。」 | 完'],
  'stops without white space': [
    '系统已备份。|请重新启动！|可以吗？|好',
    '他说："走吧。"|然后离开了。|"好。"|完',
    '彼は「行く。」と言った。|「やめて！」って。|とても寒い。',
    'それは「夢。」だった。|後で',
    '他来了（真的！）又走了。|（完。）|后来',
    '价格是３．１４元．|再见',
    '已保存.|然后退出!|好',
    '정말입니까?|네。|끝',
    'यह घर है। | वह गया।|फिर? | ॥ १२ ॥ | अंत',
    'এটি বই।|ওটি কলম।',
    'هل وصلت؟ | نعم؛ وصلت. | حسنا',
    'یہ کتاب ہے۔ | وہ قلم ہے۔|اچھا؟ | ۳۔۵ کلو',
    'នេះជាសៀវភៅ។ | ផ្លែឈើ ។ល។ | និងផ្សេង។ | ចប់',
    'ဒါစာအုပ်၊ ခဲတံ။|ပြီးပြီ။',
    'ይህ ቤት ነው።|መጣ፧ | አዎ',
    'Սա տուն է։ | Նա եկավ։',
    'བོད་ཡིག།|དེབ།',
  ],
  'notes and marks of Greek and Georgian': [
    'Τι κάνεις; | Καλά. | Ο κ. Παπάς είναι εδώ.',
    'სახლი დიდია. | აქ ცხოვრობენ.',
    '他去了。[3]|她没去。',
  ],
  'quotes of other languages': [
    '„Halt!“ | Er blieb. | »Nein.« | »Doch!« rief sie.',
    'Il a dit : « Viens. » | Puis il partit. | Qui vient ? | Paul.',
    'Hon kom på. | ”Stopp!” sa han. | ”Nå, nej.” | Sen gick hon.',
    '¿Qué pasa? | ¡Nada! | Vamos.',
  ],
  'German ordinals': [
    'Sie kam am 12. April 2021 an. | Danach ging sie am 3. Mai wieder.',
    'Im 19. Jahrhundert fuhr der 1. Zug. | Die 2. Auflage folgte.',
    'Der 1. FC Köln schlug den 2. Platz. | Er kam vom 3. bis 5. Juli 2019.',
    'Die Rechnung vom 5. Oktober ist offen. | Er zahlte 12. | Sie nicht.',
    'Er wurde der 2. | Die Siegerin kam 2003. | Mai war es nicht.',
    'Sie lief als 3. Läuferin ein. | Er wurde 4. Vorsitzender und 2. Vizepräsident.',
    'Das Tal war bis ins späte 2. Jahrtausend leer (6. Jh. v. Chr.). | Seit 2. Lesung ruht es.',
    'Brief an Anna, 9. September 1799. | Brief an Karl, 4. Aug. 1805, aus dem kalten 3. Haus.',
    'Ab 5. Klasse lernen sie Latein, bis 18. Lebensjahr gratis. | Am 34. Spieltag war Schluss.',
  ],
  'numbers that end German sentences': [
    'Im Jahr 1998. | Der Rest folgte. | Er ist älter als 30. | Karl ist jünger.',
    'Es kamen mehr als 12. | Peter ging. | Sie zählte bis 10. | Berta lief.',
    'Mehr dazu in Kapitel 13. | Kapitel 14 folgt. | Es gab 3. | Preise nannte niemand.',
    'Frei sind noch 21. | Sonntags ist zu. | Das steht in Band 2. | Zusammenfassung siehe dort.',
  ],
  'abbreviations that close a list': [
    'Мешки, вёдра и т. п. | Всё лежало. | Ветки и т. д. | Иван ушёл, т. е. Ваня.',
    'Т. Д. Петров знает, что такое т. н. Стена. | Книги и т.д. - в шкаф.',
    'Nägel, Draht u. s. w. | Karl kam. | Skruv, spik o.s.v. | Allt låg där, m. m. | Slut.',
    'Цвяхи, дроти і т. ін. | Він пішов. | Пирони и т.н. | Той дойде.',
  ],
  'numbers that end English sentences': [
    'I am 30. | April is here.',
    'In 1999. | Mai Kuraki sang.',
    'She was 12. | Mai Kuraki sang.',
    'He scored 12. | August came. | May 5. | Monday.',
    'Give them 5. | Tell us.',
  ],
  'ordinals before small letters': [
    'Schůzka je 3. května 2020 v Praze. | Přijde také pan Novák.',
    'Mødet er den 3. maj kl. 10 i sal 2. | Kom den 5. maj. | Vi venter.',
    'Kokous on 3. toukokuuta 2020. | Tule mukaan.',
    'A szerződés 2020. május 3. napján lejár. | Utána új kell.',
    'Ugovor istječe 3. svibnja 2020. godine. | Zatim slijedi novi.',
    'Dne 3. 5. 2020 přišel. | Pak 12. 11. 1999.',
    'Toplantı 3 Mayıs 2020 tarihinde. | Sonra görüşürüz.',
  ],
  'German abbreviations': [
    'Danach gilt Nr. 5 der Liste. | Siehe Abb. 3 und Bd. 2 auf S. 7.',
    'Obst, z. B. Birnen, u. a. Äpfel, d. h. Kernobst. | Mehr gibt es nicht.',
    'Es kostet ca. 5 Mio. Euro bzw. Franken. | Das ist viel.',
    'Die Hauptstr. 5 ist zu.',
    'Hr. Meier kam 44 v. Chr. | Der Rest blieb.',
  ],
  'abbreviations of Romance languages': [
    'M. Dupont cite l’art. 5 et la p. 12. | Il a raison.',
    'El Sr. López vive en el núm. 5. | La Sra. Ruiz y D. Juan no. | Son EE. UU. | La ley rige.',
    'Il sig. Rossi legge pag. 3. | La dott.ssa Bianchi no.',
    'O Sr. Silva viu a pág. 5. | O fim.',
  ],
  'abbreviations of northern and Slavic languages': [
    'Dhr. Jansen kwam op nr. 5, bijv. Amsterdam. | Daarna niet.',
    'Tåget går kl. 10, t.ex. Stockholm. | Den är ny. | Den är sen. | Hon går.',
    'Byl to např. Karel, tzv. Otec, str. 5. | Konec.',
    'To np. Kraków, ul. Długa, św. Adam. | Koniec.',
    'В 1999 г. Москва росла, т. е. Россия. | Дом им. Ленина на ул. Мира. | Это было в 2001 г. | Потом всё кончилось.',
    'А. С. Пушкин и проф. Иванов. | Дал им. | Потом ушёл и т. д. | Он устал.',
    'डॉ. सिंह आए।|वे बैठे।',
  ],
  'words that are abbreviations in another language': [
    'In 500 BC. | Rome grew to 100 MW. | It had 5 mm. | He was ill.',
    'He wore a cap. | Ten came 2 years ago. | 5 men were out. | 3 stayed.',
    'The U.S. Las Vegas show. | The U.S. MIT team. | J. Le Carré wrote.',
  ],
  'words that are abbreviations elsewhere': [
    'We asked the SEC. | Binance did not.',
    'It is an art. | Turner knew.',
    'See Sec. 5 and Art. 2 there. | Then stop.',
    "He can't. | Tim can.",
  ],
  'full stops after closing words': [
    'He took vitamin C. | The pills helped.',
    'And so did I. | They went.',
  ],
};

for (const [name, list] of Object.entries(cases))
  test(`sentences: ${name}`, () => {
    for (const marked of list)
      assert.deepEqual(
        sentences(marked.replaceAll(/ ?\| ?/g, gap => (gap.startsWith(' ') ? ' ' : ''))),
        marked.split('|').map(part => part.trim()),
        marked,
      );
  });

const pieces = fc.constantFrom(
  'a',
  'B',
  'Mr.',
  'U.S.',
  '.',
  '!',
  '?',
  '…',
  '”',
  '"',
  ')',
  '(',
  ' ',
  '\n',
  '\n\n',
  '\r\n',
  '- ',
  '1. ',
  '。',
  '」',
  '\u00a0',
  '\ud83d',
  '😂',
  'The',
  '[1]',
  '।',
  '؟',
  '．',
  'と',
  '（',
  '3',
  'Mai',
  'am ',
  '«',
  '»',
);
const anyText = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map(list => list.join('')),
  fc.string({ unit: 'binary' }),
);

test('for any text: spans ascend, are trimmed and cover every non-space character', () => {
  fc.assert(
    fc.property(anyText, text => {
      let last = 0;
      for (const [start, end] of sentenceSpans(text)) {
        assert.ok(start >= last && end > start);
        assert.equal(text.slice(last, start).trim(), '');
        assert.equal(text.slice(start, end), text.slice(start, end).trim());
        last = end;
      }
      assert.equal(text.slice(last).trim(), '');
    }),
    { numRuns: 5000 },
  );
});

test('splitting a paragraph does not depend on the paragraphs around it', () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      assert.deepEqual(sentences(`${a}\n\n${b}`), [...sentences(a), ...sentences(b)]);
    }),
    { numRuns: 2000 },
  );
});
