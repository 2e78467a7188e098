/**
 * Defines the laws of answer controls: they treat each question by itself, repeat their choices,
 * and change what they say they change.
 */

import { normHotpot } from '../core/text/normalise.ts';
import type {
  AnswerControl,
  OwnRun,
  Treatment,
} from '../evaluation/answer-controls/answer-control.ts';
import type { Records } from '../evaluation/example.ts';
import { goldDocuments } from '../evaluation/gold-evidence.ts';
import { FIXTURE_DOCUMENTS } from './fixture-corpus.ts';
import { holds, type Law, law, same } from './law.ts';

const RECORDS: Records = {
  text: id => FIXTURE_DOCUMENTS.find(document => document.id === id)?.text ?? '',
  title: id => FIXTURE_DOCUMENTS.find(document => document.id === id)?.title ?? '',
};

/** Returns runs over the fixture corpus: each question was shown three whole documents. */
function fixtureRuns(): OwnRun[] {
  const forms = [
    ['comparison', 'Yes'],
    ['inference', ''],
    ['temporal', 'no'],
    ['null', 'Insufficient information.'],
  ] as const;
  return FIXTURE_DOCUMENTS.flatMap((document, index) =>
    forms.map(([type, answer]): OwnRun => {
      const id = `${type} ${document.id}`;
      const shown = [0, 1, 2].map(
        step => FIXTURE_DOCUMENTS[(index + step) % FIXTURE_DOCUMENTS.length]!,
      );
      const source = String(document.metadata['source'] ?? '');
      const fact = /^[^.!?]*[.!?]/.exec(document.text)?.[0];
      const gold = { documentId: document.id, title: document.title, fact };
      let text = '';
      const parts = shown.map(({ id: documentId, title, text: body }) => {
        const start = text.length + (text === '' ? 0 : 2);
        text += `${text === '' ? '' : '\n\n'}${title}\n${body}`;
        const spans = [[0, body.length]] as const;
        return { id: documentId, documentId, start, end: text.length, spans };
      });
      return {
        example: {
          id,
          type,
          question: { id, text: `Did ${source} report on ${document.title}?` },
          answers: [answer === '' ? (document.text.split(/\W+/)[0] ?? 'Ada') : answer],
          gold: type === 'null' ? [] : [gold],
        },
        evidence: shown.map(({ id: documentId, title, metadata }) => ({
          documentId,
          title,
          metadata,
        })),
        context: { text, parts },
        hops: [],
      };
    }),
  );
}

type Each = (check: (treatment: Treatment, run: OwnRun, runs: OwnRun[]) => void) => void;

/** Returns the laws that every answer control keeps. */
export function answerControlLaws(control: AnswerControl): Law[] {
  const treated = (): { runs: OwnRun[]; treatments: (Treatment | undefined)[] } => {
    const runs = fixtureRuns();
    return { runs, treatments: control.treat(runs, RECORDS) };
  };
  const each: Each = check => {
    const { runs, treatments } = treated();
    for (const [index, treatment] of treatments.entries())
      if (treatment) check(treatment, runs[index]!, runs);
  };
  return [
    law('it returns one treatment or none for each question', () => {
      const { runs, treatments } = treated();
      same(treatments.length, runs.length, 'treatments');
      same(control.treat([], RECORDS), [], 'treatments of no questions');
    }),
    law('it repeats its choices', () => {
      same(treated().treatments, treated().treatments, 'a second run');
    }),
    law('it leaves questions and evidence as they are', () => {
      const runs = fixtureRuns();
      control.treat(runs, RECORDS);
      same(runs, fixtureRuns(), 'the runs after it');
    }),
    law('it names the rule of each treatment', () =>
      each(({ rule }) => holds(rule !== '', 'the rule', 'a name', rule)),
    ),
    ...treatmentLaws(each),
  ];
}

/** Returns the laws of single kinds of treatments. */
function treatmentLaws(each: Each): Law[] {
  return [
    law('evidence comes from another question of the type, without gold of the question', () =>
      each((treatment, { example }, runs) => {
        if (treatment.kind !== 'swapped') return;
        const from = runs[treatment.from]!;
        holds(from.example.id !== example.id, 'the partner', 'another question', example.id);
        same(from.example.type, example.type, 'the type of the partner');
        const gold = new Set(goldDocuments(example));
        const held = from.evidence.filter(({ documentId }) => gold.has(documentId));
        same(held, [], 'gold documents in the evidence of the partner');
      }),
    ),
    law('edits lie in their texts, do not overlap, and change gold', () =>
      each((treatment, { example }) => {
        if (treatment.kind !== 'edited') return;
        const ends = new Map<string, number>();
        for (const { documentId, start, end, text } of treatment.edits) {
          const stored = RECORDS.text(documentId);
          const from = ends.get(documentId) ?? 0;
          holds(
            from <= start && start < end && end <= stored.length,
            'an edit',
            'a span after the one before',
            [start, end],
          );
          holds(stored.slice(start, end) !== text, 'an edit', 'another text', text);
          ends.set(documentId, end);
        }
        const before = example.answers.map(normHotpot);
        holds(
          treatment.answers.length > 0 &&
            treatment.answers.every(answer => !before.includes(normHotpot(answer))),
          'gold after the edit',
          'other answers',
          treatment.answers,
        );
      }),
    ),
  ];
}
