/** Whatever reads text that a stranger wrote, with the hostile inputs of each. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  FILES,
  FILTERS,
  type Hostile,
  MANIFESTS,
  PROSE,
  QUESTIONS,
  REPLIES,
} from './repeated-pieces.ts';

export interface Reader {
  readonly name: string;
  readonly inputs: readonly Hostile[];
  /** Reads a text whole. */
  readonly read: (text: string) => unknown;
  /** The greatest length that is read, if there is one. */
  readonly longest?: number;
}

/** A format of files, by the ending of the name. */
export async function fileReaders(): Promise<Reader[]> {
  const { readSource } = await import('../src/documents/files/read-source.ts');
  const { DEFAULT_LIMITS, memorySource } = await import('../src/documents/files/source.ts');
  return Object.entries(FILES).map(([ending, inputs]) => ({
    name: `a file .${ending}`,
    inputs,
    read: async text => {
      const source = memorySource(`a.${ending}`, text);
      for await (const _ of readSource(source, true, undefined, DEFAULT_LIMITS));
    },
  }));
}

/** Functions over the texts of documents. */
export async function proseReaders(): Promise<Reader[]> {
  const [sentences, words, matched, names, clauses, clean, normalise, stems, pairs, dates, json] =
    await Promise.all([
      import('../src/core/text/sentences.ts'),
      import('../src/core/text/words.ts'),
      import('../src/core/text/matched-words.ts'),
      import('../src/language/english/names/names.ts'),
      import('../src/language/english/question/clauses.ts'),
      import('../src/core/text/clean-characters.ts'),
      import('../src/core/text/normalise.ts'),
      import('../src/language/english/words/stems.ts'),
      import('../src/language/english/words/stem-pairs.ts'),
      import('../src/language/english/values/dates.ts'),
      import('../src/language/english/values/day-ranges.ts'),
    ]);
  const read: Readonly<Record<string, (text: string) => unknown>> = {
    sentences: sentences.sentenceSpans,
    words: text => [words.countWords(text), words.nthWordEnd(text, 1e9), matched.wordsIn(text)],
    names: names.findNames,
    clauses: clauses.clausesOf,
    'clean characters': clean.cleanCharacters,
    'normal forms': text =>
      [normalise.normHotpot, normalise.normAlnum, normalise.normTitle, normalise.squash]
        .concat(normalise.foldWhitespaceAndPunctuation)
        .map(each => each(text)),
    stems: text => [stems.contentStems(text), stems.capitalisedWords(text), pairs.stemPairs(text)],
    dates: text => [dates.findDates(text), json.findDayRanges(text, [])],
  };
  return Object.entries(read).map(([name, of]) => ({ name, inputs: PROSE, read: of }));
}

/** Parsers of what a model replies. */
export async function replyReaders(): Promise<Reader[]> {
  const [json, irCot, reasoning, triples, questions, cited, short] = await Promise.all([
    import('../src/models/json-in-text.ts'),
    import('../src/strategies/ir-cot/reply.ts'),
    import('../src/planning/reasoning-sentence.ts'),
    import('../src/planning/triples/triple-replies.ts'),
    import('../src/planning/sub-questions/sub-question-list.ts'),
    import('../src/readers/cited-sentences.ts'),
    import('../src/models/short-answer.ts'),
  ]);
  const { isRefusal } = await import('../src/planning/refusal.ts');
  const read: Readonly<Record<string, (text: string) => unknown>> = {
    'JSON in a text': text => Array.from(json.jsonValuesIn(text)),
    'a thought': text =>
      irCot.IR_COT_PROFILES.map(profile => irCot.readThought({ text, finish: 'stop' }, profile)),
    'a sentence that reasons': text => [
      reasoning.isReasoningSentence(text),
      reasoning.withoutQuestionWords(text),
    ],
    triples: text => [triples.readTriples(text), triples.readEntities(text)],
    'a list of questions': questions.subQuestionsInLines,
    'an answer with marks': text => cited.citedText(text, new Set([1, 2, 3])),
    'a short answer': text => [
      isRefusal(text),
      short.saysInsufficient(text),
      short.bracketedAnswer(text),
    ],
  };
  return Object.entries(read).map(([name, of]) => ({ name, inputs: REPLIES, read: of }));
}

/** Replies of a model that were recorded, in a file whose last line is torn. */
export async function cassetteReaders(): Promise<Reader[]> {
  const { CassetteFile } = await import('../src/stores/disk/cassette-file.ts');
  const { completionLine, headerLine } = await import('../src/stores/disk/cassette-lines.ts');
  const { sha256 } = await import('../src/platform/sha256.ts');
  const folder = mkdtempSync(join(tmpdir(), 'multihop-growth-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'a.jsonl');
  const completion = { text: 'word', usage: { input: 4, output: 1 }, finish: 'stop' } as const;
  const lines = (length: number): string[] =>
    Array.from({ length: length >> 3 }, (_, at) =>
      completionLine(sha256(`prompt ${at}`), completion, sha256),
    );
  const text = (length: number): string =>
    [headerLine({ id: 'a model' }), ...lines(length), '{"torn'].join('\n');
  return [
    {
      name: 'a cassette',
      inputs: [{ name: 'many lines', text }],
      read: async text => {
        writeFileSync(path, text);
        await CassetteFile.toReplay(path);
      },
    },
  ];
}

export async function manifestReaders(): Promise<Reader[]> {
  const { projectFacts } = await import('../src/documents/files/project-facts.ts');
  const folder = mkdtempSync(join(tmpdir(), 'multihop-growth-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return ['pyproject.toml', 'PKG-INFO'].map(name => ({
    name: `a manifest ${name}`,
    inputs: MANIFESTS,
    read: async text => {
      writeFileSync(join(folder, name), text);
      await projectFacts(join(folder, 'README.md'));
      rmSync(join(folder, name));
    },
  }));
}

export async function filterReaders(): Promise<Reader[]> {
  const { parseFilter } = await import('../src/core/corpus/filter-expression.ts');
  return [
    {
      name: 'a filter',
      inputs: FILTERS,
      read: text => {
        try {
          parseFilter(text);
        } catch {
          // Most of them are no filter, which the parser says.
        }
      },
    },
  ];
}

const SOURCES = ['The Ferry Post', 'Harbourline', 'Quayside.com', 'Hill Gazette'];
const STRATEGIES = ['fact-lanes', 'budgeted-agent', 'decomposition', 'multi-meta-rag'];

/** A whole question to a small store, by strategies that analyse its text without a model. */
export async function questionReaders(): Promise<(Reader & { readonly longest: number })[]> {
  const { askEvents } = await import('../src/run/ask.ts');
  const { LONGEST_QUESTION } = await import('../src/core/text/question-text.ts');
  const { EmbeddedEngine } = await import('../src/search/embedded-engine.ts');
  const { nestedSubQuestions } = await import(
    '../src/planning/sub-questions/nested-sub-questions.ts'
  );
  const engine = new EmbeddedEngine({
    documents: Array.from({ length: 40 }, (_, index) => ({
      id: `document-${index}`,
      title: `Ferry ${index}`,
      text: `The ferry ${index} sailed on October 7. Ada Lovelace read "The Engine" in 18${10 + index}.`,
      metadata: { source: SOURCES[index % 4]!, published_at: `2024-10-${10 + (index % 20)}` },
    })),
  });
  const asks = STRATEGIES.map(strategy => ({
    name: strategy,
    inputs: QUESTIONS,
    longest: LONGEST_QUESTION,
    read: async (text: string): Promise<void> => {
      for await (const _ of askEvents(text, { engine, strategy }, () => 0));
    },
  }));
  const nested: Reader & { readonly longest: number } = {
    name: 'nested questions',
    inputs: QUESTIONS,
    longest: LONGEST_QUESTION,
    read: text => ['', 'Are '].map(begin => nestedSubQuestions(`${begin}${text}`, 4)),
  };
  return [...asks, nested];
}
