/**
 * Worked examples of splits, shown as turns of a chat: without one a small model repeats the
 * question. The ferries are invented, so that a list that names one was copied.
 */

export interface SplitExample {
  readonly question: string;
  readonly subqueries: readonly string[];
}

export const FERRIES: readonly string[] = [
  'Velmar',
  'Tornis',
  'Askell',
  'Brunvik',
  'Corrin',
  'Dalmey',
  'Ettrik',
  'Fennow',
];

/** Returns the examples of a kind of split; of `parts` where their number is exact. */
export function splitExamples({
  parts,
  chained,
  minimal,
  searched,
}: {
  readonly parts: number;
  readonly chained: boolean;
  readonly minimal: boolean;
  readonly searched: boolean;
}): SplitExample[] {
  if (searched) return [...SEARCHED];
  if (parts === 1) return [SINGLE];
  if (minimal) return [PARALLEL, SEQUENCE, COMPARISON, SINGLE];
  if (chained) return [CHAIN, comparison(2)];
  return [comparison(parts), ...APART.filter(({ subqueries }) => subqueries.length === parts)];
}

const SINGLE: SplitExample = { question: 'Who wrote Solaris?', subqueries: ['Who wrote Solaris?'] };
const PARALLEL: SplitExample = {
  question: 'Who wrote and who filmed Solaris?',
  subqueries: ['Who wrote Solaris?', 'Who filmed Solaris?'],
};
const SEQUENCE: SplitExample = {
  question: 'In which town was the writer of Solaris born?',
  subqueries: ['Who wrote Solaris?', 'In which town was this writer born?'],
};
const COMPARISON: SplitExample = {
  question: 'Is Solaris older than Roadside Picnic?',
  subqueries: [
    'In which year was Solaris published?',
    'In which year was Roadside Picnic published?',
  ],
};
const CHAIN: SplitExample = {
  question: 'In which town was the writer of the novel Solaris born?',
  subqueries: ['Who wrote the novel Solaris?', 'In which town was #1 born?'],
};
const APART: readonly SplitExample[] = [
  {
    question: 'In which town was the writer of the novel Solaris born?',
    subqueries: [
      'Who wrote the novel Solaris?',
      'In which town was the writer of the novel Solaris born?',
    ],
  },
  {
    question: 'In which town and in which year was the writer of the novel Solaris born?',
    subqueries: [
      'Who wrote the novel Solaris?',
      'In which town was the writer of the novel Solaris born?',
      'In which year was the writer of the novel Solaris born?',
    ],
  },
];

/** Each in the form of a question: of a purpose, a description, two things, a value. */
const SEARCHED: readonly SplitExample[] = [
  {
    question: 'Velmar keeps every old copy until my disk is full. How do I make it stop?',
    subqueries: ['Velmar: delete old backups, how many backups are kept'],
  },
  {
    question: 'The program that draws the charts of Tornis: from which file does it take colours?',
    subqueries: [
      'Which program draws the charts of Tornis?',
      'Tornis: configuration file of #1 for colours',
    ],
  },
  {
    question: 'Who gives up sooner when nobody answers, Askell or the client of Brunvik?',
    subqueries: [
      'Askell: connection timeout, default in seconds',
      'Brunvik client: connection timeout, default in seconds',
    ],
  },
  {
    question: 'How often does Corrin try again before it says that it failed?',
    subqueries: ['Corrin: maximum number of retries, default'],
  },
];

function comparison(count: number): SplitExample {
  const names = FERRIES.slice(0, count);
  return {
    question: `Which of the ferries ${names.slice(0, -1).join(', ')} and ${names.at(-1)} was built first?`,
    subqueries: names.map(name => `In which year was the ferry ${name} built?`),
  };
}
