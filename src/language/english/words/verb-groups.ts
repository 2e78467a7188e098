/** Lists words by which texts state what a question asks by another word: "owns", "belongs to". */
import { verbStems } from './verb-forms.ts';

const GROUPS = `
own owner owned possess belong bought buy purchase acquire property proprietor hold holding subsidiary parent
buy bought purchase acquire takeover acquisition sell sold sale
sell sold sale buy bought purchase acquire auction
build built construct erect raise make made builder work
write wrote written author pen novel book poem play song letter screenplay memoir
direct director film movie filmmaker
play portray star starring role part actor actress cast
sing sang sung perform record singer song band release single vocal
perform sing song record play band singer artist release
record sing song release band singer perform
compose composer music score soundtrack write
found establish create start form launch invent set open founder
create invent establish found form design make develop write compose creator
invent create develop patent discover design build
discover find found identify discovery observe
design architect draw plan designer build create
restore renovate rebuild repair convert turn
marry wife husband spouse wed widow marriage partner
win won winner victory champion defeat beat title award
defeat beat win won victory lose lost
publish release issue print publisher
release publish issue record
develop create make design build produce developer
produce make producer manufacture production
make manufacture produce build create maker
lead head run command captain leader president chief
run lead head manage operate
teach tutor student pupil professor teacher lecture
kill murder assassinate shoot shot execute slay killer death
succeed replace follow successor successor become next
replace succeed follow successor place instead
host present presenter host
coach manage train manager
appoint name hire choose chose elect select
hire appoint employ recruit join
lose lost defeat beat fail
start begin began found launch
sponsor fund finance support
paint painter painting portrait artist
visit travel tour trip stay
rule reign king queen emperor govern ruler
own operate run
`;

/** By stem, the stems of words that state the same. */
const STATED: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const stated = new Map<string, Set<string>>();
  for (const line of GROUPS.trim().split('\n')) {
    const [first, ...others] = line.split(' ').map(word => verbStems(word));
    for (const stem of first!) {
      const group = stated.get(stem) ?? new Set();
      for (const other of [first!, ...others].flat()) group.add(other);
      stated.set(stem, group);
    }
  }
  return stated;
})();

/** Returns the stems of words that state what a verb says, its own among them. */
export const statingStems = (verb: string): ReadonlySet<string> =>
  new Set(verbStems(verb.toLowerCase()).flatMap(stem => [stem, ...(STATED.get(stem) ?? [])]));

/** Returns true for a form of a listed verb. */
export const isStated = (word: string): boolean =>
  verbStems(word.toLowerCase()).some(stem => STATED.has(stem));
