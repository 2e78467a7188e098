/** Lists relations whose values are people and things that further relations may start from. */
import { after, before, type Relation } from './relation.ts';

const LIST = String.raw`(?:the )?(?:\p{Lu}[^,.;()]{1,40}(?:,| and|, and) ){0,3}(?:\p{Ll}[\p{L}-]* ){0,3}`;
const by = (verbs: string): RegExp[] =>
  before(String.raw`\b(?:${verbs})(?:,? \p{Ll}+){0,4}? by ${LIST}`);
const person = (
  name: string,
  asks: RegExp,
  preceding: readonly RegExp[],
  following: readonly RegExp[] = [],
): Relation => ({ name, asks, leads: true, kinds: ['name'], before: preceding, after: following });
export const LEADING_RELATIONS: readonly Relation[] = [
  person(
    'director',
    /\b(?:directors?|directed|filmmaker)\b/iu,
    [
      ...by('directed|film|movie|drama|comedy|thriller|western|documentary|written'),
      ...before(String.raw`\bdirectors? (?:is |was )?`, String.raw`\bdirection of `),
    ],
    after(
      String.raw`(?:’s|'s) (?:\p{L}+ ){0,4}(?:film|movie|drama|comedy)`,
      ',? (?:who )?directed',
    ),
  ),
  person(
    'performer',
    /\b(?:performers?|performed|singers?|sung|sang|recorded|artist|musician|band)\b/iu,
    [
      ...by('performed|sung|recorded|released|song|single|album|track|ballad|hit'),
      ...before(
        String.raw`\b(?:song|single|album|track|EP)(?: \p{Ll}+){0,2} (?:by|from|of)(?: \p{L}[\p{L}-]*){0,6} `,
        String.raw`\b(?:singer|band|duo|group|musician|artist|rapper)(?: and \p{Ll}+)? `,
      ),
    ],
    after(String.raw`(?:’s|'s) (?:\p{L}+ ){0,5}(?:album|single|song)`),
  ),
  person(
    'composer',
    /\b(?:composers?|composed|music|score|soundtrack)\b/iu,
    [...by('composed|music|score|scored|soundtrack|songs'), ...before(String.raw`\bcomposers? `)],
    after(' (?:\\p{Ll}+ )?composed'),
  ),
  person(
    'author',
    /\b(?:authors?|wrote|written|writers?|novelist|screenwriter|poet)\b/iu,
    [
      ...by('written|authored|penned|novel|book|play|poem|story|series|screenplay|based'),
      ...before(String.raw`\b(?:author|writer|novelist|poet|playwright) `),
    ],
    after(
      ' (?:\\p{Ll}+ )?(?:wrote|authored)',
      String.raw`(?:’s|'s) (?:\p{L}+ ){0,3}(?:novel|book|play|poem)`,
    ),
  ),
  person('producer', /\b(?:producers?|produced)\b/iu, [
    ...by('produced|production'),
    ...before(String.raw`\bproducers? `),
  ]),
  person(
    'father',
    /\b(?:father|dad)\b/iu,
    before(
      String.raw`\b(?:sons?|daughters?|child|children|heir|heiress|issue|offspring) (?:of|to)(?: \p{Ll}+){0,4} `,
      String.raw`\bborn to (?:\p{Ll}+ ){0,3}`,
      String.raw`\bfather(?:,| was| is| of)?(?: \p{Ll}+){0,3} `,
      String.raw`\bfather `,
    ),
    after(String.raw`,? (?:and )?(?:his|her) (?:\p{Ll}+ )?(?:wife|consort)`),
  ),
  person(
    'mother',
    /\b(?:mother|mom)\b/iu,
    before(
      String.raw`\b(?:sons?|daughters?|child|children|heir|issue|offspring) (?:of|to) .{3,90}? (?:and|by|with)(?: \p{Ll}+,?){0,5} `,
      String.raw`\bborn to .{3,60}? and(?: \p{Ll}+,?){0,4} `,
      String.raw`\bmother(?:,| was| is| of)?(?: \p{Ll}+){0,3} `,
      String.raw`\bmother `,
      String.raw`\bby (?:his|her) (?:\p{Ll}+ )?(?:wife|marriage),?(?: to)? `,
    ),
  ),
  person(
    'spouse',
    /\b(?:spouse|husband|wife|widow|widower|married|marry|partner|consort)\b/iu,
    before(
      String.raw`\bmarried(?: to)?(?: \p{Ll}+){0,4} `,
      String.raw`\b(?:wife|husband|spouse|widow|consort|queen|partner|widower)(?: of|,| was| is| to)?(?: \p{Ll}+){0,3} `,
      String.raw`\b(?:marriage|married|wedded) (?:to|with) (?:\p{Ll}+ ){0,3}`,
    ),
    after(String.raw`,? (?:his|her|whose) (?:\p{Ll}+ )?(?:wife|husband)`, ' married\\b'),
  ),
  person(
    'child',
    /\b(?:child|children|sons?|daughters?)\b/iu,
    before(
      String.raw`\b(?:[Hh]is|[Hh]er|[Tt]heir|whose|eldest|only) (?:\p{Ll}+ )?(?:son|daughter|child|children)(?: was| is|,)?(?: \p{Ll}+){0,2} `,
      String.raw`\b(?:father|mother|parents?)(?: \p{Ll}+){0,3} of(?: \p{Ll}+){0,3} `,
    ),
  ),
  person(
    'sibling',
    /\b(?:brother|sister|siblings?|twin)\b/iu,
    before(
      String.raw`\b(?:brothers?|sisters?|siblings?|twin)(?: of| was| is|,)?(?: \p{Ll}+){0,3} `,
    ),
  ),
  person(
    'founder',
    /\b(?:founders?|founded|created|creators?|started|established|invented|inventor)\b/iu,
    [
      ...by('founded|established|created|formed|started|invented|designed'),
      ...before(String.raw`\b(?:founder|creator|inventor) `),
    ],
    after(',? (?:who )?(?:\\p{Ll}+ )?(?:founded|established|created|invented|formed)'),
  ),
  person(
    'architect',
    /\b(?:architects?|designed|designers?|restored|restorer|rebuilt)\b/iu,
    [
      ...by('designed|restored|rebuilt|renovated|converted|drawn'),
      ...before(String.raw`\b(?:architects?|designers?) (?:is |was )?`),
    ],
    after(',? (?:who )?(?:has |had )?(?:designed|restored|rebuilt|renovated|turned|converted)'),
  ),
  person(
    'publisher',
    /\b(?:publishe[rd]|developer|developed|manufacture[rd]|distributed|distributor|compan(?:y|ies)|label|studio|network|owner|owned)\b/iu,
    [
      ...by(
        'published|developed|manufactured|distributed|released|owned|operated|made|built|produced|acquired|bought',
      ),
    ],
  ),
  person(
    'performer of a part',
    /\b(?:played|plays|portray(?:s|ed)|actor|actress|starred|stars|starring|voic(?:e|ed)|cast)\b/iu,
    [
      ...by('played|portrayed|voic(?:ed)'),
      ...before(
        String.raw`\b(?:starring|stars|starred|features?|featuring|cast|actor|actress) ${LIST}`,
      ),
    ],
    after(',? (?:who )?(?:played|portray(?:s|ed)|starred|as\\b)'),
  ),
];
