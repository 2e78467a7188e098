/**
 * Determines the form of the answer that a question about documents asks for, by its words alone: a
 * number and its unit, a version, a name of a setting, a command, a definition, yes or no, or a way
 * of doing something, which no short answer gives.
 */
import { withoutCourtesy } from './courtesy.ts';
import { asksYesOrNo } from './question-type.ts';

export type ValueForm =
  | 'duration'
  | 'size'
  | 'count'
  | 'number'
  | 'price'
  | 'version'
  | 'date'
  | 'person'
  | 'place'
  | 'command'
  | 'option'
  | 'definition'
  | 'list'
  | 'value';

/** `manner`: how, why, what to do; `choice`: one of the things that the question names. */
export type AskedForm = ValueForm | 'verdict' | 'choice' | 'manner';

export interface AskedValue {
  readonly form: AskedForm;
  /** The question without the words that state its form, and without talk of defaults. */
  readonly subject: string;
  /** True if it asks for what holds while nothing is configured. */
  readonly default: boolean;
  /** The noun that is asked for: "port", "licence"; empty if none is named. */
  readonly noun: string;
}

/** States that nothing is configured. */
const DEFAULT =
  /\bunless\b[^,?.;:]*|\b(?:if|when|where|and)\s+(?:none|nothing|no [\w-]+)\s+(?:is|are|was|were|has been)\b[^,?.;:]*|\bif (?:I|you|we|one) (?:choose|set|give|specify|configure|pass|change|say|name)s? (?:none|nothing)\b|\b(?:(?:is|are) )?left (?:alone|unset|empty|unchanged)\b|\bout of the box\b|\b(?:when |while |if )?(?:unconfigured|unset|unspecified|not (?:set|given|specified|configured))\b|\bby (?:itself|themselves)\b|\bon (?:its|their) own\b|\bfrom the start\b|\b(?:by )?defaults?\b/giu;

const HEAD = String.raw`(?:^|[,:;]\s+(?:and |but )?|\band )\W*(?:(?:in|on|at|to|from|of|for|by|after|under|with|within) )?`;
const head = (words: string): RegExp => new RegExp(HEAD + String.raw`(?:${words})\b`, 'iu');

const MANNER = head(
  String.raw`how (?!(?:many|much|long|large|big|often|old|high|deep|far|fast|small|wide|frequently)\b)\w+|why|what (?:should|must|can|do|could) (?:i|you|we|one) (?:have to |need to )?do\b|what happens|what (?:does|do|did) [^,?]* do(?=\W*$)|explain|describe`,
);
const CHOICE =
  /\b(?:which|what) (?:one )?of (?:the |these |those )?(?:two|both|them|these|those)\b|\bwhich one\b|\b(?:which|who|what)\b.*[,:]\s*[^,:?]+ or [^,:?]+\?*$|^\W*compare\b/iu;
const OR = /\bor\b/iu;

/** Nouns by the form of their values; the last one of a phrase decides. */
const NOUNS: readonly (readonly [ValueForm, RegExp])[] = [
  [
    'duration',
    /^(?:time-?outs?|duration|delay|interval|period|lifetime|ttl|age|grace|time|seconds?|minutes?|hours?|days?|weeks?|milliseconds?)$/u,
  ],
  ['size', /^(?:size|bytes|kilobytes|megabytes|gigabytes|memory|mb|kb|gb)$/u],
  [
    'number',
    /^(?:port|ports|status|code|length|depth|limit|maximum|minimum|number|count|amount|concurrency|threads?|workers?|retries|connections?|percentage|rate|ratio|factor|priority|weight)$/u,
  ],
  ['version', /^(?:versions?|release|releases)$/u],
  ['date', /^(?:date|day|year|month)$/u],
  [
    'person',
    /^(?:author|authors|person|developer|maintainer|creator|founder|inventor|musician|artist|singer|writer|engineer|programmer)$/u,
  ],
  ['place', /^(?:city|country|town|place)$/u],
  ['command', /^commands?$/u],
  [
    'option',
    /^(?:options?|settings?|flags?|switch|parameters?|arguments?|variables?|property|properties|directives?|configuration|config|keyword|attribute)$/u,
  ],
];
/** Values of these nouns are words although another noun of the phrase is a number's. */
const WORDED =
  /^(?:level|levels|zone|name|names|format|type|kind|mode|method|unit|header|policy)$/u;

/** Returns the form of the value that a noun phrase names, by its last word that tells one. */
export function formOfNoun(phrase: string): ValueForm | undefined {
  const words = phrase.toLowerCase().match(/[\p{L}-]+/gu) ?? [];
  for (const word of words.toReversed()) {
    if (WORDED.test(word)) return undefined;
    const form = NOUNS.find(([, nouns]) => nouns.test(word))?.[0];
    if (form === 'number' && words.some(each => NOUNS[1]![1].test(each))) return 'size';
    if (form !== undefined) return form;
  }
  return undefined;
}

/** Words that end the noun phrase after "which", "what" or "the". */
const STOP =
  /(?:^|\s)(?=(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|might|must|of|in|on|for|from|that|which|who|to|at|with|by|between|a|an|the|i|you|we|it|its)\b)|[,:;?]|\s(?=\p{L}+(?:es|ed)\b)|$/iu;
const phraseAfter = (text: string, from: number): string => {
  const rest = text.slice(from).trimStart();
  return rest.slice(0, STOP.exec(rest)?.index ?? rest.length).trim();
};

interface Found {
  readonly form: ValueForm;
  readonly noun: string;
  /** Words that only state the form. */
  readonly said: string;
}

const MEASURES: readonly (readonly [ValueForm, RegExp])[] = [
  [
    'duration',
    /\b(?:after )?how (?:long|many (?:milli|micro)?(?:seconds|minutes|hours|days|weeks|months|years))\b/iu,
  ],
  ['size', /\bhow (?:large|big|much (?:memory|space|disk)|many (?:kilo|mega|giga)?bytes)\b/iu],
  ['count', /\bhow (?:many|much|often|frequently|deep|far|high|fast|old|wide)\b/iu],
];
const DEFINES =
  /\bwhat (?:does|do|did) (?:the )?(?:(?:word|name|term|abbreviation|acronym) )?[\w.'’"-]+(?: [\w.'’"-]+)? (?:mean|stand for)\b|^\W*(?:define\b|what(?: is|['’]s| are) (?:an? )?[\w.@/'’"-]+(?: [\w.-]+)?\?*$)/iu;
const LISTS =
  /\b(?:which|what) (?:two|three|four|five|six|several)\b|\b(?:which|what) are (?:the )?(?:\w+ )?(?:possible|allowed|available|supported|valid|accepted)\b|^\W*(?:list|name) (?:the|all|two|three|four)\b/iu;
const OLDEST = /\b(?:oldest|newest|latest|minimum|lowest|earliest|highest)\b/iu;

function measured(text: string): Found | undefined {
  if (/\bhow much\b/iu.test(text) && PRICE.test(text))
    return { form: 'price', noun: '', said: 'how much' };
  for (const [form, pattern] of MEASURES) {
    const match = pattern.exec(text);
    if (!match) continue;
    const noun = form === 'count' ? phraseAfter(text, match.index + match[0].length) : '';
    return { form, noun, said: match[0] };
  }
  return undefined;
}

/** Opens a clause; within one, "in which" relates to what stands before it. */
const WHAT =
  /(?<!\p{L}\s(?:in|on|at|to|from|of|for|by|under|with) )\b(?:which|what)\b(?:['’]s| is| are| was| were)?(?: the| an?)?(?=\s)/iu;
/** Ends a question that asks for what stands behind its last preposition. */
const OPEN_END = /\b(?:after|from|in|on|to|by|of|with|for|under|as)\s*\?*$/iu;
const PRICE = /\b(?:costs?|price|prices|charges?|fees?|pay|pays|paid|salary)\b/iu;
const DATE = /\b(?:which|what) (?:date|day|year|month)\b/iu;

function soughtNoun(text: string): Found {
  const who = /(?:^|[,:;]\s+(?:and )?|\bby )\W*(?:who|whom|whose)\b/iu.exec(text);
  if (who) return { form: 'person', noun: '', said: '' };
  const where = head('where').exec(text);
  if (where) return { form: 'place', noun: '', said: 'where' };
  const when =
    /(?:^|[,:;]\s+(?:and )?)\W*(?:since )?when (?=(?:is|was|were|did|does|do|will|has)\b)/iu.exec(
      text,
    );
  if (when) return { form: 'date', noun: '', said: when[0] };
  const what = WHAT.exec(text);
  const said = what?.[0] ?? '';
  const noun = phraseAfter(text, what ? what.index + said.length : 0);
  if (DATE.test(text)) return { form: 'date', noun, said };
  if (PRICE.test(text)) return { form: 'price', noun, said };
  const form = formOfNoun(noun);
  if (form === undefined && OLDEST.test(noun)) return { form: 'version', noun, said };
  const isBehind = /\b(?:are|is)\b/iu.test(said) && OPEN_END.test(text);
  return { form: isBehind ? 'value' : (form ?? 'value'), noun, said };
}

/** Between two questions of one sentence: ", and which ...", "? And how many ...". */
const PARTS =
  /(?:,? and |[?;] +(?:and )?)(?=(?:(?:in|on|at|to|from|after|by|for) )?(?:which|what|who|when|where|why|how)\b)/iu;

/** Returns the questions that a question asks one after the other; itself if it asks one. */
export function askedParts(question: string): string[] {
  const parts = question.split(PARTS).filter(part => /\p{L}/u.test(part));
  return parts.length === 0 ? [question] : parts;
}

/** Reads the form of a question. */
export function askedForm(question: string): AskedValue {
  const text = withoutCourtesy(question.replace(/\s+/g, ' ').trim());
  const isDefault = text.search(DEFAULT) >= 0;
  const whole = { subject: text.replace(DEFAULT, ' '), default: isDefault, noun: '' };
  if (MANNER.test(text)) return { form: 'manner', ...whole };
  if (CHOICE.test(text)) return { form: 'choice', ...whole };
  const bare = measured(text) ?? defined(text) ?? undefined;
  if (bare === undefined && opensVerdict(text))
    return { form: OR.test(whole.subject) ? 'choice' : 'verdict', ...whole };
  const { form, noun, said } = bare ?? soughtNoun(text);
  return { form, subject: text.replace(said, ' ').replace(DEFAULT, ' '), default: isDefault, noun };
}

function defined(text: string): Found | undefined {
  if (LISTS.test(text)) {
    const noun = phraseAfter(text, text.search(LISTS));
    return { form: 'list', noun, said: LISTS.exec(text)![0] };
  }
  if (!DEFINES.test(text)) return undefined;
  return { form: 'definition', noun: '', said: '' };
}

/** A noun phrase without a question word asks for a value: "Keep-alive timeout of a server". */
const opensVerdict = (text: string): boolean =>
  asksYesOrNo(text) &&
  /\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must|whether)\b/iu.test(
    text,
  );
