/** A key that can be used but not printed. */
const REDACTED = '[redacted]';
/** Characters of a key in a row that are not said. */
const PIECE = 6;

/**
 * Every way of printing it says `[redacted]` or nothing: a private field is in no inspection. Only
 * `reveal` gives the text, at the one place that sends it.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  /**
   * The text with every spelling of the key that a server may send back taken out, and every piece
   * of it that tells something.
   */
  redact(text: string): string {
    if (this.#text === '') return text;
    const spellings = [
      this.#text,
      encodeURIComponent(this.#text),
      JSON.stringify(this.#text).slice(1, -1),
      btoaOf(this.#text),
    ];
    const whole = spellings.reduce((clean, spelling) => clean.replaceAll(spelling, REDACTED), text);
    return this.#withoutPieces(whole);
  }

  /** A server may send back half of it. */
  #withoutPieces(text: string): string {
    let clean = '';
    for (let at = 0; at < text.length; ) {
      let end = at + PIECE;
      if (end > text.length || !this.#text.includes(text.slice(at, end))) clean += text[at++];
      else {
        while (end < text.length && this.#text.includes(text.slice(end - PIECE + 1, end + 1)))
          end++;
        clean += REDACTED;
        at = end;
      }
    }
    return clean;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }
}

const btoaOf = (text: string): string => Buffer.from(text).toString('base64');

/** How providers' keys begin: enough to know half of one by, where the key itself is not known. */
const KEY_BEGINNING = /\b(?:sk|pk|rk|gsk|hf|xai|jina|pplx|nvapi)[-_][\w.-]{4,}/gi;

/**
 * What a stranger said, made fit for an error: one line, cut, and nothing in it that looks like a
 * key.
 */
export function quoted(text: string, secret?: Secret): string {
  const clean = secret ? secret.redact(text) : text;
  const line = clean.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const masked = line
    .replace(KEY_BEGINNING, REDACTED)
    .replace(/[\w.~+/-]{20,}/g, run => (/\d/.test(run) ? REDACTED : run));
  return masked.length > 160 ? `${masked.slice(0, 160).toWellFormed()}...` : masked;
}
