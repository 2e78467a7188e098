/** Recognises the reply of a language model that will not do what it was asked. */

const REFUSAL =
  /^(?:i['’]?m sorry|i am sorry|sorry\b|i apologi[sz]e|my apologies|i can(?:no|['’])?t\b|i can not\b|i(?: am|['’]?m) (?:unable|not able)\b|i won['’]?t\b|i will not\b|as an ai\b|as a language model\b)/i;

/** Returns true for a text that begins with a refusal. */
export const isRefusal = (text: string): boolean => REFUSAL.test(text.trimStart());
