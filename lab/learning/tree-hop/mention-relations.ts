/**
 * Relations of a paragraph to another that it names, by the words before the name: for English.
 * The file is long since it is one table, a rule an entry; split, the order of rules would be lost.
 */
import type { MentionKind } from './mention-kinds.ts';

export interface MentionRelation {
  readonly name: string;
  /** Kinds of the naming paragraph, and of the named one. */
  readonly of: readonly MentionKind[];
  readonly to: readonly MentionKind[];
  /** Ends where the name begins. Of rules that match, the one that begins last counts. */
  readonly before: RegExp;
  /** {a}: the naming one; {b}: the noun of the named one. */
  readonly says: readonly string[];
  readonly why: string;
}

/** Other words that may stand before the name: "by American director", "by John Smith and". */
const some = (most: number): string => `(?:,? [\\p{L}\\p{N}.'’"&-]+){0,${most}},?`;
const rule = (
  name: string,
  of: readonly MentionKind[],
  to: readonly MentionKind[],
  before: string,
  says: readonly string[],
  why: string,
): MentionRelation => ({ name, of, to, before: new RegExp(`\\b(?:${before})$`, 'iu'), says, why });

const PERSON: readonly MentionKind[] = ['person'];
const WORK: readonly MentionKind[] = ['work'];
const PLACE: readonly MentionKind[] = ['place'];
const GROUP: readonly MentionKind[] = ['organisation'];
const MAKERS: readonly MentionKind[] = ['person', 'organisation'];
const ANY: readonly MentionKind[] = ['person', 'work', 'place', 'organisation', 'event', 'other'];

const of = (...roles: readonly string[]): string[] =>
  roles.flatMap(role => [`the ${role} of {a}`, `${role} of {a}`]);
const own = (...roles: readonly string[]): string[] =>
  roles.flatMap(role => [`the ${role} of {a}`, `{a}'s ${role}`]);

export const MENTION_RELATIONS: readonly MentionRelation[] = [
  rule(
    'director',
    WORK,
    PERSON,
    `(?:(?:directed|film|documentary|short)(?:,? (?:and )?[\\w-]+ed| and written)* by|directorial debut of)${some(5)}`,
    of('director'),
    'most compositions of 2Wiki',
  ),
  rule(
    'writer',
    WORK,
    PERSON,
    `(?:written|screenplay|script|penned|lyrics)(?: and [\\w-]+)? by${some(5)}`,
    of('writer'),
    'films and songs',
  ),
  rule(
    'author',
    WORK,
    PERSON,
    `(?:novel|book|poem|play|story|memoir)s?(?: \\S+)? by${some(4)}`,
    of('author'),
    'books, and what films are after',
  ),
  rule(
    'producer',
    WORK,
    PERSON,
    `produced(?: and [\\w-]+)? by${some(5)}`,
    of('producer'),
    'films and albums',
  ),
  rule(
    'composer',
    WORK,
    PERSON,
    `(?:composed|music|score|scored)(?: and [\\w-]+)? by${some(4)}`,
    of('composer'),
    'films, 2Wiki asks it',
  ),
  rule(
    'performer',
    WORK,
    MAKERS,
    `(?:performed|recorded|sung|song|single|album|ep)(?: (?:performed|recorded|released))? (?:by|from)${some(5)}`,
    of('performer', 'artist'),
    'songs and albums, 2Wiki asks it',
  ),
  rule(
    'star',
    WORK,
    PERSON,
    `(?:starring|stars|starred|featuring|features|cast)${some(40)}`,
    of('star'),
    'films',
  ),
  rule(
    'publisher',
    WORK,
    GROUP,
    `(?:published|released|distributed|issued|serialized)(?: [^.;]{0,40})? (?:by|through|on|via)${some(4)}`,
    of('publisher'),
    'records, games',
  ),
  rule(
    'broadcaster',
    WORK,
    GROUP,
    `(?:aired|airs|broadcast|shown|premiered)(?: \\S+)? (?:on|by)${some(3)}`,
    ['the network that aired {a}'],
    'series',
  ),
  rule(
    'source',
    WORK,
    WORK,
    `(?:based|adapted|adaptation)(?: \\S+)? (?:on|from|of)${some(6)}`,
    ['the {b} that {a} is based on'],
    'adaptations',
  ),
  rule(
    'sequel',
    WORK,
    WORK,
    `(?:sequel|prequel|follow-up|successor|remake) (?:to|of)${some(4)}`,
    ['the {b} that {a} follows'],
    'series of films',
  ),
  rule(
    'album',
    WORK,
    WORK,
    `(?:single|song|track|released)${some(3)} (?:from|off|on)${some(6)}`,
    ['the album that has {a}'],
    'songs of albums',
  ),
  rule(
    'founder',
    [...GROUP, ...PLACE],
    PERSON,
    `(?:founded|established|created|started|formed)(?: in \\d+)? by${some(5)}`,
    of('founder'),
    'firms, bands',
  ),
  rule(
    'creator',
    WORK,
    PERSON,
    `(?:created|developed|hosted|presented) by${some(4)}`,
    of('creator'),
    'series and games',
  ),
  rule(
    'member',
    GROUP,
    PERSON,
    `(?:members?|consist(?:s|ing)|comprising|line-up|vocalist|guitarist|drummer)${some(7)}`,
    ['the member of {a}'],
    'bands',
  ),
  rule(
    'owner',
    ANY,
    MAKERS,
    `(?:owned|operated|run|acquired|bought)(?: \\S+)? by${some(4)}`,
    of('owner'),
    'firms, places',
  ),
  rule(
    'part',
    ANY,
    GROUP,
    `(?:subsidiary|division|part|unit|imprint|member) of${some(4)}`,
    ['the {b} that {a} is part of'],
    'firms, clubs',
  ),
  rule(
    'father',
    PERSON,
    PERSON,
    `(?:son|daughter|child|children) of${some(5)}`,
    own('father', 'parent'),
    'genealogies: 2Wiki asks grandparents',
  ),
  rule(
    'mother',
    PERSON,
    PERSON,
    `(?:son|daughter|child|children) of [^.;]{2,50} (?:and|by)(?: his| her)?${some(3)}`,
    own('mother'),
    'the parent named last',
  ),
  rule(
    'child',
    PERSON,
    PERSON,
    `(?:father|mother) (?:of|to)${some(4)}`,
    own('child'),
    'genealogies the other way',
  ),
  rule(
    'spouse',
    PERSON,
    PERSON,
    `(?:married|marries|wife of|husband of|spouse|widow of|wed|marriage (?:to|with)|divorced?(?: from)?|girlfriend|boyfriend)${some(5)}`,
    own('spouse', 'wife', 'husband'),
    '2Wiki',
  ),
  rule(
    'sibling',
    PERSON,
    PERSON,
    `(?:brother|sister|sibling|twin) (?:of|to)${some(4)}`,
    own('sibling'),
    '2Wiki',
  ),
  rule(
    'relative',
    PERSON,
    PERSON,
    `(?:grandson|granddaughter|grandfather|uncle|nephew|niece|cousin) (?:of|to)${some(4)}`,
    own('relative'),
    'genealogies',
  ),
  rule(
    'birthplace',
    PERSON,
    PLACE,
    `born(?: [^.;]{0,40})? (?:in|at|near)${some(2)}`,
    of('birthplace', 'place of birth'),
    'HotpotQA',
  ),
  rule(
    'death-place',
    PERSON,
    PLACE,
    `died(?: [^.;]{0,40})? (?:in|at|near)${some(2)}`,
    of('place of death'),
    '2Wiki',
  ),
  rule(
    'school',
    PERSON,
    GROUP,
    `(?:graduated|graduate|educated|studied|attended|alumn\\w+|degree|attending)(?: [^.;]{0,30})?(?: (?:at|from|of|in))?${some(2)}`,
    ['the {b} that {a} attended', 'the alma mater of {a}'],
    'HotpotQA',
  ),
  rule(
    'band',
    PERSON,
    GROUP,
    `(?:member|vocalist|singer|guitarist|drummer|bassist|frontman|founder|leader)s? (?:of|for|in|with)${some(6)}`,
    ['the {b} of {a}', "{a}'s {b}"],
    'musicians',
  ),
  rule(
    'team',
    PERSON,
    GROUP,
    `(?:played|plays|play|signed|coached|career)(?: \\S+){0,3} (?:for|with|at|to|by)${some(12)}`,
    ['the {b} that {a} played for', "{a}'s {b}"],
    'sport',
  ),
  rule(
    'employer',
    PERSON,
    GROUP,
    `(?:works?|worked|teaches|taught|employed|professor)(?: [^.;]{0,20})? (?:for|at|by|of)${some(3)}`,
    ['the {b} where {a} worked'],
    'careers',
  ),
  rule(
    'role',
    PERSON,
    WORK,
    `(?:starred|appeared|played|role|roles|known|appearances?|debut|portray\\w+|acted|starring)(?: [^.;]{0,40})? (?:in|on|of|for|as)${some(14)}`,
    ['the {b} in which {a} appeared', 'the {b} with {a}', 'the {b} that {a} is known for'],
    'actors: HotpotQA',
  ),
  rule(
    'made',
    MAKERS,
    WORK,
    `(?:directed|wrote|composed|produced|created|recorded|released|directing|writing|author of|director of|creator of|album|single|novel|book|films? (?:such as|including|like)|works? (?:such as|including|like))${some(12)}`,
    ['the {b} by {a}', 'the {b} that {a} made'],
    'works of their makers',
  ),
  rule(
    'place',
    ANY,
    PLACE,
    `(?:located|situated|based|headquartered|lies|village|town|city|municipality|held|set|filmed|district|county|suburb|museum|school|university|river|lake|mountain|peaks?|place|headquarters|territory|community|tributary)(?: [^.;]{0,20})? (?:in|near|at|of|within)${some(3)}`,
    ['the {b} where {a} is', 'the {b} of {a}', 'the place where {a} is located'],
    'places within others: MuSiQue',
  ),
  rule(
    'head',
    [...PLACE, ...GROUP],
    PERSON,
    `(?:king|queen|emperor|duke|prince|president|chairman|ceo|mayor|governor|leader|coach|manager)${some(2)}`,
    ['the head of {a}'],
    'rulers, managers',
  ),
  rule(
    'namesake',
    ANY,
    ANY,
    `named (?:after|for|in hono\\w+ of)${some(4)}`,
    ['what {a} is named after'],
    'MuSiQue asks it',
  ),
  rule(
    'award',
    ANY,
    ['event'],
    `(?:won|winner of|received|awarded|nominated for)${some(4)}`,
    ['the {b} that {a} won'],
    'careers',
  ),
  rule(
    'event',
    ANY,
    ['event'],
    `(?:in|at|during|of|fought)${some(2)}`,
    ['the {b} that {a} took part in'],
    'wars, seasons',
  ),
  rule(
    'topic',
    WORK,
    ANY,
    `(?:about|depicts?|chronicles?|documents|portrays|biopic|biography|story of|tribute to|history of)${some(4)}`,
    ['the {b} that {a} is about'],
    'documentaries, songs',
  ),
  rule(
    'partner',
    ANY,
    PERSON,
    `(?:collaborat\\w+|worked|work|duet|partnership|together|co-\\w+|performed|toured|along|friends?) (?:with|by)${some(6)}`,
    ['the {b} who worked with {a}'],
    'careers',
  ),
  rule(
    'influence',
    ANY,
    ANY,
    `(?:influenced|inspired|influences|inspiration)(?: \\S+)? (?:by|from|of|are|include|were)${some(8)}`,
    ['the {b} that influenced {a}'],
    'artists',
  ),
  rule(
    'successor',
    ANY,
    ANY,
    `(?:succeeded|replaced|predecessor|successor|preceded|followed|replacing|succeeding)(?: (?:by|to|of))?${some(3)}`,
    ['the {b} next to {a}'],
    'rulers, offices',
  ),
  rule(
    'rival',
    ANY,
    ANY,
    `(?:defeated|defeating|against|beat|lost to|rival(?:s|ry)?)${some(3)}`,
    ['the {b} that {a} was against'],
    'sport, wars',
  ),
  rule(
    'platform',
    WORK,
    ANY,
    `(?:game|released|available|developed)(?: [^.;]{0,50})? for${some(6)}`,
    ['the {b} that {a} is for'],
    'games',
  ),
];
