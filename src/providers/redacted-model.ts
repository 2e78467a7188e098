/**
 * Redacts the key of a server from the texts of its language model: proxies that echo requests may
 * repeat it, and texts go into traces and cassettes. Texts may be JSON, so that the key is found in
 * its escapes too.
 */
import type { LanguageModel } from '../models/language-model.ts';
import type { Secret, Secrets } from '../platform/secret.ts';

const REDACTED = '[redacted]';
/** Minimum length of a key to redact: shorter ones are placeholders such as "ollama". */
const MIN_KEY_LENGTH = 12;

/** Returns the same model with `[redacted]` in place of each whole key in its texts. */
export const redactedModel = (model: LanguageModel, { all }: Secrets): LanguageModel =>
  all.reduce(withoutKey, model);

function withoutKey(model: LanguageModel, secret: Secret): LanguageModel {
  const key = secret.reveal();
  if (key.length < MIN_KEY_LENGTH) return model;
  return {
    ...model,
    async generate(prompt, call, onText) {
      const pieces = onText && new RedactedPieces(key, onText);
      const completion = await model.generate(
        prompt,
        call,
        pieces && (piece => pieces.push(piece)),
      );
      pieces?.end();
      const text = redacted(key, completion.text);
      return text === completion.text ? completion : { ...completion, text };
    },
  };
}

function redacted(key: string, text: string): string {
  let clean = '';
  const pieces = new RedactedPieces(key, piece => {
    clean += piece;
  });
  pieces.push(text);
  pieces.end();
  return clean;
}

/** A character of a JSON string, or its escape, which may be cut. */
const WRITTEN = /\\u[0-9a-f]{4}|\\[^u]|\\(?:u[0-9a-f]{0,3})?|[\s\S]/giy;
const CUT = /^\\(?:u[0-9a-f]{0,3})?$/i;

/**
 * Redacts streamed text. Holds back pieces that may be the beginning of the key, as it is or in
 * escapes.
 */
class RedactedPieces {
  private held = '';
  private readonly key: string;
  private readonly onText: (piece: string) => void;

  constructor(key: string, onText: (piece: string) => void) {
    this.key = key;
    this.onText = onText;
  }

  push(piece: string): void {
    this.held += piece;
    this.pass(this.taken(false));
  }

  end(): void {
    this.pass(this.taken(true));
  }

  /** Takes what is complete from the text held, redacted; all of it at the end. */
  private taken(atEnd: boolean): string {
    const { held } = this;
    let clean = '';
    let at = 0;
    while (at < held.length) {
      const match = this.lengthAt(at, atEnd);
      if (match === 'cut') break;
      if (match > 0) clean += REDACTED;
      else clean += held[at];
      at += match || 1;
    }
    this.held = held.slice(at);
    return clean;
  }

  /**
   * Returns the length of the key at a position, in escapes rather than as it is, since a key that
   * ends in a backslash stands in its own escape; 0 if it is not there.
   */
  private lengthAt(at: number, atEnd: boolean): number | 'cut' {
    const spelt = this.speltAt(at, atEnd);
    if (spelt !== 0) return spelt;
    return this.held.startsWith(this.key, at) ? this.key.length : 0;
  }

  private speltAt(at: number, atEnd: boolean): number | 'cut' {
    const { held, key } = this;
    const left = held.length - at;
    const isBeginning = !atEnd && left < key.length && key.startsWith(held.slice(at));
    let end = at;
    for (const expected of key) {
      if (end >= held.length) return atEnd ? 0 : 'cut';
      WRITTEN.lastIndex = end;
      const [written] = WRITTEN.exec(held)!;
      if (CUT.test(written) && end + written.length === held.length && !atEnd) return 'cut';
      if (meant(written) !== expected) return isBeginning ? 'cut' : 0;
      end += written.length;
    }
    return end - at;
  }

  private pass(text: string): void {
    if (text !== '') this.onText(text);
  }
}

/** Returns the character that an escape of JSON stands for, as far as keys hold it. */
function meant(written: string): string {
  if (/^\\u[0-9a-f]{4}$/i.test(written))
    return String.fromCharCode(Number.parseInt(written.slice(2), 16));
  return written.length === 2 ? written[1]! : written;
}
