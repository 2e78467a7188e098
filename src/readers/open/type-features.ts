/** Computes features of a span by its kind and type, and by those that the question asks for. */

import { isNameLike, sameName } from '../../language/english/names/canonical-names.ts';
import { countryNamed } from '../../language/english/names/demonyms.ts';
import type { Mention } from '../../language/english/names/mentions.ts';
import { nounStems } from '../../language/english/names/name-kinds.ts';
import { nameTypes } from '../../language/english/names/name-types.ts';
import type { TypeName } from '../../language/english/names/types.ts';
import { MONTH, WEEKDAY } from '../../language/english/values/dates.ts';
import { wordStem } from '../../language/english/words/verb-forms.ts';
import type { AddFeature } from '../features.ts';
import type { OpenSentence } from './open-sentence.ts';
import type { OpenReading } from './reading.ts';

const CALENDAR = new RegExp(`^(?:${WEEKDAY}|${MONTH})$`, 'u');
const FULL_DATE = /\p{L}+.*\d{3,4}$|^\d{1,2} \p{L}+/u;
/** Words in names of organisations and places of Wikipedia; weights are fitted with this list. */
const ORGANISATION =
  /\b(?:Inc|Corp|Company|University|College|School|Records|Pictures|Studios?|League|Association|Party|Museum|County|City|Club|Band|Island|River|Award|Church|Films?|Entertainment|Festival)\b/u;

/** Adds how well the span is of the kind that the question asks for. */
export function typeFeatures(
  reading: OpenReading,
  sentence: OpenSentence,
  { mention, typed }: { readonly mention: Mention; readonly typed: TypedName },
  add: AddFeature,
): void {
  const { asked, passages, reach, links } = reading;
  const { kind, head } = asked;
  const { text } = mention;
  const isTitle = mention.kind === 'name' && sameName(text, passages[sentence.passage]!.bare);
  add('own', isTitle);
  add(`own:${kind}`, isTitle);
  const target = links.find(
    link =>
      link.sentence === sentence.index &&
      link.mention.start < mention.end &&
      mention.start < link.mention.end,
  );
  const about = isTitle ? passages[sentence.passage]! : target && passages[target.to]!;
  if (target) {
    add(`target:${reach[target.to]!.distance}`, 1);
    add('target:strength', reach[target.to]!.strength);
  }
  const lead = about?.sentences.find(({ place }) => place === 0);
  if (lead) {
    add(
      'head:lead',
      [...head].some(stem => lead.stems.has(stem)),
    );
    add('head:lead:missing', head.size > 0 && ![...head].some(stem => lead.stems.has(stem)));
    const person = /\b(?:born|he|she|his|her)\b/iu.test(lead.text);
    add(`person:lead:${kind}`, person);
  }
  const last = wordStem(text.split(/\s+/).at(-1)!.toLowerCase());
  add('head:last', head.has(last));
  add(`calendar:${kind}`, CALENDAR.test(text));
  add('person:organisation', kind === 'person' && ORGANISATION.test(text));
  add('organisation', kind === 'thing' && ORGANISATION.test(text));
  add('type:match', typed.match > 0);
  add('type:mismatch', typed.match < 0);
  kindFeatures(reading, mention, typed, add);
  add(
    `country:${kind}:${head.has('countri') || head.has('nation')}`,
    countryNamed(text) !== undefined,
  );
  if (mention.kind === 'time')
    add(`date:${FULL_DATE.test(text)}:${head.has('year') ? 'year' : kind}`, 1);
}

/** Adds what the evidence calls the name, and its types beside those that are asked for. */
function kindFeatures(
  { asked, kinds, joint }: OpenReading,
  mention: Mention,
  typed: TypedName,
  add: AddFeature,
): void {
  if (!isNameLike(mention)) return;
  const { kind, types } = asked;
  const known = kinds.get(joint.names.key(mention.text));
  const called = known?.called ?? new Set();
  const isHead = asked.noun !== '' && called.has(asked.noun);
  add('called:asked', isHead);
  add(`called:asked:${kind}`, isHead);
  add(
    'called:described',
    [...called].some(noun => asked.described.has(noun)),
  );
  const askedType = types[0] ?? '';
  const type = `${kind}:${askedType}`;
  add(`person name:${type}`, known?.person === true);
  add(`speaks:${type}`, known?.speaks === true);
  add(`place:${type}`, known?.place ?? 0);
  add(`personal:${type}`, known?.personal ?? 0);
  add(`role:${type}`, known?.role === true);
  add(`suffix:${type}`, ORGANISATION.test(mention.text));
  const names =
    mention.text.split(/\s+/).length > 1 &&
    asked.noun !== '' &&
    nounStems(mention.text).has(asked.noun);
  add('named kind', names);
  add(`named kind:${type}`, names);
  for (const each of typed.types) add(`type:${askedType}>${each}`, 1);
}

/** A span's types, and 1 if one is asked for, -1 if others alone are known, 0 if unknown. */
export interface TypedName {
  readonly types: ReadonlySet<TypeName>;
  readonly match: number;
}

const NONE: TypedName = { types: new Set(), match: 0 };

/** Returns a function from spans to their types, which computes those of a text once. */
export function typesIn({ asked, kinds, joint }: OpenReading): (mention: Mention) => TypedName {
  const known = new Map<string, TypedName>();
  return mention => {
    // An adjective of a nation may stand for a place or a person's origin.
    if (mention.kind === 'adjective') return NONE;
    if (!isNameLike(mention)) return asked.types.length > 0 ? { ...NONE, match: -1 } : NONE;
    const before = known.get(mention.text);
    if (before) return before;
    const types = nameTypes(mention.text, kinds.get(joint.names.key(mention.text)));
    const fits = asked.types.some(type => types.has(type));
    const match = asked.types.length === 0 || types.size === 0 ? 0 : fits ? 1 : -1;
    known.set(mention.text, { types, match });
    return { types, match };
  };
}
