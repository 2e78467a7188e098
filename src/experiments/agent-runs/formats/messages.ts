/**
 * Reads conversations with calls of tools: states of LangGraph, messages of LangChain, of the AI
 * SDK, of Mastra and of chat completions of OpenAI.
 */
import { defined } from '../../../core/defined.ts';
import { type AgentRun, fieldsOf, isFields, listOf, textOf } from '../agent-run.ts';
import { roleOf, runOfSaid, type Said, saidIn } from '../said-messages.ts';
import type { TraceFormat } from '../trace-format.ts';

export const messages: TraceFormat = {
  name: 'messages',
  summary:
    'states of LangGraph ({ messages }), and messages of LangChain, the AI SDK, Mastra or OpenAI',
  accepts: value =>
    roleOf(value) !== undefined ||
    (isFields(value) && listOf(value['messages']).some(one => roleOf(one) !== undefined)),
  runs: values => {
    const states = values.filter(value => Array.isArray(fieldsOf(value)['messages']));
    // A file that lists messages is one conversation.
    const lone = values.filter(value => roleOf(value) !== undefined);
    return [...(lone.length > 0 ? [{ messages: lone }] : []), ...states].flatMap(runsOfState);
  },
};

/** Returns a run for each question of a conversation. */
function runsOfState(state: unknown): AgentRun[] {
  const said = listOf(fieldsOf(state)['messages']).flatMap(saidIn);
  const turns: Said[][] = [];
  for (const one of said) {
    if (one.is === 'user' || turns.length === 0) turns.push([]);
    turns.at(-1)!.push(one);
  }
  const [id, agent] = [textOf(state, 'id'), textOf(state, 'agent')];
  return turns.map(turn => defined<AgentRun>({ agent, id, ...runOfSaid(turn) }));
}
