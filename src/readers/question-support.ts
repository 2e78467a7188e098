/**
 * Measures how well a context supports a question: the share of the question's names and words that
 * the context contains, from 0 to 1.
 *
 * It reads the context alone and no retrieval scores, so that it is comparable between retrievers.
 */

import { metadataText } from '../core/corpus/document.ts';
import { withReplacements } from '../core/text/replace-spans.ts';
import type { ContextText, Evidence } from '../core/trace/trace.ts';
import { findNames } from '../language/english/names/names.ts';
import { contentWords } from '../language/english/words/content-words.ts';
import { distinctNames, findMentions } from '../language/mentions.ts';

/** Shares from 0 to 1; undefined if the question has no words of the kind. */
export interface QuestionSupport {
  /** Share of the known sources that the question names that the evidence has. */
  readonly sources: number | undefined;
  /**
   * Share of the words in the question's other names that the context contains, and the greatest
   * such share of one part.
   */
  readonly names: number | undefined;
  readonly namesTogether: number | undefined;
  /** The same for the question's remaining content words. */
  readonly words: number | undefined;
  readonly wordsTogether: number | undefined;
  /** Mean of the defined shares; 0 if none is. Equal weights, not fitted. */
  readonly support: number;
}

/** Returns the shares. `knownSources`: every source name of the corpus. */
export function questionSupport(
  question: string,
  context: ContextText,
  evidence: readonly Evidence[],
  knownSources: readonly string[],
): QuestionSupport {
  const mentions = findMentions(question, knownSources, { wholeWords: true });
  const sources = new Set(distinctNames(mentions).map(name => name.toLowerCase()));
  const rest = withReplacements(
    question,
    mentions.map(({ start, end }) => ({ start, end, by: ' ' })),
  );
  const names = contentWords(
    findNames(rest)
      .map(({ text }) => text)
      .join(' '),
  );
  const words = contentWords(rest).difference(names);
  const parts = context.parts.map(({ start, end }) => contentWords(context.text.slice(start, end)));
  const whole = new Set(parts.flatMap(part => [...part]));
  const shares = {
    sources: share(
      sources,
      new Set(evidence.map(({ metadata }) => metadataText(metadata, 'source').toLowerCase())),
    ),
    names: share(names, whole),
    namesTogether: bestShare(names, parts),
    words: share(words, whole),
    wordsTogether: bestShare(words, parts),
  };
  const defined = Object.values(shares).filter(value => value !== undefined);
  return {
    ...shares,
    support:
      defined.length === 0 ? 0 : defined.reduce((sum, value) => sum + value, 0) / defined.length,
  };
}

function share(words: ReadonlySet<string>, available: ReadonlySet<string>): number | undefined {
  return words.size === 0 ? undefined : words.intersection(available).size / words.size;
}

function bestShare(
  words: ReadonlySet<string>,
  parts: readonly ReadonlySet<string>[],
): number | undefined {
  return words.size === 0 ? undefined : Math.max(0, ...parts.map(part => share(words, part)!));
}
