/** Reads how long a reply may be from the words of a server that refused a longer one. */
import { ANSWER_TOKENS } from '../models/short-answer.ts';

export interface ReplyLimit {
  /** Tokens that the reply of this request may have. */
  readonly now: number;
  /** Tokens that replies of later requests may have, whose prompts are of other lengths. */
  readonly later: number;
}

const NUMBER = '(\\d[\\d,_]{0,12})';
const CONTEXT = new RegExp(`context[ _](?:length|window|size|limit)\\D{0,40}${NUMBER}`, 'i');
const INPUT = new RegExp(
  [
    `${NUMBER}[ \`'"]{0,2}(?:inputs?|prompt)[ \`'"]{0,2}tokens`,
    `${NUMBER} (?:tokens )?(?:in|from|of) (?:the |your )?(?:messages?|prompt|input)`,
    `(?:inputs?|prompt|messages)(?: resulted in| has| have| is| are|:)? ${NUMBER} tokens`,
  ].join('|'),
  'i',
);
/** "188240 + 21333 > 200000": the prompt, the reply, the context. */
const SUM = new RegExp(`${NUMBER} \\+ ${NUMBER} > ${NUMBER}`);

/**
 * Returns the limit of a reply that is shorter than `asked`: the rest of the context, or the
 * greatest number that the server names. Where it names none and refuses the number, the half.
 * Returns undefined if there is no room for an answer: the prompt is too long then.
 */
export function replyLimit(
  words: string,
  asked: number,
  refusesNumber: boolean,
): ReplyLimit | undefined {
  const named = Array.from(words.matchAll(new RegExp(NUMBER, 'g')), ([text]) => amount(text));
  const smaller = named.filter(number => number < asked && number >= ANSWER_TOKENS);
  const [, sumInput, , sumContext] = SUM.exec(words) ?? [];
  const input = amount(sumInput ?? INPUT.exec(words)?.slice(1).find(Boolean));
  const context = amount(sumContext ?? CONTEXT.exec(words)?.[1]);
  const whole = context || (refusesNumber ? Math.max(0, ...smaller) : 0);
  const rest = input > 0 && whole > 0 ? whole - input : undefined;
  const other = refusesNumber ? (whole < asked && whole) || Math.floor(asked / 2) : 0;
  const now = rest ?? other;
  if (now < ANSWER_TOKENS || now >= asked) return undefined;
  // Half of a context stays for the prompt.
  return { now, later: rest === undefined ? now : Math.max(now, Math.floor(whole / 2)) };
}

const amount = (text: string | undefined): number => Number(text?.replace(/[,_]/g, '') ?? 0);
