/** A model of the AI SDK that calls one tool and answers once it has the result. */
export interface Scripted {
  readonly tool: string;
  readonly input: object;
  readonly answer: string;
}

interface Asked {
  readonly prompt: readonly { readonly role: string }[];
}

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** Returns the members of a mock, in the form that the versions 3 and 4 of its interface share. */
export function scripted({ tool: toolName, input, answer }: Scripted): never {
  const call = {
    type: 'tool-call',
    toolCallId: 'a',
    toolName,
    input: JSON.stringify(input),
  };
  const [calls, stop] = [{ unified: 'tool-calls' }, { unified: 'stop' }];
  const isAsked = ({ prompt }: Asked): boolean => prompt.some(({ role }) => role === 'tool');
  const ending = (asked: Asked) => ({
    finishReason: { ...(isAsked(asked) ? stop : calls), raw: undefined },
    usage: USAGE,
  });
  return {
    doGenerate: async (asked: Asked) => ({
      content: [isAsked(asked) ? { type: 'text', text: answer } : call],
      ...ending(asked),
      warnings: [],
    }),
    doStream: async (asked: Asked) => ({
      stream: ReadableStream.from([
        { type: 'stream-start', warnings: [] },
        ...(isAsked(asked)
          ? [
              { type: 'text-start', id: 't' },
              { type: 'text-delta', id: 't', delta: answer },
              { type: 'text-end', id: 't' },
            ]
          : [call]),
        { type: 'finish', ...ending(asked) },
      ]),
    }),
  } as never;
}
