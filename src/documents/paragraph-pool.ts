/** The paragraphs of many questions as one corpus: what several questions share is one document. */
import type { Document } from '../core/corpus/document.ts';
import { contentId } from './record.ts';

export interface Paragraph {
  readonly title: string;
  readonly text: string;
}

/**
 * Ids are titles; where paragraphs of one title differ, each gets its title and a short hash of its
 * content. Ids do not depend on the order of questions.
 */
export class ParagraphPool {
  private readonly byTitle = new Map<string, Set<string>>();

  add({ title, text }: Paragraph): void {
    const texts = this.byTitle.get(title);
    if (texts) texts.add(text);
    else this.byTitle.set(title, new Set([text]));
  }

  /** Asked once all paragraphs are in. */
  id({ title, text }: Paragraph): string {
    if (title !== '' && this.byTitle.get(title)?.size === 1) return title;
    return `${title} [${contentId(title, text).slice(0, 8)}]`.trimStart();
  }

  documents(): Document[] {
    return [...this.byTitle].flatMap(([title, texts]) =>
      [...texts].map(text => ({ id: this.id({ title, text }), title, text, metadata: {} })),
    );
  }
}
