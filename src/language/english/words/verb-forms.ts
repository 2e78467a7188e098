/** Stems words so that the forms of a verb or noun agree, irregular ones and agents included. */
import { stemOf } from './stems.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';

/** Base form, then its other irregular forms. */
const TABLE = `
arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun|bend bent|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought
build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|die dies died dying|dig dug|dive dove|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven
eat ate eaten|fall fell fallen|feed fed|fight fought|flee fled|fling flung|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|give gave given|go goes went gone
grind ground|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|lean leant|leap leapt|learn learnt|leave left|lend lent|lie lies lying|light lit|lose lost|make made
mean meant|meet met|overcome overcame|oversee oversaw overseen|overtake overtook overtaken|pay paid|plead pled|prove proven|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken|shine shone|shoot shot
show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|slay slew slain|sleep slept|slide slid|speak spoke spoken|speed sped|spend spent|spin spun|spit spat|spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck stricken|strive strove striven
swear swore sworn|sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|tie ties tied tying|tread trod trodden|use uses used using|undergo underwent undergone|understand understood|undertake undertook undertaken|wake woke woken|wear wore worn|weave wove woven|weep wept|win won
wind wound|withdraw withdrew withdrawn|withstand withstood|wring wrung|write wrote written
man men|woman women|child children|person people|foot feet|tooth teeth|goose geese|mouse mice|wife wives|half halves|wolf wolves|leaf leaves|knife knives
`;
const BASES: ReadonlyMap<string, string> = new Map(
  TABLE.split(/[|\n]/).flatMap(entry => {
    const [base, ...forms] = entry.split(' ') as [string, ...string[]];
    return forms.map(form => [form, base] as const);
  }),
);
/** Forms of nouns, which the table holds as well. */
const PLURAL =
  /^(?:men|women|children|people|feet|teeth|geese|mice|wives|halves|wolves|leaves|knives)$/u;
const AGENT = /^(\p{L}{4,}?)([eo])rs?$/u;
/** A short word with an ending that leaves a vowel and three letters: "named", "owns", "using". */
const SHORT = /^(?=\p{L}{0,3}[aeiouy])(\p{L}{3})(?:ed|ing|s)$/u;
const NO_ENDING = /(?:eed|ss|us|is|as|news)$/u;

/** Returns the base of an irregular form in lower case: "begin" for "began"; else the word. */
export const baseForm = (word: string): string => BASES.get(word) ?? word;

/** Returns true for a form of an irregular verb that is not its base: "grew". */
export const isIrregularForm = (word: string): boolean => BASES.has(word) && !PLURAL.test(word);

/** Returns the stem of a lower-case word by which its regular and irregular forms are equal. */
export function wordStem(word: string): string {
  const base = baseForm(word);
  const stem = stemOf(base);
  const short = NO_ENDING.test(base) ? undefined : SHORT.exec(base)?.[1];
  return (short ?? stem)
    .replace(/(?<=\p{L}{3})e$/u, '')
    .replace(/(?<=\p{L}{2}[^aeiou])y$/u, 'i')
    .replace(/([^aeiou\d])\1$/u, '$1');
}

/** Returns the stem of a lower-case word, and that of the verb behind it: "grew", "publisher". */
export function verbStems(word: string): string[] {
  const stem = wordStem(word);
  const agent = AGENT.exec(word)?.[1];
  if (agent === undefined) return [stem];
  return [...new Set([stem, wordStem(agent)])];
}

/** Returns the distinct stems of the content words of a text, with those of verbs behind them. */
export const stemsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      .filter(word => !ENGLISH_STOP_WORDS.has(word))
      .flatMap(verbStems),
  );
