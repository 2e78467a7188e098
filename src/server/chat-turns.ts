/** Reads the messages of a chat as the turns of a conversation. */
import type { Turn } from '../language/follow-ups/turn.ts';
import { WITHDRAWN } from '../session/streamed-answer.ts';
import { EVIDENCE_HEAD, QUESTION_HEAD, UNSURE_HEAD } from './chat-answer.ts';
import type { ChatInput } from './chat-schemas.ts';

type Messages = ChatInput['messages'];

/** Returns the text of the last message of the user; empty if there is none. */
export function lastQuestion(messages: Messages): string {
  const last = messages.findLast(({ role }) => role === 'user');
  return last === undefined ? '' : textOf(last.content).trim();
}

/**
 * Returns the turns before the last message of the user, the oldest first: each message of the user
 * with those of the assistant behind it. Other roles, and messages without text, are none.
 */
export function earlierTurns(messages: Messages): Turn[] {
  const end = messages.findLastIndex(({ role }) => role === 'user');
  const turns: Turn[] = [];
  for (const { role, content } of messages.slice(0, Math.max(0, end))) {
    const text = textOf(content).trim();
    if (text === '') continue;
    if (role === 'user') turns.push({ question: text });
    const last = turns.at(-1);
    if (role === 'assistant' && last !== undefined) turns.splice(-1, 1, answered(last, text));
  }
  return turns;
}

/** Adds an answer without what this server writes behind one; the question that it names counts. */
function answered({ question, answer: before }: Turn, content: string): Turn {
  const shown = upTo(content, content.lastIndexOf(`${EVIDENCE_HEAD}\n[`));
  const text = upTo(shown, shown.lastIndexOf(UNSURE_HEAD));
  const at = text.lastIndexOf(QUESTION_HEAD);
  const named = at < 0 ? '' : plainAgain(text.slice(at + QUESTION_HEAD.length)).trim();
  const [answer] = plainAgain(withoutFooter(upTo(text, at)))
    .split(WITHDRAWN)
    .slice(-1)
    .map(part => part.trim());
  // An abstention names candidates, none of which was the answer.
  const said = ABSTAINED.test(answer!) ? undefined : answer;
  return {
    question: named === '' ? question : named,
    answer: before === undefined || said === undefined ? (said ?? before) : `${before}\n${said}`,
  };
}

/** Leaves out the line that the server writes behind an answer. */
function withoutFooter(text: string): string {
  const answer = text.trimEnd();
  const at = Math.max(...FOOTERS.map(head => answer.lastIndexOf(head)));
  return answer.includes('\n', at + 2) ? answer : upTo(answer, at);
}

/** Begin that line; the server names a stop before the reader. */
const FOOTERS = ['\n\nRead by ', '\n\nThe run was stopped: '];

/** Matches how the server words an abstention; "No evidence of life" is an answer. */
const ABSTAINED = /^No (?:answer(?::| above | was )|evidence was found)/;

const upTo = (text: string, at: number): string => (at < 0 ? text : text.slice(0, at));

/** Takes the escapes of Markdown out again. */
const plainAgain = (text: string): string => text.replace(/\\([\\`*_[\]<>!#|~])/g, '$1');

/** A content is a text, or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const parts = content as readonly { readonly type?: string; readonly text?: string }[];
  return parts.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n');
}
