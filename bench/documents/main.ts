/**
 * `npm run documents -- [--set first|fresh|training] [--cache DIR] [--check] [--shown]`: fetches a
 * corpus of documents and prints what it holds; with `--check`, matches every pattern of the
 * questions against it, with `--shown` against the text that `readDocuments` makes of it: a fault
 * there is a fact lost.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkQuestions, sharedWords, shownWords, writtenWords } from './check.ts';
import { documentsOf, fetchCorpus } from './corpus.ts';
import { CORPUS_NAMES } from './manifest.ts';
import { documentQuestions, halfOf, KINDS } from './questions.ts';

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'first' },
    cache: { type: 'string' },
    check: { type: 'boolean', default: false },
    shown: { type: 'boolean', default: false },
  },
});
const set = CORPUS_NAMES.find(name => name === values.set);
if (set === undefined)
  throw new Error(
    `--set: expected ${CORPUS_NAMES.join(', ')}, received ${JSON.stringify(values.set)}`,
  );
const cache = resolve(values.cache ?? process.env['MULTIHOP_CACHE'] ?? '.cache');
const corpus = await fetchCorpus(cache, line => console.error(line), set);
const { packages, missing } = corpus;
console.log(`${documentsOf(corpus).length} files of ${packages.length - missing.size} packages`);
console.log(`in ${corpus.folder}`);
for (const [name, reason] of missing) console.log(`cannot be had: ${name}: ${reason}`);
if (values.check || values.shown) {
  const questions = set === 'training' ? [] : documentQuestions(set);
  const words = values.shown ? await shownWords(corpus) : await writtenWords(questions, corpus);
  const { checked, without, faults } = checkQuestions(questions, corpus, words);
  for (const fault of faults) console.log(fault);
  for (const kind of KINDS) {
    const ids = questions.filter(question => question.kind === kind).map(({ id }) => id);
    const tune = ids.filter(id => halfOf(id) === 'tune').length;
    console.log(`${kind}: ${ids.length} questions, ${tune} to tune, ${ids.length - tune} held`);
  }
  const shared = (100 * sharedWords(questions, words)).toFixed(1);
  console.log(`a question shares ${shared} % of its content words with its sections, on the mean`);
  if (without.length > 0) console.log(`without their packages: ${without.join(', ')}`);
  console.log(`${checked} questions checked, ${faults.length} faults`);
  if (faults.length > 0 || missing.size > 0) process.exitCode = 1;
}
