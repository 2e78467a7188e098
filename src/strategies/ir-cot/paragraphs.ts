/**
 * Collects the paragraphs of an IR-CoT chain, under the rules by which its released code accepts a
 * hit.
 */
import type { Refusal, Selection } from '../../context/selection.ts';
import { editRatioAtLeast } from '../../core/text/edit-ratio.ts';
import type { Call } from '../../core/trace/call.ts';
import { type Paragraph, readParagraphs } from '../../planning/paragraphs.ts';
import { countWhitespaceWords } from '../../planning/planner.ts';
import type { SearchEngine } from '../../search/engine.ts';
import type { HopDraft } from '../hop-draft.ts';

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
    draft: HopDraft,
    k: number,
    hop: number,
    engine: SearchEngine,
    call: Call,
  ): Promise<void> {
    const { hits } = draft.searches[0]!;
    const seen = new Map<string, string>();
    // Reads in batches: the first usually suffices.
    for (let from = 0; seen.size < k && from < hits.length; from += k) {
      const batch = hits.slice(from, from + k);
      const read = await readParagraphs(batch, engine, call);
      for (const [index, paragraph] of read.entries()) {
        if (seen.size === k) break;
        const key = this.rules.byTitle ? titleKey(paragraph) : paragraph.text;
        const better = seen.get(key);
        if (better === undefined) seen.set(key, paragraph.id);
        const refusal =
          better === undefined ? this.refusalOf(paragraph) : this.nearDuplicate(better);
        if (refusal) draft.refuse(paragraph.id, refusal);
        else if (await draft.keep(batch[index]!)) {
          this.paragraphs.push(paragraph);
          this.hops.set(paragraph.id, hop);
        }
      }
    }
  }

  /** Returns why a hit is no new paragraph, if it is none. */
  private refusalOf(paragraph: Paragraph): Refusal | undefined {
    if (this.selection.has(paragraph.id)) return { why: 'seen' };
    const words = this.rules.byTitle ? 0 : countWhitespaceWords(paragraph.text);
    if (words > this.rules.longest) return { why: 'too-long', detail: `${words} words` };
    const duplicate = this.paragraphs.find(other => this.areDuplicates(other, paragraph));
    if (duplicate) return this.nearDuplicate(duplicate.id);
    return this.full ? { why: 'cap' } : undefined;
  }

  private nearDuplicate(id: string): Refusal {
    const what = this.rules.byTitle ? 'of the title' : 'the text';
    return { why: 'near-duplicate', detail: `${what} of ${id}` };
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
