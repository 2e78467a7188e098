/** Holds a key that can be used but not printed, and redacts keys from texts. */
const REDACTED = '[redacted]';
/** Consecutive characters of a key that are redacted. */
const PIECE = 6;

/** Removes keys from texts. */
export interface Redacting {
  redact(text: string): string;
}

/** Redacts several keys, such as that of a server and one in the query of its address. */
export class Secrets implements Redacting {
  readonly all: readonly Secret[];

  constructor(all: readonly Secret[]) {
    this.all = all;
  }

  redact(text: string): string {
    return this.all.reduce((clean, secret) => secret.redact(clean), text);
  }
}

/**
 * Prints as `[redacted]` or nothing: private fields are hidden from inspection. Only `reveal`
 * returns the text, in the one place that sends it.
 */
export class Secret implements Redacting {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  /**
   * Returns the text without any encoding of the key that a server may echo, and without pieces of
   * it.
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

  /** Redacts pieces of the key: a server may echo a part of it. */
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

/** Prefixes of providers' keys, to detect a part of an unknown key. */
const KEY_BEGINNING = /\b(?:sk|pk|rk|gsk|hf|xai|jina|pplx|nvapi)[-_][\w.-]{4,}/gi;

/**
 * Returns an untrusted text fit for an error: one line, cut to 160 characters, without anything
 * that looks like a key.
 */
export function quoted(text: string, secret?: Redacting): string {
  const clean = secret ? secret.redact(text) : text;
  const line = clean.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const masked = line
    .replace(KEY_BEGINNING, REDACTED)
    .replace(/[\w.~+/-]{20,}/g, run => (/\d/.test(run) ? REDACTED : run));
  return masked.length > 160 ? `${masked.slice(0, 160).toWellFormed()}...` : masked;
}
