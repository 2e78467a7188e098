/** Wordings of the same question: an opening, lower case, no question mark, plain speech. */
import { drawn, mentionsOf, ofQuestions, type Perturbation, replaced } from './perturbation.ts';

const firstLower = (text: string): string => `${text[0]!.toLowerCase()}${text.slice(1)}`;
const firstUpper = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;

export const politeOpening: Perturbation = ofQuestions(
  'polite-opening',
  'opens with "Hi, could you please tell me: "',
  query => `Hi, could you please tell me: ${firstLower(query)}`,
);

export const lowerCase: Perturbation = ofQuestions('lower-case', 'all lower case', query =>
  query.toLowerCase(),
);

export const noQuestionMark: Perturbation = ofQuestions(
  'no-question-mark',
  'without its question mark',
  query => query.replace(/\s*\?\s*$/, ''),
);

const SAYS: Readonly<Record<string, string>> = {
  suggest: 'says',
  claim: 'claims',
  indicate: 'shows',
  report: 'says',
  imply: 'hints',
  state: 'says',
  mention: 'mentions',
  attribute: 'attributes',
  discuss: 'talks about',
  describe: 'describes',
  portray: 'shows',
  highlight: 'brings up',
  credit: 'credits',
};
const said = Object.keys(SAYS).join('|');
/** Stands for a source's name while rules apply. */
const NAME = '\uE000';

type Rule = readonly [pattern: RegExp, by: (groups: string[], random: () => number) => string];

/** Openings of a form that is written for a benchmark, as somebody would ask them. */
const OPENINGS: readonly Rule[] = [
  [
    /^(?:Considering|Based on)(?: the)?(?: information| updates)? (?:from |in )?(.+?), (which|who|what|whose) /,
    ([, read, asked], random) =>
      `${drawn(['I read', 'I saw', 'There was'], random)} ${read}. ${firstUpper(asked!)} `,
  ],
  [
    /^(?:Between|After|Following) (.+?), (was|were|has|have|did|does|do|is|are) /,
    ([, read, asked], random) =>
      `${drawn(['I read', 'So there was', 'I saw'], random)} ${read}. ${firstUpper(asked!)} `,
  ],
  [
    /^Who is the (?:individual|figure|person)\b,?/,
    (_, random) => drawn(["What's the name of the person", "Who's the one"], random),
  ],
  [
    /^(Who|Which|What) /,
    ([, asked], random) =>
      `${drawn(["I can't remember", 'Do you know', "I'm trying to find out"], random)} ${asked!.toLowerCase()} `,
  ],
  [
    new RegExp(`^(?:Does|Did|Do) (.+?) (${said}) (that )?`),
    ([, who, verb, that], random) =>
      `${drawn(['Is it right that', 'Is it true that'], random)} ${firstLower(who!)} ${SAYS[verb!]!} ${that ?? ''}`,
  ],
  [
    /^(Was|Were|Has|Have|Did|Does|Do|Is|Are) /,
    ([, verb], random) => `${drawn(['So', 'Quick question:'], random)} ${verb!.toLowerCase()} `,
  ],
];

/** Phrases of citation and of report, anywhere. */
const PHRASES: readonly Rule[] = [
  [
    new RegExp(
      `\\b(?:the|an?) ${NAME}(?:'s)? (?:article|report|piece|coverage|story)\\b(?! (?:of|on|about|regarding|concerning))`,
      'gi',
    ),
    () => NAME,
  ],
  [
    new RegExp(
      `\\b(?:the |an? )?(?:article|report|piece|coverage|story) (?:from|by|in) ${NAME}`,
      'gi',
    ),
    () => NAME,
  ],
  [
    new RegExp(
      `,? (?:as )?(?:reported|covered|detailed|discussed|noted|described|highlighted|mentioned|published) (?:by|in|on) (?=(?:both )?${NAME})`,
      'g',
    ),
    (_, random) => drawn([' according to ', ' in '], random),
  ],
  [/\bpublished on (\w+ \d+), \d{4}/g, ([, day]) => `from ${day}`],
  [/\b(\w+ \d{1,2}), 20\d\d\b/g, ([, day]) => day!],
  [/\bindividual\b/g, () => 'person'],
  [/\bwhile (?=\S*\uE000)/g, () => 'but '],
  [/\bremained consistent\b/g, () => 'stayed the same'],
  [/\bwas there (?:consistency|inconsistency|a change) in\b/gi, () => 'did anything change in'],
  [/\bthe portrayal of\b/g, () => 'how they describe'],
];

export const naturalWording: Perturbation = ofQuestions(
  'natural-wording',
  'openings and phrases of the benchmark replaced by plain speech, dates without their year',
  (query, random, names) => {
    const mentions = mentionsOf(query, names);
    const texts = mentions.map(({ start, end }) => query.slice(start, end));
    let text = replaced(query, mentions, () => NAME);
    const first = OPENINGS.find(([pattern]) => pattern.test(text));
    for (const [pattern, by] of [...(first ? [first] : []), ...PHRASES])
      text = text.replace(pattern, (...groups: unknown[]) =>
        by(
          groups.map(group => String(group ?? '')),
          random,
        ),
      );
    let at = 0;
    return firstUpper(text.replaceAll(NAME, () => texts[at++]!));
  },
);
