/**
 * `npm run documents -- [--cache DIR] [--check] [--shown]`: fetches the corpus of documents and
 * prints what it holds; with `--check`, matches every pattern of the questions against it, with
 * `--shown` against the text that `readDocuments` makes of it: a fault there is a fact lost.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkQuestions, shownWords } from './check.ts';
import { documentsOf, fetchCorpus } from './corpus.ts';
import { documentQuestions, halfOf, KINDS } from './questions.ts';

const { values } = parseArgs({
  options: {
    cache: { type: 'string' },
    check: { type: 'boolean', default: false },
    shown: { type: 'boolean', default: false },
  },
});
const cache = resolve(values.cache ?? process.env['MULTIHOP_CACHE'] ?? '.cache');
const corpus = await fetchCorpus(cache, line => console.error(line));
const { packages, missing } = corpus;
console.log(
  `${documentsOf(corpus).length} documents of ${packages.length - missing.size} packages`,
);
console.log(`in ${corpus.folder}`);
for (const [name, reason] of missing) console.log(`cannot be had: ${name}: ${reason}`);
if (values.check || values.shown) {
  const questions = documentQuestions();
  const { checked, without, faults } = checkQuestions(
    questions,
    corpus,
    values.shown ? await shownWords(corpus) : undefined,
  );
  for (const fault of faults) console.log(fault);
  for (const kind of KINDS) {
    const ids = questions.filter(question => question.kind === kind).map(({ id }) => id);
    const tune = ids.filter(id => halfOf(id) === 'tune').length;
    console.log(`${kind}: ${ids.length} questions, ${tune} to tune, ${ids.length - tune} held`);
  }
  if (without.length > 0) console.log(`without their packages: ${without.join(', ')}`);
  console.log(`${checked} questions checked, ${faults.length} faults`);
  if (faults.length > 0 || missing.size > 0) process.exitCode = 1;
}
