/** The documents, the tool and the script that every recorded agent has. */

export const QUESTION = 'Who leads the owner of the bay where the Linnet lost its engines?';
export const ANSWER = 'Nobody that I found leads the Tern Trust.';

/** Queries of the agent, one a step; the last piece of evidence is never asked for. */
export const QUERIES = ['Linnet lost engines', 'owner of Sorrel Bay'];

/** Replies of a model of the AI SDK, in turn. */
export const REPLIES = [
  ...QUERIES.map((query, index) =>
    reply('tool-calls', {
      type: 'tool-call' as const,
      toolCallId: `call-${index}`,
      toolName: 'search',
      input: JSON.stringify({ query }),
    }),
  ),
  reply('stop', { type: 'text' as const, text: ANSWER }),
];

function reply<R extends string, C>(unified: R, content: C) {
  return {
    content: [content],
    finishReason: { unified, raw: undefined },
    usage: {
      inputTokens: { total: 120, noCache: 120, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 15, text: 15, reasoning: 0 },
    },
    warnings: [],
  };
}

export const DOCUMENTS = [
  { id: 'linnet', title: 'The Linnet', text: 'The Linnet lost its engines in Sorrel Bay.' },
  { id: 'bay', title: 'Sorrel Bay', text: 'Sorrel Bay belongs to the Tern Trust.' },
  { id: 'trust', title: 'The Tern Trust', text: 'Ada Quill leads the Tern Trust.' },
  { id: 'rain', title: 'Weather', text: 'Rain fell on the owner of a kiosk for two days.' },
];

/** The agent's own search: documents by the number of words of the query that they hold. */
export function search(query: string): object[] {
  const words = query.toLowerCase().split(/\W+/);
  return DOCUMENTS.map(document => {
    const text = `${document.title} ${document.text}`.toLowerCase();
    return { ...document, score: words.filter(word => text.includes(word)).length };
  })
    .filter(({ id, score }) => score > 0 && id !== 'trust')
    .sort((a, b) => b.score - a.score)
    .slice(0, 2);
}

/** The question with its gold, as `multihop score --questions` reads it. */
export const questions = (): object[] => [
  { id: 'linnet', question: QUESTION, answer: 'Ada Quill', gold_ids: ['linnet', 'bay', 'trust'] },
];
