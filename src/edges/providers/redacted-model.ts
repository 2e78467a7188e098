/**
 * Redacts the key of a server from the texts of its language model: proxies that echo requests may
 * repeat it, and texts go into traces and cassettes.
 */
import type { LanguageModel } from '../../models/language-model.ts';
import type { Secret } from './secret.ts';

const REDACTED = '[redacted]';
/**
 * Minimum length of a key to redact. Shorter ones, and ones without a digit, are placeholders such
 * as "ollama", which may occur in any text.
 */
const MIN_KEY_LENGTH = 12;

/** Returns the same model with `[redacted]` in place of the whole key in its texts. */
export function redactedModel(model: LanguageModel, secret: Secret | undefined): LanguageModel {
  const key = secret?.reveal() ?? '';
  if (key.length < MIN_KEY_LENGTH || !/\d/.test(key)) return model;
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
      return completion.text.includes(key)
        ? { ...completion, text: completion.text.replaceAll(key, REDACTED) }
        : completion;
    },
  };
}

/** Redacts streamed text. Holds back pieces that may be the beginning of the key. */
class RedactedPieces {
  private held = '';
  private readonly key: string;
  private readonly onText: (piece: string) => void;

  constructor(key: string, onText: (piece: string) => void) {
    this.key = key;
    this.onText = onText;
  }

  push(piece: string): void {
    const text = (this.held + piece).replaceAll(this.key, REDACTED);
    let keep = Math.min(this.key.length - 1, text.length);
    while (keep > 0 && !this.key.startsWith(text.slice(text.length - keep))) keep--;
    this.held = text.slice(text.length - keep);
    this.pass(text.slice(0, text.length - keep));
  }

  end(): void {
    this.pass(this.held);
    this.held = '';
  }

  private pass(text: string): void {
    if (text !== '') this.onText(text);
  }
}
