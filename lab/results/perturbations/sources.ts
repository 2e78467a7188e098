/** Source names taken out of questions, or put into null questions. */
import {
  type Catalogue,
  drawn,
  mentionsOf,
  ofQuestions,
  type Perturbation,
  randomOf,
  replaced,
} from './perturbation.ts';

/** Stands for a source's name while rules apply. */
const NAME = '\uE000';
const REPORT =
  'articles?|reports?|reporting|pieces?|coverage|stor(?:y|ies)|reviews?|interviews?|posts?|features?|analys[ei]s|publications?';
const LIST = `(?:both )?${NAME}(?:(?:, and |, | and | & | or |; )(?:the |by |from |in )?${NAME})*`;
const SAID =
  'reported|covered|detailed|discussed|noted|described|highlighted|mentioned|published|stated|outlined|cited|reviewed|presented|claimed|revealed|featured';

/** In order: whole citations, then names beside a report, then names that are subjects. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(?<![’'])['"‘“]?(?:\\bThe )?${NAME}(?:['’]s|['"’”])?`, 'g'), NAME],
  [
    new RegExp(
      `,? (?:as )?(?:according to|as per|per)(?: (?:an?|the|multiple|various))?(?: (?:${REPORT}))?(?: (?:by|from|in|on))? ${LIST}(?: (?:${REPORT}))?`,
      'gi',
    ),
    '',
  ],
  [
    new RegExp(
      `\\b((?:${SAID})(?: \\w+)?) (?:by|in|on|from) (?:the |an? )?${LIST}(?! (?:${REPORT}))`,
      'gi',
    ),
    '$1',
  ],
  [new RegExp(`\\b(${REPORT}) (?:by|in|on|from|of) (?:the )?${LIST}`, 'gi'), '$1'],
  [
    new RegExp(
      `\\b(an?|the|another|one|both|two|their|recent|first|second|third|later|earlier|previous|subsequent|separate|other) ${LIST} (${REPORT})\\b`,
      'gi',
    ),
    '$1 $2',
  ],
  [/\ban (?=[^aeiou\W])/gi, 'a '],
  [/\ba (?=[aeio])/gi, 'an '],
  [new RegExp(`${LIST} (${REPORT})\\b`, 'gi'), 'the $1'],
  [new RegExp(`(?:by|in|on|from|to) (?:the )?${LIST}`, 'g'), 'by one report'],
  [new RegExp(`(?:the )?${LIST}`, 'gi'), 'one report'],
  [/\b([Tt]he) the\b/g, '$1'],
  [/\s+([,?.])/g, '$1'],
  [/,,+/g, ','],
  [/ {2,}/g, ' '],
];

/** Takes the catalogue's names and their lead-in words out. Throws `Error` if one is left. */
export function withoutSources(query: string, names: Catalogue): string {
  // Taking one name out may bring the words of another together.
  let text = query;
  for (let round = 0; round < 3; round++) {
    const mentions = mentionsOf(text, names);
    if (mentions.length === 0) return text;
    text = replaced(text, mentions, () => NAME);
    for (const [pattern, by] of RULES) text = text.replace(pattern, by);
    text = text.replace(/^\p{Ll}/u, letter => letter.toUpperCase());
  }
  const left = mentionsOf(text, names);
  if (left.length > 0) throw new Error(`A source is left in "${text}": ${left[0]!.names[0]}`);
  return text;
}

export const noSourceNames: Perturbation = ofQuestions(
  'no-source-names',
  'the catalogue’s source names taken out with their lead-in words',
  (query, _, names) => withoutSources(query, names),
);

const OUTLET = String.raw`(?:The )?\p{Lu}[\p{L}\p{N}&.-]*(?: (?:of |and |& )?\p{Lu}[\p{L}\p{N}&.-]*){0,3}`;
const CITED: readonly RegExp[] = [
  new RegExp(String.raw`(${OUTLET})['’]?s? (?:${REPORT})\b`, 'gu'),
  new RegExp(
    String.raw`\b(?:${REPORT}|another|one|${SAID}|according to|per|information)(?: \p{Ll}+)? (?:by|from|in)? ?(?:the )?(${OUTLET})`,
    'gu',
  ),
];
const OPENING = /^(?:The|An?|Considering|Based|Which|What|Who|Did|Does|In|From|By|Both)\s/;

/** Returns the names that a question cites as outlets. */
function outletsOf(query: string): string[] {
  const found = new Set<string>();
  for (const pattern of CITED)
    for (const [, name] of query.matchAll(pattern)) found.add(name!.replace(OPENING, ''));
  return [...found].sort((a, b) => b.length - a.length);
}

/** Sources with fewer articles are as good as unknown. */
const OF_FREQUENT = 12;

export const knownOutlets: Perturbation = {
  name: 'known-outlets',
  summary: 'null questions cite outlets that the corpus has, drawn by seed',
  apply({ questions, articles }, seed) {
    const names = catalogueOfFrequent(articles);
    return {
      articles,
      questions: questions.map(question => {
        if (question.question_type !== 'null_query') return question;
        const random = randomOf(seed, question.query);
        const free = [...names];
        let { query } = question;
        for (const outlet of outletsOf(query)) {
          if (names.includes(outlet) || names.includes(`The ${outlet}`)) continue;
          const [known] = free.splice(Math.floor(random() * free.length), 1);
          query = query.split(`The ${outlet}`).join(outlet).split(`the ${outlet}`).join(outlet);
          query = query.split(outlet).join(known ?? drawn(names, random));
        }
        return { ...question, query };
      }),
    };
  },
};

function catalogueOfFrequent(articles: Parameters<Perturbation['apply']>[0]['articles']): string[] {
  const counts = Map.groupBy(articles, ({ source = '' }) => source);
  counts.delete('');
  return [...counts]
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, OF_FREQUENT)
    .map(([name]) => name);
}
