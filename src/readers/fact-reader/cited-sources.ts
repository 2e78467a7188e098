/**
 * Finds names that a question cites as outlets, known or unknown: "discussed by Velo Dispatch",
 * "another from The Copper Times".
 */

import type { MetadataCatalogue } from '../../language/catalogue.ts';
import { findSources, findUnknownSources } from '../../language/english/names/source-names.ts';
import { MONTH } from '../../language/english/values/dates.ts';

export interface CitedSources {
  /** Number of mentions of sources in the corpus. */
  readonly known: number;
  /** Distinct cited names that are not in the corpus. */
  readonly unknown: readonly string[];
}

const REPORTING =
  'reported|discussed|mentioned|highlighted|covered|detailed|detailing|described|published|noted|featured|stated|claimed|presented|outlined|provided|reviewed|cited|raised|shared|revealed|documented|analy[sz]ed|profiled|documented';
const WRITING =
  'article|articles|report|reports|piece|pieces|feature|features|review|story|stories|interview|post|analysis|forecast|coverage|study|another|(?<!the )one|information|insights|news|column|profile|publication|journal';
/** Letters of a word after its first, bounded as in `findUnknownSources`. */
const WORD = String.raw`[\p{L}\p{N}&.’-]{0,40}`;
const NAME = String.raw`(?:The )?\p{Lu}${WORD}(?:(?<!\p{Ll}{2}\.)(?: of| and| &| the)? \p{Lu}${WORD}){0,4}`;
const CITED: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:${REPORTING})(?: \p{Ll}+)? (?:by|in|from) (?:an? |the )?['"‘“]?(${NAME})`,
    'gu',
  ),
  new RegExp(
    String.raw`\b(?:${WRITING})(?: \p{Ll}+)? (?:by|from|in) (?:an? |the )?['"‘“]?(${NAME})`,
    'gu',
  ),
];
const CALENDAR = new RegExp(String.raw`^(?:${MONTH})\b`);

export function citedSources(
  question: string,
  { sources, aliases }: Pick<MetadataCatalogue, 'sources' | 'aliases'>,
): CitedSources {
  const known = findSources(question, sources, aliases);
  const unknown = new Set(findUnknownSources(question, known).map(({ text }) => text));
  for (const pattern of CITED)
    for (const match of question.matchAll(pattern)) {
      const end = match.index + match[0].length;
      const start = end - match[1]!.length;
      if (CALENDAR.test(match[1]!) || known.some(other => start < other.end && other.start < end))
        continue;
      unknown.add(match[1]!);
    }
  return { known: known.length, unknown: [...unknown] };
}

/**
 * Returns the names that a question cites as outlets of a corpus that records none: its evidence
 * cannot be expected to hold them. Empty if the corpus records sources.
 */
export function unrecordedSources(
  question: string,
  catalogue: Pick<MetadataCatalogue, 'sources' | 'aliases'>,
): readonly string[] {
  return catalogue.sources.length > 0 ? [] : citedSources(question, catalogue).unknown;
}
