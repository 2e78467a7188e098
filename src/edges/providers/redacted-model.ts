/**
 * A language model behind a server that may say its own key back, as proxies that show requests do:
 * what it says goes into traces and cassettes.
 */
import type { LanguageModel } from '../../models/language-model.ts';
import type { Secret } from './secret.ts';

const REDACTED = '[redacted]';
/**
 * What is shorter or without a digit is a word that a server without keys is given, "ollama", and
 * may stand in any text.
 */
const LEAST_KEY = 12;

/** The same model; in its texts stands `[redacted]` where the whole key stood. */
export function redactedModel(model: LanguageModel, secret: Secret | undefined): LanguageModel {
  const key = secret?.reveal() ?? '';
  if (key.length < LEAST_KEY || !/\d/.test(key)) return model;
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

/** A key may be cut anywhere: what may yet turn out to be one is held back. */
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
