/**
 * `npm run plans:documents -- --model NAME --out FILE [--set NAME] [--held] [--kind KIND ...]`: has
 * a language model write the plan that `fact-lanes(plan=model)` asks it for, once for each question
 * of the half that choices may use, or with `--held` of the other;
 * `npm run results:documents -- --plans FILE` follows it without the model. The file is written
 * after each question, and a later run goes on with those that it lacks.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../lab/results/steps.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { modelSubQuestions } from '../../src/planning/sub-questions/model-sub-questions.ts';
import { resolveModel } from '../../src/providers/resolve-model.ts';
import { SPLIT } from '../../src/strategies/fact-lanes/plan.ts';
import { documentQuestions, type Half, halfOf } from './questions.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    out: { type: 'string' },
    set: { type: 'string', default: 'fresh' },
    held: { type: 'boolean', default: false },
    kind: { type: 'string', multiple: true, default: ['multi-hop', 'one-hop', 'how-to'] },
  },
});
const { model: name, out } = values;
if (name === undefined || out === undefined)
  throw new Error('expected --model NAME, such as gguf:FILE, and --out FILE');

interface Plan {
  readonly id: string;
  readonly question: string;
  readonly subQuestions: readonly string[];
}

const file = resolve(out);
const plans: Plan[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
const half: Half = values.held ? 'held' : 'tune';
const known = new Set(plans.map(({ id }) => id));
const missing = documentQuestions(values.set === 'fresh' ? 'fresh' : 'first').filter(
  ({ id, kind }) => halfOf(id) === half && values.kind.includes(kind) && !known.has(id),
);
// The library of a GGUF model is found from the folder in which it is installed.
process.chdir(join(ROOT, 'gguf-test'));
const model = await resolveModel('model', name, { env: process.env, answerMs: 3_600_000 });
for (const [at, { id, question }] of missing.entries()) {
  const { questions } = await modelSubQuestions(model, question, SPLIT, freeCall());
  plans.push({ id, question, subQuestions: questions });
  writeFileSync(`${file}.part`, `${JSON.stringify(plans, null, 2)}\n`);
  renameSync(`${file}.part`, file);
  console.error(`${at + 1}/${missing.length} ${id} ${JSON.stringify(questions)}`);
}
await model.close?.();
