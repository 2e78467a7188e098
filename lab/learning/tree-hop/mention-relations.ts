/** Relations of a paragraph to another that it names, by the words before the name: for English. */
import { kindsOf, type MentionKind } from './mention-kinds.ts';
import { rulesOf } from './mention-rules.ts';

export interface MentionRelation {
  readonly name: string;
  /** Kinds of the naming paragraph, and of the paragraph that it names. */
  readonly of: readonly MentionKind[];
  readonly to: readonly MentionKind[];
  /** Ends where the name begins. Of rules that match, the one that begins last counts. */
  readonly before: RegExp;
  /** {a}: the naming one; {b}: the noun of the named one. */
  readonly says: readonly string[];
}

/**
 * A rule: its name, the kinds, and where it is met; the words before the name, <5> for up to five
 * others, as in "by American director"; then what it says.
 */
const RULES = String.raw`
director | work > person | most compositions of 2Wiki
  (?:(?:directed|film|documentary|short)(?:,? (?:and )?[\w-]+ed| and written)* by|directorial debut of)<5>
  the director of {a} / director of {a}
writer | work > person | films and songs
  (?:written|screenplay|script|penned|lyrics)(?: and [\w-]+)? by<5>
  the writer of {a} / writer of {a}
author | work > person | books, and what films are after
  (?:novel|book|poem|play|story|memoir)s?(?: \S+)? by<4>
  the author of {a} / author of {a}
producer | work > person | films and albums
  produced(?: and [\w-]+)? by<5>
  the producer of {a} / producer of {a}
composer | work > person | films, 2Wiki asks it
  (?:composed|music|score|scored)(?: and [\w-]+)? by<4>
  the composer of {a} / composer of {a}
performer | work > person, organisation | songs and albums, 2Wiki asks it
  (?:performed|recorded|sung|song|single|album|ep)(?: (?:performed|recorded|released))? (?:by|from)<5>
  the performer of {a} / performer of {a} / the artist of {a} / artist of {a}
star | work > person | films
  (?:starring|stars|starred|featuring|features|cast)<40>
  the star of {a} / star of {a}
publisher | work > organisation | records, games
  (?:published|released|distributed|issued|serialized)(?: [^.;]{0,40})? (?:by|through|on|via)<4>
  the publisher of {a} / publisher of {a}
broadcaster | work > organisation | series
  (?:aired|airs|broadcast|shown|premiered)(?: \S+)? (?:on|by)<3>
  the network that aired {a}
source | work > work | adaptations
  (?:based|adapted|adaptation)(?: \S+)? (?:on|from|of)<6>
  the {b} that {a} is based on
sequel | work > work | series of films
  (?:sequel|prequel|follow-up|successor|remake) (?:to|of)<4>
  the {b} that {a} follows
album | work > work | songs of albums
  (?:single|song|track|released)<3> (?:from|off|on)<6>
  the album that has {a}
founder | organisation, place > person | firms, bands
  (?:founded|established|created|started|formed)(?: in \d+)? by<5>
  the founder of {a} / founder of {a}
creator | work > person | series and games
  (?:created|developed|hosted|presented) by<4>
  the creator of {a} / creator of {a}
member | organisation > person | bands
  (?:members?|consist(?:s|ing)|comprising|line-up|vocalist|guitarist|drummer)<7>
  the member of {a}
owner | any > person, organisation | firms, places
  (?:owned|operated|run|acquired|bought)(?: \S+)? by<4>
  the owner of {a} / owner of {a}
part | any > organisation | firms, clubs
  (?:subsidiary|division|part|unit|imprint|member) of<4>
  the {b} that {a} is part of
father | person > person | genealogies: 2Wiki asks grandparents
  (?:son|daughter|child|children) of<5>
  the father of {a} / {a}'s father / the parent of {a} / {a}'s parent
mother | person > person | the parent named last
  (?:son|daughter|child|children) of [^.;]{2,50} (?:and|by)(?: his| her)?<3>
  the mother of {a} / {a}'s mother
child | person > person | genealogies the other way
  (?:father|mother) (?:of|to)<4>
  the child of {a} / {a}'s child
spouse | person > person | 2Wiki
  (?:married|marries|wife of|husband of|spouse|widow of|wed|marriage (?:to|with)|divorced?(?: from)?|girlfriend|boyfriend)<5>
  the spouse of {a} / {a}'s spouse / the wife of {a} / {a}'s wife / the husband of {a}
  {a}'s husband
sibling | person > person | 2Wiki
  (?:brother|sister|sibling|twin) (?:of|to)<4>
  the sibling of {a} / {a}'s sibling
relative | person > person | genealogies
  (?:grandson|granddaughter|grandfather|uncle|nephew|niece|cousin) (?:of|to)<4>
  the relative of {a} / {a}'s relative
birthplace | person > place | HotpotQA
  born(?: [^.;]{0,40})? (?:in|at|near)<2>
  the birthplace of {a} / birthplace of {a} / the place of birth of {a} / place of birth of {a}
death-place | person > place | 2Wiki
  died(?: [^.;]{0,40})? (?:in|at|near)<2>
  the place of death of {a} / place of death of {a}
school | person > organisation | HotpotQA
  (?:graduated|graduate|educated|studied|attended|alumn\w+|degree|attending)(?: [^.;]{0,30})?(?: (?:at|from|of|in))?<2>
  the {b} that {a} attended / the alma mater of {a}
band | person > organisation | musicians
  (?:member|vocalist|singer|guitarist|drummer|bassist|frontman|founder|leader)s? (?:of|for|in|with)<6>
  the {b} of {a} / {a}'s {b}
team | person > organisation | sport
  (?:played|plays|play|signed|coached|career)(?: \S+){0,3} (?:for|with|at|to|by)<12>
  the {b} that {a} played for / {a}'s {b}
employer | person > organisation | careers
  (?:works?|worked|teaches|taught|employed|professor)(?: [^.;]{0,20})? (?:for|at|by|of)<3>
  the {b} where {a} worked
role | person > work | actors: HotpotQA
  (?:starred|appeared|played|role|roles|known|appearances?|debut|portray\w+|acted|starring)(?: [^.;]{0,40})? (?:in|on|of|for|as)<14>
  the {b} in which {a} appeared / the {b} with {a} / the {b} that {a} is known for
made | person, organisation > work | works of their makers
  (?:directed|wrote|composed|produced|created|recorded|released|directing|writing|author of|director of|creator of|album|single|novel|book|films? (?:such as|including|like)|works? (?:such as|including|like))<12>
  the {b} by {a} / the {b} that {a} made
place | any > place | places within others: MuSiQue
  (?:located|situated|based|headquartered|lies|village|town|city|municipality|held|set|filmed|district|county|suburb|museum|school|university|river|lake|mountain|peaks?|place|headquarters|territory|community|tributary)(?: [^.;]{0,20})? (?:in|near|at|of|within)<3>
  the {b} where {a} is / the {b} of {a} / the place where {a} is located
head | place, organisation > person | rulers, managers
  (?:king|queen|emperor|duke|prince|president|chairman|ceo|mayor|governor|leader|coach|manager)<2>
  the head of {a}
namesake | any > any | MuSiQue asks it
  named (?:after|for|in hono\w+ of)<4>
  what {a} is named after
award | any > event | careers
  (?:won|winner of|received|awarded|nominated for)<4>
  the {b} that {a} won
event | any > event | wars, seasons
  (?:in|at|during|of|fought)<2>
  the {b} that {a} took part in
topic | work > any | documentaries, songs
  (?:about|depicts?|chronicles?|documents|portrays|biopic|biography|story of|tribute to|history of)<4>
  the {b} that {a} is about
partner | any > person | careers
  (?:collaborat\w+|worked|work|duet|partnership|together|co-\w+|performed|toured|along|friends?) (?:with|by)<6>
  the {b} who worked with {a}
influence | any > any | artists
  (?:influenced|inspired|influences|inspiration)(?: \S+)? (?:by|from|of|are|include|were)<8>
  the {b} that influenced {a}
successor | any > any | rulers, offices
  (?:succeeded|replaced|predecessor|successor|preceded|followed|replacing|succeeding)(?: (?:by|to|of))?<3>
  the {b} next to {a}
rival | any > any | sport, wars
  (?:defeated|defeating|against|beat|lost to|rival(?:s|ry)?)<3>
  the {b} that {a} was against
platform | work > any | games
  (?:game|released|available|developed)(?: [^.;]{0,50})? for<6>
  the {b} that {a} is for
`;

const other = (most: string): string => `(?:,? [\\p{L}\\p{N}.'’"&-]+){0,${most}},?`;

export const MENTION_RELATIONS: readonly MentionRelation[] = rulesOf(RULES).map(
  ({ head: [name, kinds], lines: [words, ...says] }) => {
    const [of, to] = kinds!.split(' > ').map(kindsOf);
    const before = words!.replaceAll(/<(\d+)>/g, (_, most: string) => other(most));
    return {
      name: name!,
      of: of!,
      to: to!,
      before: new RegExp(`\\b(?:${before})$`, 'iu'),
      says: says.flatMap(line => line.split(' / ')),
    };
  },
);
