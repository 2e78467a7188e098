import { type LanguageTable, listed } from '../language.ts';

const MONTHS =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre';

export const SPANISH: LanguageTable = {
  code: 'es',
  name: 'Spanish',
  stopWords: listed(`
    a al algo alguna algunas alguno algunos algún ambos ante antes aquel aquella aunque aún bajo cada como con contra cual cuales cualquier cuando cuál cuáles cuándo cuánta cuántas cuánto cuántos cómo de del desde donde durante
    dónde e el ella ellas ellos en entonces entre era eran es esa esas ese eso esos esta estaba estado estas este esto estos está están fue fueron ha hace hacer hacia han hasta hay he la las le les lo los luego
    me mediante menos mi mientras mis misma mismo mucho muy más mí nada ni no nos nosotros nuestra nuestro o otra otras otro otros para pero poco por porque puede pueden puedo pues que quien quienes quién quiénes qué
    se sea según ser será si sido siempre sin sobre solo son su sus sí sólo también tan tanto te tener tiene tienen toda todas todo todos tras tu tus tú un una unas uno unos usted ustedes y ya yo él debe deben debo`),
  questionWords: [
    ['cuántos', 'how many'],
    ['cuántas', 'how many'],
    ['cuánto', 'how much'],
    ['cuánta', 'how much'],
    ['en qué año', 'in which year'],
    ['cuándo', 'when'],
    ['dónde', 'where'],
    ['por qué', 'why'],
    ['cómo', 'how'],
    ['quién', 'who'],
    ['quiénes', 'who'],
    ['cuál es', 'what is the'],
    ['cuál', 'which'],
    ['cuáles', 'which'],
    ['qué', 'what'],
  ],
  dates: [
    /(?<!\p{N})(?<day>\d{1,2}) de (?<month>enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre) (?:de|del) (?<year>\d{4})(?!\p{N})/giu,
    /(?<![\p{N}/])(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})(?![\p{N}/])/gu,
    /(?<!\p{L})(?<month>enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre) (?:de|del) (?<year>\d{4})(?!\p{N})/gu,
  ],
  months: MONTHS.split(' '),
  decimalComma: true,
  capitalNouns: false,
  verdicts: ['Sí', 'No'],
  unspaced: false,
};
