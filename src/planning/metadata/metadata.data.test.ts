/**
 * Compares the rules and the published GPT-3.5 filters with the gold sources of the dev half of
 * MultiHop-RAG.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type ExtractedFilter,
  type MetadataCatalogue,
  unknownSourceOnly,
} from '../../language/catalogue.ts';
import { extractByRules } from '../../language/english/question/extract-by-rules.ts';
import { cleanedFilter, readRecordedFilters } from './replayed.ts';

const data = process.env['MULTIHOP_DATA'];

interface Asked {
  readonly query: string;
  readonly question_type: string;
  readonly evidence_list: readonly { readonly source: string }[];
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(join(data!, 'multihop-rag', file), 'utf8')) as T;
}

test('the rules find the gold sources at least as often as GPT-3.5', {
  skip: data ? false : 'MULTIHOP_DATA is not set',
}, t => {
  const corpus = read<{ source: string; published_at: string }[]>('corpus.json');
  const catalogue: MetadataCatalogue = {
    sources: [...new Set(corpus.map(({ source }) => source))],
    days: [...new Set(corpus.map(each => each.published_at.slice(0, 10)))].sort(),
  };
  const recorded = readRecordedFilters(read('query_metadata_filters.dev.json'));
  const all = read<Asked[]>('MultiHopRAG.dev.json');
  const nulls = all.filter(asked => asked.question_type === 'null_query');
  const graded = all.filter(asked => asked.question_type !== 'null_query');
  const exact = (extract: (question: string) => ExtractedFilter): number =>
    graded.filter(({ query, evidence_list }) => {
      const gold = new Set(evidence_list.map(({ source }) => source));
      const { sources } = extract(query);
      return sources.length === gold.size && sources.every(source => gold.has(source));
    }).length / graded.length;
  const rules = exact(query => extractByRules(query, catalogue));
  const model = exact(query => cleanedFilter(recorded.get(query), catalogue));
  const refused = (asked: readonly Asked[]): number =>
    asked.filter(({ query }) => unknownSourceOnly(extractByRules(query, catalogue))).length;
  t.diagnostic(`exact source set: rules ${rules.toFixed(4)}, GPT-3.5 ${model.toFixed(4)}`);
  t.diagnostic(
    `unknown sources only: ${refused(nulls)} of ${nulls.length} null questions, ${refused(graded)} of ${graded.length} others`,
  );
  // On the full data: .922 for plain substrings, .917 for GPT-3.5.
  assert.ok(
    rules >= 0.922 && rules > model && Math.abs(model - 0.917) < 0.01,
    `${rules} and ${model}`,
  );
  assert.equal(refused(graded), 0);
  assert.ok(refused(nulls) > nulls.length / 3);
});
