/** `multihop list`: lists every named member with its parameters, needs, paper and cost. */
import { contexts } from '../../context/contexts.ts';
import { chunkers } from '../../core/corpus/chunk.ts';
import { InputError } from '../../core/errors.ts';
import type { Family, Member, Parameter } from '../../core/naming/family.ts';
import { printValue } from '../../core/naming/name.ts';
import { didYouMean } from '../../core/naming/nearest.ts';
import type { Need } from '../../core/port.ts';
import { formats } from '../../documents/formats.ts';
import { answerControls } from '../../evaluation/answer-controls.ts';
import { measures } from '../../evaluation/measures.ts';
import { metadataExtractors } from '../../planning/metadata/extractors.ts';
import { planners } from '../../planning/planners.ts';
import { readers } from '../../readers/readers.ts';
import { scorers } from '../../search/indexes/lexical/scorers.ts';
import { retrievers } from '../../search/retrievers.ts';
import { textTemplates } from '../../search/vectors/text-templates.ts';
import { strategies } from '../../strategies/strategies.ts';
import type { Command, CommandContext } from '../command.ts';
import type { Output } from '../output.ts';
import { wrapBehind } from '../wrap.ts';

type Listed = Pick<Family<unknown>, 'members' | 'canonical' | 'create'>;

const FAMILIES: Readonly<Record<string, Listed>> = {
  strategies,
  retrievers,
  scorers,
  contexts,
  readers,
  planners,
  extractors: metadataExtractors,
  chunkers,
  controls: answerControls,
  templates: textTemplates,
  measures,
};
const KINDS = [...Object.keys(FAMILIES), 'formats'];

export const command: Command = {
  positionals: [
    {
      name: 'KIND',
      optional: true,
      summary: `one of ${KINDS.join(', ')}; without it, the names of all`,
    },
  ],
  options: [],
  examples: [
    { line: 'multihop list strategies', says: 'every strategy with its parameters' },
    { line: 'multihop list', says: 'all names' },
  ],
  notes: [
    'A name takes parameters in parentheses: "iterative(rounds=3)", "lexical(s1, unit=passage)". Quote it for the shell.',
    '--json prints { kind, members: [{ name, canonical, summary, parameters, needs: [{ port, id, optional }], paper, cost }] }, or the names by kind.',
  ],
  run: list,
};

async function list({ positionals, output }: CommandContext): Promise<number> {
  const kind = positionals[0];
  if (kind === undefined) listNames(output);
  else if (kind === 'formats') listFormats(output);
  else listFamily(kind, familyOf(kind), output);
  return 0;
}

function familyOf(kind: string): Listed {
  const family = Object.hasOwn(FAMILIES, kind) ? FAMILIES[kind] : undefined;
  if (family) return family;
  const near = didYouMean(kind, KINDS);
  throw new InputError('unknown-kind', `Unknown kind "${kind}"`, {
    expected: `one of ${KINDS.join(', ')}`,
    hint: near || undefined,
  });
}

function listNames(output: Output): void {
  const names = Object.fromEntries(
    Object.entries(FAMILIES).map(([kind, { members }]) => [kind, members.map(({ name }) => name)]),
  );
  const all: Record<string, readonly string[]> = {
    ...names,
    formats: formats.map(({ name }) => name),
  };
  if (output.json) {
    output.object(all);
    return;
  }
  for (const [kind, list] of Object.entries(all))
    for (const line of wrapBehind(kind.padEnd(12), list.join(', '), output.width))
      output.line(line);
}

function listFormats(output: Output): void {
  const list = formats.map(({ name, extensions, summary }) => ({ name, summary, extensions }));
  if (output.json) {
    output.object({ kind: 'formats', members: list });
    return;
  }
  for (const { name, extensions, summary } of list) {
    output.line(output.style.bold(name));
    for (const line of wrapBehind(
      '  ',
      `${summary} (${extensions.map(extension => `.${extension}`).join(', ')})`,
      output.width,
    ))
      output.line(line);
  }
}

function listFamily(kind: string, { members, canonical, create }: Listed, output: Output): void {
  const full = (member: Member<unknown>): string => canonicalOf(member, canonical);
  if (output.json) {
    output.object({
      kind,
      members: members.map(member => describe(member, full(member), needsOf(member, create))),
    });
    return;
  }
  for (const [index, member] of members.entries()) {
    if (index > 0) output.line();
    output.line(output.style.bold(full(member)));
    for (const line of wrapBehind('  ', member.summary, output.width)) output.line(line);
    for (const parameter of member.parameters ?? [])
      for (const line of parameterLines(parameter, output)) output.line(line);
    for (const [label, value] of Object.entries(facts(member, needsOf(member, create))))
      for (const line of wrapBehind(`  ${label}: `, value, output.width))
        output.line(output.style.faint(line));
  }
}

/** Returns the name itself if it has no canonical form, as `Recall@k` without a number. */
function canonicalOf({ name }: Member<unknown>, canonical: (name: string) => string): string {
  try {
    return canonical(name);
  } catch {
    return name;
  }
}

interface ListedNeed {
  readonly port: string;
  readonly id?: string;
  readonly optional?: boolean;
}

/**
 * Returns the needs that a member declares under its default settings. A member that names a
 * resource and has no default for it, such as `reranked`, is listed by the ports of its parameters.
 */
function needsOf(
  { name, parameters = [] }: Member<unknown>,
  create: Listed['create'],
): ListedNeed[] {
  const byParameters = parameters.flatMap(({ port }) => (port === undefined ? [] : [{ port }]));
  try {
    const { needs = [] } = create(name) as { readonly needs?: readonly Need[] };
    return needs.map(({ port, id, optional }) => ({
      port: port.name,
      id,
      optional: optional || undefined,
    }));
  } catch (error) {
    if (InputError.is(error)) return byParameters;
    throw error;
  }
}

const needWords = ({ port, id }: ListedNeed): string => (id === undefined ? port : `${port} ${id}`);

function facts(
  { paper, cost }: Member<unknown>,
  needs: readonly ListedNeed[],
): Record<string, string> {
  const required = needs.filter(({ optional }) => !optional);
  const better = needs.filter(({ optional }) => optional);
  const facts: Record<string, string> = {
    needs: required.map(needWords).join(', '),
    'better with': better.map(needWords).join(', '),
    paper: paper ?? '',
    cost: cost ?? '',
  };
  return Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== ''));
}

function parameterLines(
  { name, summary, default: value, ...rest }: Parameter,
  { width, style }: Output,
): string[] {
  const head = `  ${name}=${printValue(value)}`.padEnd(22);
  const range = rangeWords(rest);
  return wrapBehind(`${style.cyan(head)} `, range ? `${summary} (${range})` : summary, width, 23);
}

function rangeWords({
  type,
  min,
  max,
  choices,
}: Pick<Parameter, 'type' | 'min' | 'max' | 'choices'>): string {
  if (choices) return choices.join(' | ');
  if (type !== 'integer' && type !== 'number') return type === 'flag' ? 'true | false' : '';
  const what = type === 'integer' ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) return `${what} from ${min} to ${max}`;
  return min !== undefined
    ? `${what} of at least ${min}`
    : max !== undefined
      ? `${what} of at most ${max}`
      : what;
}

function describe(
  { name, summary, parameters, paper, cost }: Member<unknown>,
  full: string,
  needs: readonly ListedNeed[],
): unknown {
  const list = (parameters ?? []).map(({ default: value, ...parameter }) => ({
    ...parameter,
    default: typeof value === 'object' ? printValue(value) : value,
  }));
  return {
    name,
    canonical: full,
    summary,
    parameters: list,
    needs,
    paper,
    cost,
  };
}
