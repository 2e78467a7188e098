/**
 * Lists relations as data: the words by which questions ask for them, the kind of their values, and
 * the texts before and after a value that state them.
 *
 * A pattern of `before` ends where the value starts, one of `after` starts where the value ends. A
 * list of names may stand between ("directed by A and B").
 */
export type ValueKind = 'name' | 'time' | 'number' | 'adjective' | 'noun';

export interface Relation {
  readonly name: string;
  readonly asks: RegExp;
  /** True if its value is a person or thing of its own, which further relations may start from. */
  readonly leads: boolean;
  readonly kinds: readonly ValueKind[];
  readonly before: readonly RegExp[];
  readonly after: readonly RegExp[];
  /** True if the first sentence of a passage alone states it in this form. */
  readonly lead?: readonly RegExp[];
}

const LIST = String.raw`(?:the )?(?:\p{Lu}[^,.;()]{1,40}(?:,| and|, and) ){0,3}(?:\p{Ll}[\p{L}-]* ){0,3}`;
const before = (...sources: readonly string[]): RegExp[] =>
  sources.map(source => new RegExp(`${source}$`, 'u'));
const after = (...sources: readonly string[]): RegExp[] =>
  sources.map(source => new RegExp(`^${source}`, 'u'));
const by = (verbs: string): RegExp[] =>
  before(String.raw`\b(?:${verbs})(?:,? \p{Ll}+){0,4}? by ${LIST}`);
const DATE = String.raw`(?:(?:on|in) )?(?:[\p{L}]+ )?\d{1,4},?(?: [\p{L}]+)?,?(?: \d{4})?,? ?`;
const OPENING = String.raw`^[^()]{0,110}\(\s*`;

const person = (
  name: string,
  asks: RegExp,
  own: readonly RegExp[],
  following: readonly RegExp[] = [],
): Relation => ({
  name,
  asks,
  leads: true,
  kinds: ['name'],
  before: own,
  after: following,
});
const place = (
  name: string,
  asks: RegExp,
  own: readonly RegExp[],
  following: readonly RegExp[] = [],
): Relation => ({
  name,
  asks,
  leads: false,
  kinds: ['name', 'adjective'],
  before: own,
  after: following,
});

export const RELATIONS: readonly Relation[] = [
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
    after(String.raw`(?:’s|'s) (?:\p{L}+ ){0,5}(?:album|single|song|EP)`),
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
      String.raw`\b(?:his|her|their|whose|eldest|only) (?:\p{Ll}+ )?(?:son|daughter|child|children)(?: was| is|,)?(?: \p{Ll}+){0,2} `,
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
    'publisher',
    /\b(?:publishe[rd]|developer|developed|manufacture[rd]|distribute[d]|distributor|compan(?:y|ies)|label|studio|network|owner|owned)\b/iu,
    [
      ...by(
        'published|developed|manufactured|distributed|released|owned|operated|made|built|produced|acquired|bought',
      ),
    ],
  ),
  person(
    'performer of a part',
    /\b(?:played|plays|portray(?:s|ed)|actor|actress|starred|stars|starring|voiced?|cast)\b/iu,
    [
      ...by('played|portrayed|voiced'),
      ...before(
        String.raw`\b(?:starring|stars|starred|features?|featuring|cast|actor|actress) ${LIST}`,
      ),
    ],
    after(',? (?:who )?(?:played|portray(?:s|ed)|starred|as\\b)'),
  ),
  place(
    'place of birth',
    /\b(?:place of birth|birthplace|born|birth ?place|city of birth|hometown|home town|native|come from)\b/iu,
    before(
      String.raw`\bborn(?: and raised| \p{Ll}+)? ${DATE}(?:in|at|near) (?:the )?(?:\p{Ll}+ ){0,3}`,
      String.raw`\bborn(?: and raised)? (?:in|at|near) (?:the )?(?:\p{Ll}+ ){0,3}`,
      String.raw`\bborn(?:,? (?!died|and died)[\p{L}\d’'-]+){1,6},? (?:in|at) `,
      String.raw`\(\s*(?:[^()–—-]{0,60}[;,] )?(?:born )?[^()–—-]{0,30}\d{4},? (?:in )?(?:\p{Ll}+ )?`,
      String.raw`\b(?:native of|hail(?:s|ed|ing) from|grew up in|raised in) (?:the )?`,
    ),
    after('-? ?born\\b'),
  ),
  place(
    'place of death',
    /\b(?:place of death|died?|death|deathplace|passed away)\b/iu,
    before(
      String.raw`\b(?:died|death|assassinated|killed|executed|drowned|passed away)[^.;()]{0,50}? (?:in|at|near) (?:the |his |her )?(?:\p{Ll}+ ){0,3}`,
      String.raw`\([^()]*\d[^()]*[–—-]\s*(?:died )?[^()–—-]{0,30}\d{4},? (?:in |at )?(?:\p{Ll}+ )?`,
    ),
  ),
  place(
    'place of burial',
    /\b(?:buried|burial|interred|entombed)\b/iu,
    before(
      String.raw`\b(?:buried|interred|entombed|burial|laid to rest|tomb)[^.;]{0,40}? (?:in|at|near) (?:the )?`,
    ),
  ),
  place(
    'location',
    /\b(?:located|location|situated|based|headquarter\w*|headquarters|city|town|county|state|country|province|district|where)\b/iu,
    before(
      String.raw`\b(?:located|situated|based|headquartered|lies|lying|found|held|set|founded|formed|headquarters)(?: \p{Ll}+){0,4} (?:in|at|on|near|within|of) (?:the )?(?:\p{Ll}+ ){0,3}`,
      String.raw`\b(?:is|was|are) an? [^.;]{0,70}? (?:in|of|from|near) (?:the )?(?:\p{Ll}+ ){0,3}`,
      String.raw`, `,
    ),
  ),
  place(
    'education',
    /\b(?:graduated?|alma mater|educated|studied|study|attend(?:ed)?|university|college|school)\b/iu,
    before(
      String.raw`\b(?:graduated|graduate|educated|studied|attended|degree|alumn\p{Ll}+|enrolled|student|education|doctorate|BA|MA|PhD)(?: [\p{L}]+){0,6}? (?:at|from|of) (?:the )?`,
      String.raw`\battended (?:the )?`,
    ),
  ),
  place(
    'employer',
    /\b(?:employer|work(?:s|ed)?|employed|team|club|played for|plays for|member)\b/iu,
    before(
      String.raw`\b(?:works?|worked|working|employed|plays?|played|professor|professorship|member|career|coach\p{Ll}*|position)(?: \p{L}+){0,6}? (?:for|at|of|by|with|in) (?:the )?`,
    ),
  ),
  {
    name: 'award',
    leads: false,
    asks: /\b(?:awards?|prize|medal|honou?r|won|received)\b/iu,
    kinds: ['name'],
    before: before(
      String.raw`\b(?:won|win|winner of|received|awarded|receiving|winning|recipient of|honou?red with|nominated for)(?: \p{Ll}+){0,3} `,
    ),
    after: [],
  },
  {
    name: 'date of birth',
    leads: false,
    asks: /\b(?:born|birth|birthday|birthdate|older|younger|elder|youngest|oldest|age)\b/iu,
    kinds: ['time'],
    before: before(
      String.raw`\b[Bb]orn(?: \p{Ll}+| \p{Lu}[^,.;()]{1,40})?,?(?: on| in| at| [\p{L}]+ in| circa| c\.| around| about)*,? (?:c\.? ?)?`,
    ),
    after: [],
    lead: before(String.raw`${OPENING}(?:[^()–—\d]*)`),
  },
  {
    name: 'date of death',
    leads: false,
    asks: /\b(?:died?|death|dies|dead|lived longer|pass(?:ed)? away)\b/iu,
    kinds: ['time'],
    before: before(
      String.raw`\b(?:died|death|assassinated|killed|executed|d\.|passed away|deceased)[^.;()]{0,40}? ?(?:on|in|c\.)? `,
    ),
    after: [],
    lead: before(String.raw`${OPENING}[^()]*\d[^()]*?(?:[–—-]|\bdied)\s*(?:[^()\d]{0,16})`),
  },
  {
    name: 'date of release',
    leads: false,
    asks: /\b(?:released?|came out|published|premiered?|publication|aired|older|debut(?:ed)?|come out|earlier|later|first|recent(?:ly)?)\b/iu,
    kinds: ['time'],
    before: before(
      String.raw`\b(?:released|premiered|published|aired|opened|debuted|broadcast|issued|airing|launched|release)[^.;]{0,50}? (?:on|in|of|since|from|during) (?:the )?`,
    ),
    after: after(
      String.raw` (?:\p{L}[\p{L}-]*,? ){0,7}(?:film|movie|album|song|single|novel|book|series|comedy|drama|documentary|game|magazine|musical|play)\b`,
    ),
    lead: before(String.raw`\b(?:is|was|are) an? (?:\p{L}+ )?`, OPENING),
  },
  {
    name: 'date of founding',
    leads: false,
    asks: /\b(?:found(?:ed|ing)|established|formed|started|began|begin|launched|created|opened|built|inception|first|older|earlier|started|begun|constructed|completed|old)\b/iu,
    kinds: ['time'],
    before: before(
      String.raw`\b(?:founded|established|formed|started|began|launched|created|opened|built|incorporated|begun|constructed|completed|organized|since|inception|chartered)[^.;]{0,50}? ?(?:in|on|since|of|from|during|around) (?:the )?(?:\p{Ll}+ )?`,
      String.raw`\bsince `,
    ),
    after: [],
    lead: before(OPENING),
  },
  {
    name: 'cause of death',
    leads: false,
    asks: /\b(?:cause of death|why did|how did)\b/iu,
    kinds: ['noun', 'name'],
    before: before(
      String.raw`\b(?:died|death|dying|killed|succumbed)[^.;]{0,40}? (?:of|from|by|in|to|after) (?:an? |the |his |her )?`,
    ),
    after: [],
  },
  {
    name: 'nationality',
    leads: false,
    asks: /\b(?:nationalit(?:y|ies)|country|countries|nation|citizen\w*|american|british)\b/iu,
    kinds: ['adjective'],
    before: [],
    after: [],
    lead: before(
      String.raw`\b(?:is|was|are|were) an? (?:\p{L}[\p{L}-]*,? ){0,2}`,
      String.raw`\b(?:is|was) (?:the |one of the )?(?:\p{L}[\p{L}-]* ){0,3}`,
    ),
  },
];

/** Relations that are chains of two others, from the question's entity on. */
export const COMPOSED: readonly { readonly asks: RegExp; readonly chain: readonly string[] }[] = [
  { asks: /\bpaternal grandfather\b/iu, chain: ['father', 'father'] },
  { asks: /\bpaternal grandmother\b/iu, chain: ['father', 'mother'] },
  { asks: /\bmaternal grandfather\b/iu, chain: ['mother', 'father'] },
  { asks: /\bmaternal grandmother\b/iu, chain: ['mother', 'mother'] },
  { asks: /\bgrandfather\b/iu, chain: ['father', 'father'] },
  { asks: /\bgrandmother\b/iu, chain: ['father', 'mother'] },
  { asks: /\bgrand(?:child|son|daughter)\b/iu, chain: ['child', 'child'] },
  { asks: /\bfather[- ]in[- ]law\b/iu, chain: ['spouse', 'father'] },
  { asks: /\bmother[- ]in[- ]law\b/iu, chain: ['spouse', 'mother'] },
  { asks: /\b(?:sibling|brother|sister)[- ]in[- ]law\b/iu, chain: ['spouse', 'sibling'] },
  { asks: /\b(?:child|son|daughter)[- ]in[- ]law\b/iu, chain: ['child', 'spouse'] },
  { asks: /\b(?:uncle|aunt)\b/iu, chain: ['father', 'sibling'] },
  { asks: /\bstep[- ]?mother\b/iu, chain: ['father', 'spouse'] },
  { asks: /\bstep[- ]?father\b/iu, chain: ['mother', 'spouse'] },
  { asks: /\bco-?(?:husband|wife)\b/iu, chain: ['spouse', 'spouse'] },
  { asks: /\b(?:nephew|niece)\b/iu, chain: ['sibling', 'child'] },
];
