/**
 * The server from code over a model of this process, which writes pieces at set times: what streams
 * cost without a client of a model. `streaming-server.ts STORE PIECES EVERY_MS STREAMS`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { LanguageModel } from '../../src/models/language-model.ts';
import { openServer } from '../../src/server/index.ts';

const [store, pieces, everyMs, streams] = process.argv.slice(2);
/** A question with this word is answered at once. */
const AT_ONCE = 'warm-up';
const SENTENCE = 'The passages say so [1]. ';

/** The time is in the piece: readers tell by it how late an event came. */
const pieceOf = (time: number): string => `${time} `;

const model: LanguageModel = {
  id: 'paced',
  async generate({ messages }, { signal }, onText) {
    const count = messages.at(-1)!.text.includes(AT_ONCE) ? 1 : Number(pieces);
    const [started, time] = [performance.now(), Date.now()];
    // A stream is shown from its first citation on.
    onText?.(SENTENCE);
    // A piece names the time that it is due at, so that the text needs no memory until the end.
    const piece = (at: number): string => pieceOf(time + at * Number(everyMs));
    for (let sent = 0; sent < count; sent++) {
      const left = started + sent * Number(everyMs) - performance.now();
      if (left > 0) await wait(left, undefined, { signal });
      onText?.(piece(sent));
    }
    const text = [SENTENCE, ...Array.from({ length: count }, (_, at) => piece(at))].join('');
    return { text, usage: { input: 100, output: 20 }, finish: 'stop' };
  },
};

const count = Number(streams);
const server = await openServer(store!, {
  model,
  token: process.env.MULTIHOP_TOKEN!,
  limits: {
    concurrent: count,
    queue: count,
    perMinute: 1e9,
    connections: 2 * count,
    clientConnections: 2 * count,
  },
});
console.log(JSON.stringify({ url: await server.listen({ port: 0 }) }, undefined, 2));
process.on('SIGTERM', () => void server.close());
