/**
 * Collects the paragraphs of an IR-CoT chain, under the rules by which its released code accepts a
 * hit.
 */
import type { Selection } from '../../context/selection.ts';
import { editRatioAtLeast } from '../../core/text/edit-ratio.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Hop, Rejection, Search, SearchRef } from '../../core/trace/trace.ts';
import { type Paragraph, readParagraphs } from '../../planning/paragraphs.ts';
import { countWhitespaceWords } from '../../planning/planner.ts';
import type { SearchEngine } from '../../search/engine.ts';
import { keptFrom } from '../../search/retriever.ts';

export interface ParagraphRules {
  /** Most paragraphs. */
  readonly cap: number;
  /** Longest paragraph, in words; longer ones are rejected. */
  readonly longest: number;
  /** Edit ratio, 0 to 100, from which two titles and two texts count as equal. */
  readonly alike: number;
  /**
   * Accepts the best passage of each new title instead; apart from the cap no other rule applies
   * (profile comparison-code).
   */
  readonly byTitle: boolean;
}

export class ParagraphPool {
  private readonly paragraphs: Paragraph[] = [];
  private readonly hops = new Map<string, number>();
  private readonly selection: Selection;
  private readonly rules: ParagraphRules;

  constructor(selection: Selection, rules: ParagraphRules) {
    this.selection = selection;
    this.rules = rules;
  }

  get all(): readonly Paragraph[] {
    return this.paragraphs;
  }

  get full(): boolean {
    return this.paragraphs.length >= this.rules.cap;
  }

  /** Returns the hop that accepted a paragraph. */
  hopOf(id: string): number {
    return this.hops.get(id)!;
  }

  /**
   * Accepts paragraphs among the first `k` hits of a hop's only search; duplicates within the
   * search do not count among the `k`.
   */
  async take(
    search: Search,
    k: number,
    hop: number,
    engine: SearchEngine,
    call: Call,
  ): Promise<Pick<Hop, 'kept' | 'rejected'>> {
    const before = this.selection.all.length;
    const rejected: Rejection[] = [];
    const ref = { hop, search: 0 };
    const seen = new Map<string, string>();
    // Reads in batches: the first usually suffices.
    for (let from = 0; seen.size < k && from < search.hits.length; from += k) {
      const hits = search.hits.slice(from, from + k);
      const read = await readParagraphs(hits, engine, call);
      for (const [index, paragraph] of read.entries()) {
        if (seen.size === k) break;
        const key = this.rules.byTitle ? titleKey(paragraph) : paragraph.text;
        const better = seen.get(key);
        if (better === undefined) seen.set(key, paragraph.id);
        const refusal =
          better === undefined
            ? await this.refusalOf(paragraph, search, ref, hits[index]!)
            : {
                why: 'near-duplicate',
                detail: `${this.rules.byTitle ? 'of the title' : 'the text'} of ${better}`,
              };
        if (refusal) rejected.push({ id: paragraph.id, search: ref, ...refusal });
        else this.hops.set(paragraph.id, hop);
      }
    }
    return { kept: this.selection.all.slice(before), rejected };
  }

  /** Accepts a hit, or returns why it is no new paragraph. */
  private async refusalOf(
    paragraph: Paragraph,
    search: Search,
    ref: SearchRef,
    hit: Search['hits'][number],
  ): Promise<Pick<Rejection, 'why' | 'detail'> | undefined> {
    if (this.selection.has(paragraph.id)) return { why: 'seen' };
    const duplicate = this.paragraphs.find(other => this.areDuplicates(other, paragraph));
    const words = this.rules.byTitle ? 0 : countWhitespaceWords(paragraph.text);
    if (words > this.rules.longest) return { why: 'too-long', detail: `${words} words` };
    if (duplicate)
      return {
        why: 'near-duplicate',
        detail: `${this.rules.byTitle ? 'of the title' : 'the text'} of ${duplicate.id}`,
      };
    if (this.full) return { why: 'cap' };
    if (!(await this.selection.keep(keptFrom(search, ref, hit)))) return this.selection.refusal;
    this.paragraphs.push(paragraph);
    return undefined;
  }

  private areDuplicates(a: Paragraph, b: Paragraph): boolean {
    if (this.rules.byTitle) return titleKey(a) === titleKey(b);
    return (
      editRatioAtLeast(a.title, b.title, this.rules.alike) &&
      editRatioAtLeast(a.text, b.text, this.rules.alike)
    );
  }
}

/** Returns a key by title; documents without a title have keys of their own. */
const titleKey = ({ title, documentId }: Paragraph): string =>
  title === '' ? `\u0000${documentId}` : title;
