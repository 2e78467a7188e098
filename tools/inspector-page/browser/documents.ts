/** Knows documents: those that came with the page, those of a server, those in a context. */
import type { Document } from '../../../src/core/corpus/document.ts';
import { type KnownText, shownTexts, wholeText } from '../document-text.ts';
import type { RunRecord } from '../run-record.ts';

/** Reads a document from a server; undefined if it has none of this id. */
export type ReadDocument = (id: string) => Promise<Document | undefined>;

export class Documents {
  private readonly known = new Map<string, KnownText>();
  private readonly asked = new Map<string, Promise<KnownText | undefined>>();
  private readonly shown = new WeakMap<object, Map<string, KnownText>>();
  private readonly read: ReadDocument | undefined;

  constructor(given: readonly Document[], read?: ReadDocument) {
    for (const document of given) this.known.set(document.id, wholeText(document));
    this.read = read;
  }

  /** True if documents can be had that are not known yet. */
  get more(): boolean {
    return this.read !== undefined;
  }

  /** Returns what is known at once. */
  of(run: RunRecord, id: string): KnownText | undefined {
    const whole = this.known.get(id);
    if (whole || !run.context) return whole;
    let texts = this.shown.get(run.context);
    if (!texts) this.shown.set(run.context, (texts = shownTexts(run)));
    return texts.get(id);
  }

  /** Asks the server for a document; undefined where there is nothing more to know. */
  async whole(id: string): Promise<KnownText | undefined> {
    if (!this.read || this.known.has(id)) return this.known.get(id);
    let asked = this.asked.get(id);
    if (!asked) {
      asked = this.read(id).then(document => {
        if (document) this.known.set(id, wholeText(document));
        return this.known.get(id);
      });
      this.asked.set(id, asked);
    }
    return asked;
  }
}
