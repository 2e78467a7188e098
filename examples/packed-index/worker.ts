/**
 * A worker of Cloudflare that answers `GET /?question=...` over a corpus which is deployed with it:
 * `pack.ts corpus.bin PATH...`, then `npx wrangler deploy`.
 */
import { ask, InputError } from 'multihop';
import type { EmbeddedEngine } from 'multihop/retrieval';
import corpus from './corpus.bin';
import { openPacked } from './packed-file.ts';

// The engine and not its promise: a worker may not await what another request began.
let engine: EmbeddedEngine | undefined;

export default {
  async fetch(request: Request): Promise<Response> {
    const question = new URL(request.url).searchParams.get('question');
    if (question === null)
      return Response.json({ error: 'expected ?question=...' }, { status: 400 });
    engine ??= await openPacked(corpus);
    try {
      const { answer, evidence, spent } = await ask(question, {
        engine,
        budget: { documents: 8, retrievals: 20 },
        signal: request.signal,
      });
      const sources = [...new Set(evidence.map(({ title }) => title))];
      return Response.json({ answer, sources, spent });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return Response.json({ error: error.message, code: error.code }, { status: 400 });
    }
  },
};
