/** Lists relations whose values are places, dates and properties. */
import { after, before, type Relation } from './relation.ts';

const DATE = String.raw`(?:(?:on|in) )?(?:[\p{L}]+ )?\d{1,4},?(?: [\p{L}]+)?,?(?: \d{4})?,? ?`;
const OPENING = String.raw`^[^()]{0,110}\(\s*`;

const place = (
  name: string,
  asks: RegExp,
  preceding: readonly RegExp[],
  following: readonly RegExp[] = [],
): Relation => ({
  name,
  asks,
  leads: false,
  kinds: ['name', 'adjective'],
  before: preceding,
  after: following,
});

export const VALUE_RELATIONS: readonly Relation[] = [
  place(
    'place of birth',
    /\b(?:place of birth|born|birth ?place|city of birth|hometown|home town|native|come from|gr[eo]w(?:s|n)? up|raised)\b/iu,
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
    /\b(?:died?|death|deathplace|passed away)\b/iu,
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
      `, `,
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
