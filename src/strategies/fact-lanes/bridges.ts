/**
 * Finds the project that a question only describes. For "the template language that Tern installs"
 * it is the project that sections of Tern name in a sentence with the words of the description.
 */
import { subjectAt } from '../../core/corpus/outline.ts';
import { sentenceSpans } from '../../core/text/sentences.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import { porterStem } from '../../language/english/words/porter.ts';
import type { Projects } from './projects.ts';
import type { Section } from './section-rank.ts';

/** Sections whose words are counted. */
const COUNTED_SECTIONS = 100;
/** Described words beside the name: one alone is shared by chance. */
const LEAST_SHARED = 2;
/** Weight of a word that stands in the headings of a sentence instead of in itself. */
const IN_HEADINGS = 0.5;

const RELATIONS = [
  'us(?:es?|ing)|power(?:s|ed) by|rel(?:y|ies) (?:on|upon)|depends? (?:on|upon)|requires?|installs?',
  'buil(?:t|ds) (?:up)?on|built (?:with|around|on top of)|based on|on top of|thanks to',
  'written (?:with|in)|implemented (?:with|by|using)|(?:handled|provided) by|under the hood',
  'wrap(?:s|per)|delegates? to|falls? back (?:to|on)|comes? (?:from|with)|is an?',
];
/** States how one thing stands to another, or what it is. */
const RELATION = new RegExp(String.raw`\b(?:${RELATIONS.join('|')})\b|, an? `, 'i');

/** Returns true if a sentence states that a thing uses another, or what it is. */
const statesRelation = (sentence: string): boolean => RELATION.test(sentence);

const WORD = /[\p{L}\p{N}]+/gu;
const LOWER_WORD = /(?<![\p{L}\p{N}])\p{Ll}+(?![\p{L}\p{N}])/gu;

const stemsOf = (text: string): Set<string> =>
  new Set(Array.from(contentWords(text), word => porterStem(word)));

/** Returns title, headings and path words of a section. */
const subjectOf = ({ document, passage }: Section): string => subjectAt(document, passage.start);

/**
 * Tells names from common words: a text that writes a name in lower case means the word if the word
 * has other forms, such as "cookie" beside "cookies", or if its own project writes it with a
 * capital, such as "Next" beside "the next page".
 */
export class WordForms {
  private readonly sections: readonly Section[];
  private readonly projects: Projects;
  /** By stem: the words in lower case; read at first use. */
  private forms: ReadonlyMap<string, readonly string[]> | undefined;
  private readonly capitals = new Map<string, boolean>();

  constructor(sections: readonly Section[], projects: Projects) {
    [this.sections, this.projects] = [sections, projects];
  }

  /** Returns true if the name stands in a text as a common word. */
  isWordIn(name: string, text: string): boolean {
    const written = [...text.matchAll(LOWER_WORD)].some(([word]) => word === name);
    if (!written) return false;
    const counted = this.sections.slice(0, COUNTED_SECTIONS);
    this.forms ??= formsOf(counted.map(({ passage }) => passage.text));
    if ((this.forms.get(porterStem(name)) ?? []).some(form => form !== name)) return true;
    let capital = this.capitals.get(name);
    if (capital === undefined) this.capitals.set(name, (capital = this.isCapital(name)));
    return capital;
  }

  /** True if the sections of a project write its name with a capital more often than without. */
  private isCapital(name: string): boolean {
    let balance = 0;
    for (const { passage } of this.sections) {
      if (this.projects.of(passage.documentId) !== name) continue;
      for (const [word] of passage.text.matchAll(WORD))
        if (word.toLowerCase() === name) balance += word === name ? -1 : 1;
    }
    return balance > 0;
  }
}

/** Returns the words in lower case by their stems. */
function formsOf(texts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const words = texts.flatMap(text => Array.from(text.matchAll(LOWER_WORD), ([word]) => word));
  return Map.groupBy(new Set(words), porterStem);
}

/** A project that a question describes, and the sections that name it. */
export interface Bridge {
  readonly project: string;
  /** Sections of the first project that name it, best first. */
  readonly naming: readonly Section[];
}

export interface BridgeSearch {
  readonly question: string;
  /** The words that describe the project. */
  readonly described: string;
  /** Sections that were found, best first. */
  readonly found: readonly Section[];
  readonly projects: Projects;
  readonly common: WordForms;
  /** The project whose sections are read. */
  readonly first: string;
}

/** A sentence that names a project. */
interface Mention {
  readonly section: Section;
  readonly project: string;
  /** Weight of the described words that it says. */
  readonly shared: number;
  /** True if it states a relation. */
  readonly relates: boolean;
}

/**
 * Returns the project that a sentence of the first one names beside most of the words that describe
 * it, weighed by their rarity; undefined if none is named beside two of them, or the only one.
 */
export function findBridge(search: BridgeSearch): Bridge | undefined {
  const mentions = mentionsIn(search);
  let best: Mention | undefined;
  for (const mention of mentions) if (mention.shared > (best?.shared ?? 0)) best = mention;
  if (!best) return undefined;
  const { project, shared: most } = best;
  // A statement of a relation counts as much as all that is shared.
  const worth = ({ shared, relates }: Mention): number => shared / most + Number(relates);
  const ofProject = mentions.filter(mention => mention.project === project);
  ofProject.sort((a, b) => worth(b) - worth(a));
  return { project, naming: [...new Set(ofProject.map(({ section }) => section))] };
}

function mentionsIn(search: BridgeSearch): Mention[] {
  const { described, found, projects, first } = search;
  const asked = stemsOf(projects.without(described, [first]));
  const weightOf = rarityIn(found);
  const least = Math.min(LEAST_SHARED, asked.size);
  const mentions: Mention[] = [];
  for (const section of found) {
    if (projects.of(section.passage.documentId) !== first) continue;
    const subject = stemsOf(subjectOf(section));
    for (const [start, end] of sentenceSpans(section.passage.text)) {
      const sentence = section.passage.text.slice(start, end);
      const names = openNames(sentence, search);
      if (names.length === 0) continue;
      const said = stemsOf(sentence);
      if (asked.intersection(said).size < least) continue;
      let shared = 0;
      for (const stem of asked)
        shared += weightOf(stem) * (said.has(stem) ? 1 : subject.has(stem) ? IN_HEADINGS : 0);
      const relates = statesRelation(sentence);
      for (const project of names) mentions.push({ section, project, shared, relates });
    }
  }
  return mentions;
}

/** Returns the projects that a sentence names and the question does not. */
function openNames(sentence: string, { question, projects, common, first }: BridgeSearch) {
  const known = new Set([first, ...projects.namedIn(question)]);
  return projects
    .namedIn(sentence)
    .filter(project => !known.has(project) && !common.isWordIn(project, sentence));
}

/** Returns the idf of stems over the best sections. */
function rarityIn(found: readonly Section[]): (stem: string) => number {
  const counted = found.slice(0, COUNTED_SECTIONS);
  const counts = new Map<string, number>();
  for (const section of counted)
    for (const stem of stemsOf(`${section.passage.text} ${subjectOf(section)}`))
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return stem => Math.log(1 + counted.length / (1 + (counts.get(stem) ?? 0)));
}
