/** Questions about a named paragraph by its kind and the words of its text: for English. */
import { kindsOf, type MentionKind } from './mention-kinds.ts';
import { rulesOf } from './mention-rules.ts';

export interface MentionAttribute {
  readonly of: readonly MentionKind[];
  /** Asked only where the text has it; undefined: of all of the kind. */
  readonly shows: RegExp | undefined;
  /** {x}: words for what is asked of. */
  readonly asks: readonly string[];
}

/** A rule: kinds, where such questions are asked, and what the text shows; then the questions. */
const RULES = String.raw`
person | 2Wiki: date of birth | born[^.;]{0,20}\b\d{3,4}\b|\([^()]{0,30}\b\d{3,4} ?[–-]
  When was {x} born? / What is the date of birth of {x}? / When is {x}'s birthday?
  {x} was born in what year? / What year was {x} born?
person | 2Wiki: place of birth | \bborn\b[^.;]{0,40}\b(?:in|at) \p{Lu}|\bnative of\b
  Where was {x} born? / What is the place of birth of {x}? / In what city was {x} born?
  {x} was born in what place?
person | 2Wiki: date of death | \bdied\b|[–-] ?[^()]{0,20}\b\d{3,4}\)
  When did {x} die? / What is the date of death of {x}? / In what year did {x} die?
person | 2Wiki: place of death | \bdied\b[^.;]{0,40}\b(?:in|at) \p{Lu}
  Where did {x} die? / What is the place of death of {x}?
person | 2Wiki: cause of death | \b(?:died (?:of|from)|killed|murdered|executed|cancer|heart attack|assassinat)
  What is the cause of death of {x}? / Why did {x} die?
person | 2Wiki: place of burial | \bburied\b
  Where was {x} buried? / What is the place of burial of {x}?
person | 2Wiki: nationality
  What nationality is {x}? / Which country is {x} from? / What is the nationality of {x}?
person | 2Wiki: father | \b(?:son|daughter|child) of\b|\bfather\b
  Who is the father of {x}? / Who is {x}'s father?
person | 2Wiki: mother | \b(?:son|daughter|child) of\b[^.]{3,80}\band\b|\bmother\b
  Who is the mother of {x}? / Who is {x}'s mother?
person | 2Wiki: spouse | \b(?:married|wife|husband|spouse|widow)\b
  Who is the spouse of {x}? / Who did {x} marry? / Who was married to {x}?
person | 2Wiki: child | \b(?:father|mother|children|sons?|daughters?)\b
  Who is the child of {x}? / Who are the children of {x}?
person | 2Wiki: sibling | \b(?:brother|sister|sibling|twin)s?\b
  Who is the sibling of {x}?
person | 2Wiki: education | (?i:\b(?:graduat|educated|studied|attended|alumn|university|college))
  Where did {x} study? / Where did {x} graduate from? / Which university did {x} attend?
person | 2Wiki: employer | \b(?:professor|works (?:for|at)|worked (?:for|at)|taught)\b
  Where does {x} work at?
person | 2Wiki: award | (?i:\b(?:award|prize|medal|oscar|grammy|nominat|winning))
  What award did {x} win? / Which award did {x} receive?
person | HotpotQA: other works | \b(?:known for|films?|albums?|novels?|roles?|starr)
  What is {x} best known for? / What other work is {x} known for?
person | HotpotQA: bands | \b(?:band|group|duo|vocalist|guitarist|drummer)\b
  What band was {x} in? / {x} is a member of which band?
person | HotpotQA: teams | \b(?:plays|played|player|footballer|coach)\b
  What team does {x} play for? / Which position does {x} play?
person | HotpotQA: offices | (?i:\b(?:president|minister|mayor|senator|governor|politician|served)\b)
  What position did {x} hold? / What government position was held by {x}?
work | 2Wiki: director | \bdirected\b|\bdirector\b
  Who directed {x}? / Who is the director of {x}? / {x} was directed by who?
work | films: release | \b\d{3,4}\b
  When was {x} released? / What year did {x} come out? / {x} was released in what year?
work | writers | \b(?:written|wrote|novel by|author)\b
  Who wrote {x}? / Who is the author of {x}?
work | films: cast | \b(?:starring|stars|starred|cast)\b
  Who starred in {x}? / Who stars in {x}?
work | composers | \b(?:composed|music by|score|soundtrack)\b
  Who is the composer of {x}? / Who composed the music of {x}?
work | performers | \b(?:song|album|single|recorded|performed)\b
  Who performed {x}? / Who is the performer of {x}?
work | publishers | (?i:\b(?:published|label|records|released by|distributed)\b)
  Who published {x}? / What record label released {x}?
work | series: network | \b(?:aired|airs|network|broadcast)\b
  What network did {x} air on? / {x} aired on what channel?
work | genre and country
  What genre is {x}? / Which country is {x} from?
place | HotpotQA: population | \b(?:population|inhabitants|census)\b
  What is the population of {x}? / How many people live in {x}?
place | MuSiQue: where
  In which country is {x}? / In which county is {x} located? / Where is {x}?
  {x} is in what state?
place | MuSiQue: founding | \b(?:founded|established|incorporated|built|opened|settled)\b
  When was {x} founded? / When was {x} established? / What year was {x} built?
place, organisation | MuSiQue: name | \bnamed (?:after|for|in)\b
  What is {x} named after? / Who is {x} named after?
place | MuSiQue: size | \b(?:square|hectares|acres|km|miles|area)\b
  How large is {x}? / What is the area of {x}?
place | MuSiQue: capital | \b(?:capital|seat)\b
  What is the capital of {x}? / What is {x} the capital of?
place | stadiums | \b(?:capacity|seats|home (?:to|of))\b
  What is the capacity of {x}? / Who plays at {x}?
place | MuSiQue: waters | (?i:\b(?:river|lake|sea|coast|ocean)\b)
  What body of water is next to {x}?
organisation | firms, bands: founding | \b(?:founded|formed|established|founding)\b
  When was {x} founded? / When was {x} formed? / {x} was founded in what year?
organisation | firms: founder | \b(?:founded by|founder|formed by|established by)
  Who founded {x}? / Who is the founder of {x}?
organisation | firms: seat
  Where is {x} based? / Where are the headquarters of {x}? / Which city is {x} from?
organisation | bands: members | \b(?:members?|consist|vocal|guitar)
  Who are the members of {x}? / Who is the lead singer of {x}?
organisation | sport: league | (?i:\b(?:league|division|conference|championship)\b)
  What league does {x} play in? / What conference is {x} in?
organisation | firms: owner | \b(?:owned|subsidiary|parent)\b
  Who owns {x}? / What is the parent company of {x}?
organisation | schools: size | \b(?:students|enrol)
  How many students does {x} have?
event | events: when and where
  When was {x}? / Where was {x} held? / In what year did {x} begin?
event | events: who | \b(?:won|winner|defeated|victory)\b
  Who won {x}?
other | no kind is known
  What is {x}? / When was {x} created? / Where is {x} from? / What is {x} known for?
`;

export const MENTION_ATTRIBUTES: readonly MentionAttribute[] = rulesOf(RULES).map(
  ({ head: [kinds, , shows], lines }) => ({
    of: kindsOf(kinds!),
    shows: shows === undefined ? undefined : new RegExp(shows, 'u'),
    asks: lines.flatMap(line => line.split(' / ')),
  }),
);
