/** Maps irregular past forms and nouns of agents to the verbs that sentences use instead. */
import { stemOf } from '../../text/stems.ts';

/** Base form, then its other irregular forms. */
const TABLE = `
arise arose arisen|become became|begin began begun|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought
build built|burn burnt|buy bought|catch caught|choose chose chosen|come came|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven
eat ate eaten|fall fell fallen|feed fed|fight fought|find found|fly flew flown|forbid forbade forbidden|forget forgot forgotten|freeze froze frozen|give gave given
grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|leave left|lend lent|lose lost|make made
mean meant|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|seek sought|sell sold|send sent|shake shook shaken|shine shone|shoot shot
shrink shrank shrunk|sing sang sung|sink sank sunk|sleep slept|speak spoke spoken|spend spent|spin spun|stand stood|steal stole stolen|stick stuck|strike struck stricken
swear swore sworn|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|think thought|throw threw thrown|wear wore worn|weave wove woven|win won
wind wound|withdraw withdrew withdrawn|write wrote written
`;
const BASES: ReadonlyMap<string, string> = new Map(
  TABLE.trim()
    .split(/[|\n]/)
    .flatMap(entry => {
      const [base, ...forms] = entry.split(' ') as [string, ...string[]];
      return forms.map(form => [form, base] as const);
    }),
);
const AGENT = /^(\p{L}{4,}?)([eo])rs?$/u;

/** Returns the stem of a lower-case word, and that of the verb behind it: "grew", "publisher". */
export function verbStems(word: string): string[] {
  const stem = stemOf(BASES.get(word) ?? word);
  const agent = AGENT.exec(word)?.[1];
  if (agent === undefined) return [stem];
  return [...new Set([stem, stemOf(agent)])];
}
