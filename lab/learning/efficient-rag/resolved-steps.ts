/**
 * Derives the steps of a training question, each of which resolves a relation of a subject to an
 * object in one paragraph: by triples, by a decomposition, or by the order of its gold paragraphs.
 */
import { readWords } from '../../../src/models/efficient-rag/words.ts';
import { subjectPlace } from '../evidence-edges.ts';
import type { TrainingQuestion } from '../training-question.ts';

export interface ResolvedStep {
  /** Index of the paragraph among the question's. */
  readonly paragraph: number;
  /** Level from 0; one query searches for all steps of a level. */
  readonly level: number;
  /** Texts whose words in the question this step resolves; blank if unknown. */
  readonly subject: string;
  readonly relation: string;
  /** The object that the step finds; blank if unknown. */
  readonly object: string;
}

/** Returns the steps; empty if the data do not state how the question is resolved. */
export function resolvedSteps(question: TrainingQuestion): ResolvedStep[] {
  if (question.text.trim() === '') return [];
  if (question.dataset === '2wiki') return byTriples(question);
  if (question.dataset === 'musique') return byDecomposition(question);
  return question.type === 'comparison' ? sideBySide(question) : inOrder(question);
}

function byTriples(question: TrainingQuestion): ResolvedStep[] {
  const { evidences } = question;
  const plain = (text: string): string =>
    readWords(text)
      .map(({ stem }) => stem)
      .join(' ');
  const before = (at: number): number =>
    evidences.findIndex(
      ([, , object], other) => other !== at && plain(object) === plain(evidences[at]![0]),
    );
  const levelOf = (at: number, depth = 0): number => {
    const parent = before(at);
    return parent < 0 || depth > evidences.length ? 0 : levelOf(parent, depth + 1) + 1;
  };
  const places = evidences.map(([subject]) => subjectPlace(question, subject));
  if (places.includes(undefined)) return [];
  return evidences.map(([subject, relation, object], at) => ({
    paragraph: places[at]!,
    level: levelOf(at),
    subject,
    relation,
    object,
  }));
}

/** Treats the words of a sub-question as those of its subject and relation. */
function byDecomposition({ steps, paragraphs }: TrainingQuestion): ResolvedStep[] {
  const levels: number[] = [];
  const resolved: ResolvedStep[] = [];
  for (const { question, paragraph, answer = '' } of steps) {
    if (paragraph === undefined || paragraphs[paragraph] === undefined) return [];
    const references = [...question.matchAll(/#(\d+)/g)].map(
      ([, number]) => levels[Number(number) - 1] ?? 0,
    );
    const level = references.length === 0 ? 0 : Math.max(...references) + 1;
    levels.push(level);
    const relation = question.replaceAll(/#\d+/g, ' ').replaceAll('>>', ' ');
    resolved.push({
      paragraph,
      level,
      subject: paragraphs[paragraph].title,
      relation,
      object: answer,
    });
  }
  return resolved;
}

const sideBySide = ({ supporting, paragraphs }: TrainingQuestion): ResolvedStep[] =>
  supporting.flatMap(title => {
    const paragraph = paragraphs.findIndex(each => each.title === title);
    return paragraph < 0 ? [] : [{ paragraph, level: 0, subject: title, relation: '', object: '' }];
  });

/**
 * The first paragraph resolves the words of the question that it shares and the second does not;
 * its object is the title of the second.
 */
function inOrder({ text, order, paragraphs }: TrainingQuestion): ResolvedStep[] {
  const [first, second, ...others] = order.map(place => ({ place, ...paragraphs[place]! }));
  if (
    !first ||
    !second ||
    others.length > 0 ||
    first.text === undefined ||
    second.text === undefined
  )
    return [];
  const stems = (paragraph: { title: string; text: string }): Set<string> =>
    new Set(readWords(`${paragraph.title} . ${paragraph.text}`).map(({ stem }) => stem));
  const [before, after] = [stems(first), stems(second)];
  const relation = readWords(text).filter(
    ({ stem, stop }) => !stop && before.has(stem) && !after.has(stem),
  );
  return [
    {
      paragraph: first.place,
      level: 0,
      subject: bare(first.title),
      relation: relation.map(word => word.text).join(' '),
      object: bare(second.title),
    },
    { paragraph: second.place, level: 1, subject: bare(second.title), relation: '', object: '' },
  ];
}

/** Returns a title without parentheses. */
const bare = (title: string): string => title.replace(/\s\(.*$/, '');
