/** Classifies a paragraph by the noun after "is a": rules for English encyclopaedias. */
import type { TrainingParagraph } from '../training-question.ts';

export const MENTION_KINDS = ['person', 'work', 'place', 'organisation', 'event', 'other'] as const;
export type MentionKind = (typeof MENTION_KINDS)[number];

/** Reads the kinds of a rule: names between commas, or `any`. */
export const kindsOf = (names: string): readonly MentionKind[] =>
  MENTION_KINDS.filter(kind => names === 'any' || names.split(', ').includes(kind));

export interface Subject {
  readonly kind: MentionKind;
  /** The noun in small letters: `film`, `rock band` is `band`. Empty if none is known. */
  readonly noun: string;
}

const NOUNS: readonly (readonly [kind: MentionKind, nouns: string])[] = [
  [
    'person',
    'actor|actress|singer-songwriter|singer|songwriter|rapper|musician|composer|director|producer|writer|author|novelist|poet|playwright|' +
      'screenwriter|filmmaker|politician|senator|footballer|player|coach|manager|king|queen|emperor|empress|prince|princess|duke|duchess|count|' +
      'countess|earl|baron|baroness|lord|lady|nobleman|noblewoman|monarch|ruler|pharaoh|sultan|margrave|landgrave|son|daughter|wife|husband|brother|' +
      'sister|mother|father|consort|president|minister|governor|mayor|general|admiral|officer|soldier|journalist|presenter|host|lawyer|judge|' +
      'scientist|physicist|chemist|mathematician|philosopher|painter|sculptor|artist|designer|businessman|businesswoman|entrepreneur|executive|' +
      'comedian|model|dancer|wrestler|boxer|athlete|cyclist|swimmer|driver|cricketer|bishop|saint|pope|priest|guitarist|drummer|bassist|pianist|' +
      'vocalist|dj|activist|engineer|architect|historian|professor|economist|psychologist|critic|editor|explorer|photographer|conductor|chef|man|woman|member|leader|founder|star|personality|designer|developer|filmmakers?|head|ceo|rabbi|surgeon|inventor|spy',
  ],
  [
    'work',
    'film|movie|album|song|single|novel|book|series|sitcom|show|opera|musical|play|poem|magazine|newspaper|journal|game|ep|soundtrack|memoir|' +
      'painting|comic|manga|anime|documentary|ballet|symphony|story|sequel|miniseries|trilogy|sketch|drama|comedy|thriller',
  ],
  [
    'organisation',
    'company|band|club|university|college|organi[sz]ation|team|group|school|party|label|corporation|network|channel|association|agency|institute|' +
      'duo|trio|quartet|orchestra|brand|chain|airline|publisher|league|studio|army|regiment|dynasty|conference|manufacturer|franchise|academy|ensemble|museum of art|bank|store|firm|subsidiary',
  ],
  [
    'place',
    'city|town|village|county|river|lake|district|region|country|municipality|province|island|state|capital|suburb|neighbou?rhood|mountain|commune|' +
      'settlement|borough|community|parish|airport|stadium|building|park|museum|church|castle|palace|street|road|bridge|venue|arena|station|' +
      'cemetery|theat(?:re|er)|hall|hospital|peninsula|township|republic|kingdom|continent|territory|canton|valley|bay|desert|seat|place|landmark|resort|hotel',
  ],
  [
    'event',
    'war|battle|festival|season|election|tournament|competition|award|ceremony|championship|revolution|siege|tour|race',
  ],
];

const NOUN = new RegExp(
  `\\b(?:${NOUNS.map(([kind, nouns]) => `(?<${kind}>${nouns})`).join('|')})\\b`,
  'gi',
);
/** "(born 1 May 1950)", "(1850 - 3 June 1910)", "(died 1320)". */
const LIFE =
  /\((?:[^()]*\bborn\b|[^()]*\bdied\b|[^()]{0,40}\b\d{3,4} ?[–-] ?[^()]{0,40}\b\d{3,4}\b[^()]*\))/;

/** Ends what is said at once: "a town in ...", "a film directed by ...", "a club, which ...". */
const PHRASE_END =
  /[.;(]|, (?:a|an|the|his|her|its) |\b(?:of|in|by|that|which|who|whom|whose|from|for|with|on|at|to|about|as|where|directed|written|starring|based|located|situated|released|published|produced|founded|recorded|performed|best|known)\b/;

/** The last noun of the first phrase after "is", so that a film director is no film. */
export function subjectOf({ text }: TrainingParagraph): Subject {
  const head = text.slice(0, 500);
  const is = /\b(?:is|was|are|were)\b/.exec(
    head.replace(/\([^()]*\)/g, brackets => ' '.repeat(brackets.length)),
  );
  const after = is ? head.slice(is.index + is[0].length, is.index + 160) : '';
  const phrase = after.slice(0, PHRASE_END.exec(after)?.index);
  const noun = [...phrase.matchAll(NOUN)].at(-1);
  const kind = MENTION_KINDS.find(each => noun?.groups?.[each] !== undefined) ?? 'other';
  // Years in brackets are also those of a band or of a magazine.
  if ((kind === 'other' || kind === 'place') && LIFE.test(head.slice(0, 200)))
    return { kind: 'person', noun: '' };
  return { kind, noun: (noun?.[0] ?? '').toLowerCase() };
}
