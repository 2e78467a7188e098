/** Prints the settings of a family's members as Markdown, from `multihop list KIND --json`. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

interface ListedParameter {
  readonly name: string;
  readonly type: string;
  readonly default: unknown;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  readonly summary: string;
}
interface ListedMember {
  readonly name: string;
  readonly canonical: string;
  readonly summary: string;
  readonly parameters?: readonly ListedParameter[];
  readonly needs: readonly ListedNeed[];
  readonly paper?: string;
  readonly cost?: string;
}

const known = new Map<string, readonly ListedMember[]>();

/** Returns the members of a family, as the command lists them. */
export function listedMembers(root: string, kind: string): readonly ListedMember[] {
  const cached = known.get(kind);
  if (cached) return cached;
  const arguments_ = [join(root, 'src/cli/main.ts'), 'list', kind, '--json'];
  const printed = execFileSync(process.execPath, arguments_, { encoding: 'utf8' });
  const { members } = JSON.parse(printed) as { members: ListedMember[] };
  known.set(kind, members);
  return members;
}

interface ListedNeed {
  readonly port: string;
  readonly id?: string;
  readonly optional?: boolean;
}

const needWords = ({ port, id }: ListedNeed): string => (id === undefined ? port : `${port} ${id}`);

/** Prints one member: what it needs and costs, and a table of its settings. */
export function printMember(root: string, kind: string, name: string): string {
  const member = listedMembers(root, kind).find(each => each.name === name);
  if (!member) throw new Error(`no member "${name}" in ${kind}`);
  const { summary, needs, paper, cost, canonical } = member;
  const facts = [
    ['canonical name', `\`${canonical}\``],
    [
      'needs',
      needs
        .filter(({ optional }) => !optional)
        .map(needWords)
        .join(', '),
    ],
    [
      'uses, if the run has it',
      needs
        .filter(({ optional }) => optional)
        .map(needWords)
        .join(', '),
    ],
    ['cost', cost ?? ''],
    ['paper', paper ?? ''],
  ].filter(([, value]) => value !== '');
  return [
    `${summary}.`,
    '',
    ...facts.map(([term, value]) => `- ${term}: ${value}`),
    ...(member.parameters?.length ? ['', ...settingsTable(member.parameters)] : []),
  ].join('\n');
}

/** Prints all members of a family as one table. */
export function printFamily(root: string, kind: string): string {
  return [
    '| name | summary | settings |',
    '| --- | --- | --- |',
    ...listedMembers(root, kind).map(({ name, summary, parameters = [] }) => {
      const settings = parameters.map(each => `\`${each.name}=${printedValue(each.default)}\``);
      return row([`\`${name}\``, summary, settings.join(', ')]);
    }),
  ].join('\n');
}

function settingsTable(parameters: readonly ListedParameter[]): string[] {
  return [
    '| setting | default | values | meaning |',
    '| --- | --- | --- | --- |',
    ...parameters.map(parameter =>
      row([
        `\`${parameter.name}\``,
        `\`${printedValue(parameter.default)}\``,
        rangeOf(parameter),
        parameter.summary,
      ]),
    ),
  ];
}

function rangeOf({ type, min, max, choices }: ListedParameter): string {
  if (choices) return choices.map(choice => `\`${choice}\``).join(', ');
  if (min === undefined && max === undefined) return type;
  if (max === undefined) return `${type}, at least ${min}`;
  return min === undefined ? `${type}, at most ${max}` : `${type}, ${min} to ${max}`;
}

const printedValue = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'name' in value
    ? String(value.name)
    : String(value);

const row = (cells: readonly string[]): string =>
  `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
