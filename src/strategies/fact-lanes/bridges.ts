/**
 * Finds the project that a question only describes: "the template language that Tern installs" is
 * the one that the sections of Tern name in a sentence with the words of the question.
 */
import { subjectAt } from '../../corpus/outline.ts';
import { porterStem } from '../../text/porter.ts';
import { contentWords } from '../../text/sentence-support.ts';
import { sentenceSpans } from '../../text/sentences.ts';
import type { Projects } from './projects.ts';
import type { Section } from './sections.ts';

/** Sections whose words are counted, and sections of the first project that may name another. */
const COUNTED_SECTIONS = 100;
const NAMING_SECTIONS = 20;
/** Words of the question beside the name: one alone is shared by chance. */
const LEAST_SHARED = 2;
/** Weight of a word that stands in the headings of a sentence instead of in itself. */
const IN_HEADINGS = 0.5;

const LOWER_WORD = /(?<![\p{L}\p{N}])\p{Ll}+(?![\p{L}\p{N}])/gu;

const stemsOf = (text: string): Set<string> =>
  new Set(Array.from(contentWords(text), word => porterStem(word)));

/** Returns title, headings and path words of a section. */
const subjectOf = ({ document, passage }: Section): string => subjectAt(document, passage.start);

/**
 * Tells names from common words: a text that writes a name in lower case means the word if the word
 * has other forms, such as "cookie" beside "cookies".
 */
export class WordForms {
  private readonly sections: readonly Section[];
  /** By stem: the words in lower case; read at first use. */
  private forms: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(sections: readonly Section[]) {
    this.sections = sections.slice(0, COUNTED_SECTIONS);
  }

  /** Returns true if the name stands in a text as a common word. */
  isWordIn(name: string, text: string): boolean {
    const written = [...text.matchAll(LOWER_WORD)].some(([word]) => word === name);
    if (!written) return false;
    this.forms ??= formsOf(this.sections.map(({ passage }) => passage.text));
    return (this.forms.get(porterStem(name)) ?? []).some(form => form !== name);
  }
}

/** Returns the words in lower case by their stems. */
function formsOf(texts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const words = texts.flatMap(text => Array.from(text.matchAll(LOWER_WORD), ([word]) => word));
  return Map.groupBy(new Set(words), porterStem);
}

/** A project that a question describes, and the section that names it. */
export interface Bridge {
  readonly project: string;
  readonly naming: Section;
}

export interface BridgeSearch {
  readonly question: string;
  /** Best first. */
  readonly ranked: readonly Section[];
  readonly projects: Projects;
  readonly common: WordForms;
  /** The project whose sections are read. */
  readonly first: string;
}

/**
 * Returns the project that a sentence of the first one names beside most of what the question says,
 * words and names weighed by their rarity; undefined if none is named beside two words of it.
 */
export function findBridge(search: BridgeSearch): Bridge | undefined {
  const { question, ranked, projects, first } = search;
  const asked = stemsOf(projects.without(question, [first]));
  const rarity = rarities(search);
  let best: (Bridge & { readonly score: number }) | undefined;
  const own = ranked.filter(({ passage }) => projects.of(passage.documentId) === first);
  for (const [place, naming] of own.slice(0, NAMING_SECTIONS).entries()) {
    const subject = stemsOf(subjectOf(naming));
    for (const [start, end] of sentenceSpans(naming.passage.text)) {
      const sentence = naming.passage.text.slice(start, end);
      const names = openNames(sentence, search);
      if (names.length === 0) continue;
      const said = stemsOf(sentence);
      if (asked.intersection(said).size < LEAST_SHARED) continue;
      const weights = [...asked].map(
        stem => rarity.word(stem) * (said.has(stem) ? 1 : subject.has(stem) ? IN_HEADINGS : 0),
      );
      const shared = weights.reduce((sum, weight) => sum + weight, 0) / Math.sqrt(place + 1);
      for (const project of names) {
        const score = shared * rarity.name(project);
        if (score > (best?.score ?? 0)) best = { project, naming, score };
      }
    }
  }
  return best && { project: best.project, naming: best.naming };
}

/** Returns the projects that a sentence names and the question does not. */
function openNames(sentence: string, { question, projects, common, first }: BridgeSearch) {
  const known = new Set([first, ...projects.namedIn(question)]);
  return projects
    .namedIn(sentence)
    .filter(project => !known.has(project) && !common.isWordIn(project, sentence));
}

/** Returns the idf of stems and of names over the best sections; no project counts its own name. */
function rarities({ ranked, projects }: BridgeSearch) {
  const counted = ranked.slice(0, COUNTED_SECTIONS);
  const [words, names] = [new Map<string, number>(), new Map<string, number>()];
  const add = (counts: Map<string, number>, key: string): void =>
    void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const section of counted) {
    const { text, documentId } = section.passage;
    for (const stem of stemsOf(`${text} ${subjectOf(section)}`)) add(words, stem);
    for (const project of projects.namedIn(text))
      if (projects.of(documentId) !== project) add(names, project);
  }
  const idf = (counts: ReadonlyMap<string, number>, key: string): number =>
    Math.log(1 + counted.length / (1 + (counts.get(key) ?? 0)));
  return {
    word: (stem: string): number => idf(words, stem),
    name: (project: string): number => idf(names, project),
  };
}

/**
 * Returns the words of a text that a section does not say: what is left to ask once it is known.
 * Empty if none of them is a content word.
 */
export function leftToAsk(text: string, naming: Section): string {
  const said = stemsOf(`${naming.passage.text} ${subjectOf(naming)}`);
  const left = text.split(' ').filter(word => !said.has(porterStem(word)));
  return contentWords(left.join(' ')).size > 0 ? left.join(' ') : '';
}
