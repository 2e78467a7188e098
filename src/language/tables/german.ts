import { type LanguageTable, listed } from '../language.ts';

const MONTHS = 'januar februar märz april mai juni juli august september oktober november dezember';

export const GERMAN: LanguageTable = {
  code: 'de',
  name: 'German',
  stopWords: listed(`
    aber alle allem allen aller alles als also am an andere anderen anderer anderes ans auch auf aus außerdem bei beide beiden beim bin bis bitte da dabei dadurch daher damit danach dann
    daran darauf daraus darf das dass davon dazu dein deine dem den denen denn der deren des deshalb dessen die dies diese diesem diesen dieser dieses dir doch dort du durch dürfen
    ein eine einem einen einer eines einige er es etwas euch euer für gab geben genau gibt habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem
    ins ist ja jede jedem jeden jeder jedes jene kann kannst kein keine keinem keinen keiner können könnte lassen lässt man mein meine meinem meinen meiner mich mir mit muss müssen möchte möglich nach
    nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit selbst sich sie sind so sogar soll sollen sollte sondern sonst statt um und uns unser unsere unter
    vom von vor wann war waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werde werden wessen wie wieder wieso will wir wird wirst wo wobei wodurch wofür woher wohin womit worden
    wurde wurden während wäre würde würden zu zum zur zwischen über`),
  questionWords: [
    ['wie viele', 'how many'],
    ['wie viel', 'how much'],
    ['wieviele', 'how many'],
    ['wie lange', 'how long'],
    ['wie oft', 'how often'],
    ['wie alt', 'how old'],
    ['in welchem jahr', 'in which year'],
    ['seit wann', 'when'],
    ['wann', 'when'],
    ['warum', 'why'],
    ['wieso', 'why'],
    ['weshalb', 'why'],
    ['wer', 'who'],
    ['wem', 'who'],
    ['wen', 'who'],
    ['wessen', 'whose'],
    ['wo', 'where'],
    ['wohin', 'where'],
    ['woher', 'where'],
    ['welche', 'which'],
    ['welchem', 'which'],
    ['welchen', 'which'],
    ['welcher', 'which'],
    ['welches', 'which'],
    ['was', 'what'],
    ['wie', 'how'],
  ],
  dates: [
    /(?<!\p{N})(?<day>\d{1,2})\. ?(?<month>Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember) (?<year>\d{4})(?!\p{N})/giu,
    /(?<![\p{N}.])(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4})(?!\p{N})/gu,
    /(?<!\p{L})(?<month>Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember) (?<year>\d{4})(?!\p{N})/gu,
  ],
  months: MONTHS.split(' '),
  decimalComma: true,
  capitalNouns: true,
  verdicts: ['Ja', 'Nein'],
  unspaced: false,
};
