/** An agent over documentation with three sets of tools, by the benchmark in `bench/agents`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentOutcome,
  type AgentResults,
  CURVE,
  type MeasuredSet,
} from '../../../bench/agents/outcomes.ts';
import { KINDS } from '../../../bench/documents/questions.ts';
import type { Block, Given, Report } from '../report.ts';
import { table } from '../tables.ts';
import { difference, estimate } from './documents-figures.ts';

/** The file in the work folder of the report that `npm run results:agents` writes. */
export const resultsFile = (work: string): string => join(work, 'agents.json');

const INTRODUCTION = `One agent (\`ToolLoopAgent\` of the AI SDK) with three sets of two tools, a search and a way to read
on, over the documents of \`bench/documents\`: \`grep\` and reading a file; the MCP server of QMD in
its mode by words, since its models cannot be had here; \`retrieve\` and \`read_document\` of
\`multihop/ai-sdk\`. The model sees the first 3,200 characters of each result; with short results
multihop returns 80 tokens of evidence a call in place of 350. Evidence is reached if the results
together match every pattern of the question's passages; an answer is right if it matches every
expression of the question. Questions are of the half that choices may use. Intervals are 95 % over
resampled questions. Written by \`npm run results:agents\`.`;

const SCRIPT = `No model: the script searches for the question, reads the best hit, searches for those words of the
question that no result has yet, and reads the hits in turn. It gives \`grep\` the four words of the
question that stand in the fewest files, as alternatives, and takes the files in the order of the
distinct words that match, in the file and then in one line; it gives QMD, whose search wants every
word, the same words, and without the most frequent until something is found; it gives multihop the
question. A token is counted as 4 characters.`;

const AGENT = `Qwen2.5-Coder of 1.5B parameters, 4 bits, without sampling; each reply is held to the JSON schema
of a call or an answer. The first step must search, the fourth must answer. Context is the tokens of
the last prompt, which holds all results; prompts is those of all prompts. The control answers
without tools. Questions are those all whose replies are recorded.`;

const COSTS = `Of the script: seconds of CPU and the most resident memory of its process, which holds the
tools, and of the server of QMD. The time of QMD holds that of \`grep\`, which counts the words for it.`;

const reached = ({ reached }: AgentOutcome): boolean => reached;
const right = ({ right }: AgentOutcome): boolean => right;

export const report = ({ work }: Given): Report => {
  const file = resultsFile(work);
  const results: AgentResults | undefined = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : undefined;
  const block =
    (render: (results: AgentResults) => string): Block =>
    () =>
      results && render(results);
  return {
    folder: 'agents',
    title: 'An agent over documentation',
    introduction: INTRODUCTION,
    evaluations: [],
    sections: [
      {
        heading: 'Evidence by a script, at equal tokens',
        blocks: [() => SCRIPT, block(curveTable), block(kindTable)],
      },
      {
        heading: 'Answers of the agent',
        blocks: [() => AGENT, block(agentTable), block(differences)],
      },
      { heading: 'Costs', blocks: [() => COSTS, block(costTable)] },
    ],
    figures: () => (results ? figuresOf(results) : {}),
  };
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const whole = (value: number): string => value.toFixed(0);

const curveTable = ({ sets }: AgentResults): string =>
  table(
    ['evidence reached, in tokens of results', ...CURVE.map(String)],
    sets.map(({ label, script }) => [
      label,
      ...CURVE.map((_, at) => estimate(script, outcome => outcome.reached[at])),
    ]),
  );

function kindTable({ sets }: AgentResults): string {
  const kinds = KINDS.filter(kind => sets[0]!.script.some(outcome => outcome.kind === kind));
  return table(
    [`evidence reached in ${CURVE.at(-1)} tokens`, ...kinds],
    sets.map(({ label, script }) => [
      label,
      ...kinds.map(kind =>
        estimate(
          script.filter(outcome => outcome.kind === kind),
          outcome => outcome.reached.at(-1),
        ),
      ),
    ]),
  );
}

function agentTable({ sets, control }: AgentResults): string {
  const rows = [...sets, { label: 'control: no tools', agent: control }];
  return table(
    ['agent', 'right', 'evidence reached', 'calls', 'context', 'prompts'],
    rows.map(({ label, agent }) => [
      label,
      estimate(agent, right),
      agent === control ? '–' : estimate(agent, reached),
      mean(agent.map(({ calls }) => calls.length)).toFixed(1),
      whole(mean(agent.map(({ context }) => context))),
      whole(mean(agent.map(({ read }) => read))),
    ]),
  );
}

function differences({ sets }: AgentResults): string {
  const isOurs = ({ label }: MeasuredSet): boolean => label.startsWith('multihop');
  const pairs = sets
    .filter(isOurs)
    .flatMap(ours => sets.filter(each => !isOurs(each)).map(each => [ours, each] as const));
  const lines = pairs.map(([ours, { label, agent, script }]) => {
    const answers = difference(ours.agent, agent, right);
    const evidence = difference(ours.agent, agent, reached);
    const scripted = difference(ours.script, script, outcome => outcome.reached[1]);
    return `- ${ours.label} less ${label}: right answers ${answers}; evidence of the agent ${evidence}; of the script in ${CURVE[1]} tokens ${scripted}.`;
  });
  return lines.join('\n');
}

const MIB = 2 ** 20;

const costTable = ({ sets }: AgentResults): string =>
  table(
    ['tools', 'index, s of CPU', 'index, MiB', 'memory, MiB', 's of CPU a question'],
    sets.map(({ label, index, own, server, script }) => [
      label,
      index ? whole(index.seconds) : '–',
      index ? whole(index.bytes / MIB) : '–',
      [own, ...(server ? [server] : [])].map(({ memory }) => whole(memory / MIB)).join(' + '),
      ((own.seconds + (server?.seconds ?? 0)) / script.length).toFixed(2),
    ]),
  );

/** Returns what `result.json` holds: the manifest, and one line of outcomes a set. */
const figuresOf = ({ sets, control, ...about }: AgentResults): object => ({
  ...about,
  questions: control.map(({ id }) => id),
  control: control.map(({ right }) => Number(right)),
  sets: sets.map(({ script, agent, ...set }) => ({
    ...set,
    script: CURVE.map((_, at) => script.map(({ reached }) => Number(reached[at]))),
    right: agent.map(({ right }) => Number(right)),
    reached: agent.map(({ reached }) => Number(reached)),
  })),
});
