/**
 * Determines the kind of answer that a question asks for, and whether a name is of that kind, by
 * spelling and apposition alone.
 *
 * "Which company is to replace the engines of the ship ...?" asks for a company; "the Wandering
 * Linnet, the ship on which ..." is a ship, hence a bridge and not the answer.
 */
import type { NameSpan } from '../names/names.ts';
import { ENGLISH_STOP_WORDS } from '../words/stop-words.ts';

export interface RequestedKind {
  readonly person: boolean;
  /** The noun after "which" or "what": "company". */
  readonly noun: string | undefined;
  /** Other nouns that the question describes: "ship", "winner". */
  readonly others: readonly string[];
}

const PERSON_NOUN =
  /^(?:person|individual|figure|man|woman|player|coach|founder|executive|actor|actress|director|author|politician|minister|architect|curator|artist|singer|athlete|quarterback|entrepreneur|president|leader|scientist)$/;

/**
 * Matches one or two plain words after "which" or "what", before a verb or a comma: "which rowing
 * club did".
 */
const ASKED_NOUN =
  /\b(?:[Ww]hich|[Ww]hat)\s+((?:\p{Ll}+\s+)??\p{Ll}+)(?=\s+(?:is|are|was|were|has|had|have|did|does|do|will|would|can|could|that|which|who|according|covered|mentioned|known|the)\b|,|\s+\p{Ll}+ed\b)/u;
/** Matches up to two plain words after a determiner: "the research ship", "this year". */
const DESCRIBED = /\b(?:the|this|that|a|an)\s+(\p{Ll}+)(?:\s+(\p{Ll}+))?/gu;

export function requestedKind(question: string): RequestedKind {
  const who = /^\W*(?:who|whom)\b/i.test(question);
  const head = ASKED_NOUN.exec(question)?.[1]?.split(/\s+/).at(-1);
  const described = [...question.matchAll(DESCRIBED)].flatMap(match => [match[1]!, match[2] ?? '']);
  const others = [...new Set(described)].filter(
    noun => noun !== head && noun.length >= 3 && !ENGLISH_STOP_WORDS.has(noun),
  );
  return { person: who || (head !== undefined && PERSON_NOUN.test(head)), noun: head, others };
}

/**
 * Returns true if a name looks like a person's: two or three words, the last of which also occurs
 * alone ("Altman said").
 */
export function looksLikePerson(name: string, alone: ReadonlySet<string>): boolean {
  const words = name.split(/\s+/);
  return words.length >= 2 && words.length <= 3 && !/\d/.test(name) && alone.has(words.at(-1)!);
}

/** Returns the single-word names, which may be last names of longer ones. */
export function singleNames(names: Iterable<NameSpan>): Set<string> {
  const alone = new Set<string>();
  for (const { text } of names) if (!/\s/.test(text)) alone.add(text);
  return alone;
}

/**
 * Returns the nouns that the text puts beside the name: "the ship Wandering Linnet", "Saltbox
 * Press, a small publisher of".
 */
export function appositions(text: string, name: NameSpan): string[] {
  const before = /\b(\p{Ll}{3,})\s$/u.exec(
    text.slice(Math.max(0, name.start - 30), name.start),
  )?.[1];
  const after = /^(?:[’']s)?,\s(?:the|a|an|its|his|her)\s((?:\p{Ll}[\p{L}-]*\s?){1,4})/u.exec(
    text.slice(name.end, name.end + 80),
  )?.[1];
  const nouns = after?.trim().split(/\s+/) ?? [];
  return before === undefined ? nouns : [before, ...nouns];
}
