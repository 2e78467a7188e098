/** Runs the script with one set of tools: `node script.ts SET CORPUS WORK FILE`. */
import { writeFileSync } from 'node:fs';
import { SETS } from './indexes.ts';
import { CHARACTERS, CURVE, chosenQuestions, reached, type ScriptOutcome } from './outcomes.ts';
import { scripted } from './scripted.ts';
import { spentBy } from './spent.ts';

const [name, corpus, work, file] = process.argv.slice(2) as [string, string, string, string];
const most = CHARACTERS * CURVE.at(-1)!;
const tools = await SETS[name]!.open({ corpus, work });
const script: ScriptOutcome[] = [];
for (const question of chosenQuestions()) {
  const texts = await scripted(tools, question.question, most);
  const text = texts.join('\n');
  script.push({
    id: question.id,
    kind: question.kind,
    reached: CURVE.map(tokens => reached([text.slice(0, CHARACTERS * tokens)], question)),
    calls: texts.length,
  });
}

const own = spentBy();
const server = tools.server === undefined ? undefined : spentBy(tools.server);
await tools.close();
writeFileSync(file, JSON.stringify({ label: tools.label, own, server, script }));
process.exit();
