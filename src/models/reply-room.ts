/**
 * Leaves a language model room to write: a least limit for its replies, and tokens for thoughts,
 * which most servers count against the limit of the reply.
 */
import { defined } from '../core/defined.ts';
import { PortError } from '../core/errors.ts';
import type { Call } from '../core/trace/call.ts';
import { decorated } from './checked-completion.ts';
import type { Completion, LanguageModel, Prompt, TokenUsage } from './language-model.ts';
import { tokensOf } from './prompt-tokens.ts';
import { usageOf } from './reserved-model.ts';
import { beginsInThought, OPENING, withoutThinking } from './thoughts.ts';

/** Limits on the replies of a language model. */
export interface ReplyRoom {
  /** Least limit on the tokens of an answer; prompts ask for 24 to 1024 if missing. */
  readonly outputTokens?: number | undefined;
  /**
   * Tokens that a reply may have for thoughts, beyond those of its answer. If missing,
   * `THINKING_TOKENS` once the model was seen to think, before that none.
   */
  readonly thinkingTokens?: number | undefined;
}

/**
 * Room for thoughts: a usual server, of 90 tokens a second, writes about as many within the 90 s
 * that a reply may take, so that a longer thought would meet the time limit first.
 */
export const THINKING_TOKENS = 8192;

/**
 * Returns the model with this room. A reply that is cut while the model thinks is asked for once
 * more with room for thoughts, where the budget has that room; its use is that of both. Half of a
 * context that is known stays for the prompt. `onNote`
 * receives, once, that the model thinks.
 */
export function withReplyRoom(
  model: LanguageModel,
  { outputTokens = 0, thinkingTokens }: ReplyRoom,
  onNote: (text: string) => void = () => {},
): LanguageModel {
  let room = thinkingTokens ?? 0;
  let startsInThought = model.startsInThought?.();
  const half = Math.floor((model.contextTokens ?? Number.POSITIVE_INFINITY) / 2);
  const most = (maxTokens: number, thoughts: number): number =>
    Math.min(half, Math.max(maxTokens, outputTokens) + thoughts);
  const roomy = decorated(model, async (prompt, call, onText) => {
    const pieces = onText && new HeldThought(onText);
    const ask = (thoughts: number): Promise<Completion> =>
      model.generate(
        { ...prompt, maxTokens: most(prompt.maxTokens, thoughts) },
        call,
        pieces && (piece => pieces.push(piece)),
      );
    const first = await ask(room);
    // One that did may do so again.
    startsInThought ||= seenIn(first, prompt) ?? startsInThought;
    if (thinkingTokens === undefined && room === 0 && thinks(first)) {
      room = THINKING_TOKENS;
      onNote(`The model "${model.id}" thinks: requests leave it ${room} more tokens from now on`);
      const [before, now] = [most(prompt.maxTokens, 0), most(prompt.maxTokens, room)];
      if (first.cut?.thinking && now > before && hasRoom(model, prompt, call, now)) {
        pieces?.drop();
        const second = await again(() => ask(room));
        if (second) {
          pieces?.end();
          return { ...second, usage: sumOf(first, second) };
        }
      }
    }
    pieces?.end();
    return first;
  });
  const id = `${model.id}${markOf({ outputTokens, thinkingTokens })}`;
  return {
    ...roomy,
    id,
    replyTokens(maxTokens) {
      const tokens = most(maxTokens, room);
      return model.replyTokens?.(tokens) ?? tokens;
    },
    startsInThought: () => startsInThought,
  };
}

/** Tells if a reply begins inside a thought; undefined if it does not show that. */
function seenIn({ text, finish }: Completion, { schema }: Prompt): boolean | undefined {
  if (beginsInThought(text)) return true;
  // A model that a schema binds may think in its other replies.
  return finish === 'stop' && !schema ? false : undefined;
}

/** Marks settings, which may change the texts: `(output=4000, thinking=0)`. */
function markOf({ outputTokens, thinkingTokens }: ReplyRoom): string {
  const settings = [
    ...(outputTokens ? [`output=${outputTokens}`] : []),
    ...(thinkingTokens === undefined ? [] : [`thinking=${thinkingTokens}`]),
  ];
  return settings.length === 0 ? '' : `(${settings.join(', ')})`;
}

/** Returns undefined if the prompt and the larger reply do not fit into the model's context. */
async function again(ask: () => Promise<Completion>): Promise<Completion | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (PortError.is(error) && error.code === 'context-full') return undefined;
    throw error;
  }
}

const thinks = ({ text, usage, cut }: Completion): boolean =>
  (usage.thoughts ?? 0) > 0 ||
  cut?.thinking === true ||
  text.trimStart().startsWith(OPENING) ||
  beginsInThought(text);

/** Tells if the budget and the context hold a prompt with a reply of so many tokens. */
function hasRoom(model: LanguageModel, prompt: Prompt, call: Call, output: number): boolean {
  const input = tokensOf(model, prompt);
  if (input + output > (model.contextTokens ?? Number.POSITIVE_INFINITY)) return false;
  const used: Readonly<Record<string, number>> = usageOf({ input, output }, model.price);
  return Object.entries(call.left()).every(
    ([limit, left]) => limit === 'modelCalls' || (used[limit] ?? 0) <= left,
  );
}

function sumOf({ usage: first }: Completion, { usage: second }: Completion): TokenUsage {
  const thoughts = (first.thoughts ?? 0) + (second.thoughts ?? 0);
  return defined<TokenUsage>({
    input: first.input + second.input,
    output: first.output + second.output,
    thoughts: thoughts || undefined,
    estimated: first.estimated || second.estimated,
  });
}

/** Passes pieces on once they are more than a thought, so that a cut thought can be dropped. */
class HeldThought {
  private held = '';
  private readonly onText: (piece: string) => void;

  constructor(onText: (piece: string) => void) {
    this.onText = onText;
  }

  push(piece: string): void {
    this.held += piece;
    const begun = this.held.trimStart();
    const mayThink = OPENING.startsWith(begun) || begun.startsWith(OPENING);
    if (!mayThink || (begun.length > OPENING.length && withoutThinking(begun).trim() !== ''))
      this.end();
  }

  drop(): void {
    this.held = '';
  }

  end(): void {
    if (this.held !== '') this.onText(this.held);
    this.held = '';
  }
}
