/** Adds documents and changes each once, until it is killed: `writer.ts ADDRESS NUMBER`. */
import { freeCall } from '../../src/core/trace/call.ts';
import { openEngine } from '../../src/stores/servers/open-engine.ts';

const [, , url, number] = process.argv;
const engine = await openEngine(url!);
for (let at = 0; ; at++)
  for (const text of ['First said.', `Then said by ${number}, number ${at}.`]) {
    const document = { id: `killed-${number}-${at}`, title: '', text, metadata: {} };
    await engine.put([document], freeCall());
    // Acknowledged, and so must be found.
    console.log(JSON.stringify([document.id, text]));
  }
