/**
 * Checks every regular expression of the project by its structure: none takes exponential time,
 * and those that may take quadratic time over some text are known by file. That their texts are
 * short, or their work linear in what they are given, is for `growth.test.ts` to count.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { analyse } from 'scslre';
import { childrenOf, type Node } from '../tools/house/nodes.ts';
import { parseTypeScript } from '../tools/house/syntax.ts';

interface Found {
  readonly path: string;
  readonly expression: RegExp;
}

function expressionsIn(path: string, node: Node): Found[] {
  const given = node['regex'] as { readonly pattern: string; readonly flags: string } | undefined;
  const own = given ? [{ path, expression: new RegExp(given.pattern, given.flags) }] : [];
  return [...own, ...childrenOf(node).flatMap(child => expressionsIn(path, child))];
}

const all = globSync('src/**/*.ts')
  .filter(path => !path.endsWith('.test.ts'))
  .map(path => path.replaceAll('\\', '/'))
  .flatMap(path => expressionsIn(path, parseTypeScript(path, readFileSync(path, 'utf8'))));

/** Two loops that may share what they match: "trade", or one loop in itself: "self". */
const slow = ({ expression }: Found) =>
  analyse(expression, { reportTypes: { Move: false }, maxReports: 1 }).reports;

const KNOWN: Readonly<Record<string, number>> = {
  'src/core/corpus/filter-expression.ts': 1,
  'src/core/corpus/filter.ts': 1,
  'src/cli/chat/slash-commands.ts': 1,
  'src/cli/command-line.ts': 2,
  'src/cli/configured-arguments.ts': 1,
  'src/stores/servers/opensearch/facts.ts': 1,
  'src/stores/servers/postgres/filter.ts': 1,
  'src/documents/files/encoding.ts': 1,
  'src/core/text/identifiers.ts': 1,
  'src/core/text/ordinals.ts': 1,
  'src/documents/blocks/front-matter.ts': 1,
  'src/documents/formats/man/macros.ts': 1,
  'src/documents/formats/markdown/inline.ts': 1,
  'src/documents/formats/man/roff-lines.ts': 1,
  'src/documents/formats/pdf/line-ends.ts': 2,
  'src/documents/formats/rst/blocks.ts': 2,
  'src/documents/formats/rst/directives.ts': 2,
  'src/documents/formats/rst/rst.ts': 1,
  'src/documents/formats/rst/substitutions.ts': 1,
  'src/documents/data-sets/trec-run.ts': 1,
  'src/models/fact-reader/fact-checkpoint.ts': 1,
  'src/core/naming/name.ts': 2,
  'src/planning/claims/entities.ts': 1,
  'src/language/english/question/courtesy.ts': 2,
  'src/language/english/names/citing-words.ts': 1,
  'src/language/english/question/question-type.ts': 1,
  'src/planning/sub-questions/nested-sub-questions.ts': 2,

  // Addresses that a user types, a refusal in words, and the first lines of a model's card.
  'src/providers/endpoint.ts': 1,
  'src/providers/model-servers.ts': 2,
  'src/providers/fitted-text.ts': 1,
  'src/providers/local-models/folder-models.ts': 1,

  'src/readers/open/type-features.ts': 1,
  'src/readers/open/verdicts.ts': 1,
  'src/language/english/question/asked-form.ts': 3,
  'src/language/english/values/spans.ts': 1,
  'src/search/retrievers/fused.ts': 1,
  'src/strategies/bridge-claims/prompts.ts': 1,
};

test('no expression takes exponential time', () => {
  assert.ok(all.length > 1000);
  assert.ok(slow({ path: '', expression: /^(?:\s*\n)*x/ })[0]!.exponential, 'is found');
  const found = all.filter(each => slow(each).some(({ exponential }) => exponential));
  assert.deepEqual(
    found.map(({ path, expression }) => `${path}: ${expression}`),
    [],
  );
});

test('those that may take quadratic time are known', () => {
  const counts: Record<string, number> = {};
  for (const each of all)
    if (slow(each).length > 0) counts[each.path] = (counts[each.path] ?? 0) + 1;
  assert.deepEqual(counts, KNOWN);
});
