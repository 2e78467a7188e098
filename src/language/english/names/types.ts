/**
 * Names coarse types of things, the nouns that call them, and how names of a type end: what a
 * question asks for and what the evidence calls a name are compared by them.
 */
import { wordStem } from '../words/verb-forms.ts';

export type TypeName =
  | 'person'
  | 'place'
  | 'organisation'
  | 'team'
  | 'building'
  | 'work'
  | 'event'
  | 'vessel'
  | 'award'
  | 'language'
  | 'creature';

/** Nouns by type; some belong to several. */
const NOUNS: Readonly<Record<TypeName, string>> = {
  person:
    'person actor actress director singer author writer player man woman politician president king queen coach musician composer artist guitarist drummer bassist rapper founder individual scientist poet novelist businessman businesswoman leader architect comedian producer athlete golfer footballer quarterback emperor father mother wife husband spouse son daughter brother sister screenwriter playwright philosopher general senator governor mayor designer host star figure boy girl professor lawyer judge journalist priest bishop saint prince princess duke duchess earl count baron lord lady knight engineer inventor explorer historian economist physicist chemist mathematician biologist botanist physician doctor surgeon nurse officer soldier pilot captain commander admiral minister chancellor ambassador diplomat activist teacher curator editor critic painter sculptor photographer filmmaker dancer choreographer model wrestler boxer cricketer swimmer cyclist runner skater skier driver jockey pitcher outfielder goalkeeper defender midfielder striker forward guard linebacker keeper chef entrepreneur executive chairman banker merchant farmer widow heir heiress monarch pope nobleman noblewoman statesman songwriter vocalist frontman pianist violinist conductor lyricist cinematographer animator cartoonist illustrator translator theologian missionary spy criminal killer',
  place:
    'city country state county town village region province district place location island continent neighbourhood neighborhood nation borough area suburb birthplace hometown municipality capital river lake mountain bay sea ocean desert valley peninsula community township parish settlement prefecture republic kingdom empire territory commune peak waterfall harbour harbor port street road highway park forest canal strait creek hill coast beach reef glacier volcano',
  organisation:
    'company firm organisation organization corporation publisher bank agency business brand manufacturer developer distributor label studio network channel platform retailer airline startup institution institute university college school museum hospital party government newspaper magazine journal employer association society foundation union council committee ministry department court army navy force church order chain subsidiary conglomerate charity cooperative broadcaster station group operator brewery academy',
  team: 'team club side squad franchise band group duo trio quartet orchestra league ensemble choir crew',
  building:
    'building house hall stadium arena tower church cathedral castle theatre theater station bridge hotel palace airport temple mosque monastery abbey fort fortress prison skyscraper mansion lighthouse pier museum library cinema ground venue school hospital mall tunnel',
  work: 'film movie song album book novel series show play game opera poem musical single television sitcom documentary track comic episode soundtrack manga anime franchise painting sculpture ballet symphony memoir biography anthology magazine newspaper treaty act law software programme program',
  event:
    'event war battle festival tournament competition championship season race election campaign conflict rebellion revolution revolt siege invasion crash disaster match tour expedition conference summit ceremony holiday massacre treaty game cup olympics',
  vessel:
    'ship boat vessel aircraft plane car vehicle train brig submarine ferry airliner helicopter rocket spacecraft satellite destroyer cruiser carrier yacht locomotive bomber fighter tug',
  award: 'award prize medal title honour honor trophy cup scholarship',
  language: 'language dialect alphabet script tongue',
  creature:
    'species genus plant animal bird fish insect dog horse cat breed family tree flower snake lizard spider beetle moth dinosaur cereal dish cheese drink sandwich',
};

const TYPES_OF_NOUNS: ReadonlyMap<string, readonly TypeName[]> = (() => {
  const types = new Map<string, TypeName[]>();
  for (const [type, nouns] of Object.entries(NOUNS) as [TypeName, string][])
    for (const stem of new Set(nouns.split(' ').map(wordStem)))
      types.set(stem, [...(types.get(stem) ?? []), type]);
  return types;
})();

/** Returns the types of things that a noun calls, by its stem; empty if none is known. */
export const typesOfNoun = (stem: string): readonly TypeName[] => TYPES_OF_NOUNS.get(stem) ?? [];

/** Last words of names that tell a type and are no common noun of it, in lower case. */
const ENDINGS: Readonly<Record<string, TypeName>> = Object.fromEntries([
  ...'inc corp ltd co records pictures entertainment press industries'
    .split(' ')
    .map(word => [word, 'organisation'] as const),
  ...'fc united rovers athletic'.split(' ').map(word => [word, 'team'] as const),
  ...'jr sr'.split(' ').map(word => [word, 'person'] as const),
]);

/** Returns the types that the last word of a name tells. */
export function typesOfEnding(name: string): readonly TypeName[] {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const last = words.at(-1);
  if (last === undefined || words.length < 2) return [];
  const ending = ENDINGS[last];
  // "Jack King" is called no king: nouns for persons are family names as well.
  return ending ? [ending] : typesOfNoun(wordStem(last)).filter(type => type !== 'person');
}

/** Given names in English texts, of many origins. */
const GIVEN = `
aaron abdul abraham adam adrian agnes ahmed alan albert alec alex alexander alexandra alexis alfred ali alice alison allan allen amanda amy ana andrea andreas andrew andy angela anita ann anna anne annie anthony antoine antonio arnold arthur audrey august
barbara barry beatrice ben benjamin bernard bert beth betty bill billy bob bobby boris brad brandon brenda brian bruce bryan carl carla carlo carlos carmen carol caroline catherine cecil charles charlie charlotte chester chris christian christina christine christopher claire clara clarence claude clifford clyde colin connie craig curtis cynthia
dale dan daniel danny david dean deborah denis dennis derek diana diane dick dmitri dolores don donald donna doris dorothy doug douglas duncan dustin dwight earl eddie edgar edith edmund edna eduardo edward edwin eileen elaine eleanor elena eli elijah elisabeth elizabeth ella ellen elmer elsie emil emily emma enrique eric erica erik ernest esther ethan ethel eugene eva evelyn
felix fernando florence floyd frances francesco francis francisco frank franklin franz fred freddie frederick friedrich gabriel gary gene geoffrey george georges gerald gerard giovanni giuseppe gladys glen glenn gloria gordon grace graham greg gregory guy hans harold harriet harry harvey heather hector helen henri henry herbert herman howard hubert hugh hugo ian ida igor ingrid irene isaac isabel ivan
jack jackie jacob jacques jake james jamie jan jane janet janice jason jay jean jeff jeffrey jennifer jeremy jerome jerry jesse jessica jesus jill jim jimmy joan joe joel johan johann john johnny jon jonathan jordan jorge jose joseph josephine joshua joyce juan judith judy julia julian julie jun june justin karen karl kate katherine kathleen kathy katie keith kelly ken kenneth kevin kim kurt kyle
larry laura lauren laurence lawrence leah lee leo leon leonard leonardo leopold leslie lester lewis lillian linda lisa lloyd lois lorenzo louis louise lucas lucy luis luke lydia lynn mabel madeleine malcolm marc marcel marco marcus margaret maria marian marie marilyn mario marion mark marlene marshall martha martin marvin mary matthew maurice max maxwell megan mel melissa melvin michael michel michelle miguel mike mikhail mildred miles milton mohamed mohammad mohammed molly monica morgan muhammad muriel
nancy natalie nathan nathaniel neil nelson nicholas nick nicola nicolas nigel nikolai nina noah noel nora norma norman oliver olivia omar oscar otto owen pablo pamela pat patricia patrick paul paula pauline pedro peggy percy perry peter phil philip philippe phillip phyllis pierre rachel ralph ramon randy raul ray raymond rebecca reginald rene ricardo richard rick ricky rita rob robert roberto robin rodney roger roland ron ronald rose ross roy ruben ruby rudolf rudolph russell ruth ryan
sally sam samantha samuel sandra sara sarah scott sean sebastian sergei seth shannon sharon shawn sheila shirley sidney simon sofia sonia sophia sophie spencer stacy stan stanley stefan stephanie stephen steve steven stewart stuart susan suzanne sydney sylvia ted teresa terence terry thelma theodore theresa thomas tim timothy tina toby todd tom tommy tony tracy trevor valerie vanessa vera vernon veronica victor victoria vincent viola violet virginia vivian vladimir
wallace walter wanda warren wayne wendy wilfred wilhelm will willard william willie winston wolfgang yuri yvonne zachary
`;
const GIVEN_NAMES: ReadonlySet<string> = new Set(GIVEN.split(/\s/));

/** Returns true for two to four words of which the first is a given name: "Laura Otis". */
export function hasGivenName(name: string): boolean {
  const words = name.toLowerCase().match(/[\p{L}\p{N}.]+/gu) ?? [];
  return words.length >= 2 && words.length <= 4 && GIVEN_NAMES.has(words[0]!);
}
