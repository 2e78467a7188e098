/**
 * Builds the supervision graph of a question: edges between paragraphs by evidence triples, by the
 * references of a decomposition, or by the order of its gold.
 */
import { evidenceEdges } from '../evidence-edges.ts';
import type { Edge, TrainingQuestion } from '../training-question.ts';
import { QUESTION, type Rejection, type SupervisionGraph } from './rejections.ts';

const reject = (rejected: Rejection): SupervisionGraph => ({ rejected });

/**
 * The graph, or the first reason why there is none. Edges come with those from the question first,
 * each once.
 */
export function supervisionGraph(question: TrainingQuestion): SupervisionGraph {
  if (question.text.trim() === '') return reject('no-question');
  if (question.type === 'comparison') return reject('comparison');
  if (question.dataset === 'musique') return decomposed(question);
  if (question.dataset === '2wiki') return byEvidences(question);
  return question.type === 'bridge' ? inOrder(question) : reject('unknown-type');
}

/** Uses the order of the data set for a chain of two paragraphs whose triples make no graph. */
function byEvidences(question: TrainingQuestion): SupervisionGraph {
  const { type, evidences, order } = question;
  const chain = type === 'compositional' || type === 'inference';
  if (!chain && type !== 'bridge_comparison') return reject('unknown-type');
  const graph = evidences.length === 0 ? reject('no-evidences') : fromTriples(question, chain);
  if ('rejected' in graph && chain && order.length === 2) {
    const ordered = inOrder(question);
    if (!('rejected' in ordered)) return ordered;
  }
  return graph;
}

function fromTriples(question: TrainingQuestion, chain: boolean): SupervisionGraph {
  const found = evidenceEdges(question);
  if (found === undefined) return reject('unmapped-subject');
  const { nodes, edges } = found;
  if (nodes.length < 2) return reject('too-few-nodes');
  if (edges.length === 0) return reject('no-edge');
  const roots = nodes.filter(node => edges.every(([, to]) => to !== node));
  const leaves = nodes.filter(node => edges.every(([from]) => from !== node));
  if (hasCycle(nodes, edges)) return reject('cycle');
  if (chain && roots.length !== 1) return reject('not-one-root');
  if (!chain && (roots.length < 2 || leaves.length < 2)) return reject('too-few-roots');
  return { edges: rooted(roots, edges), from: 'evidences' };
}

/**
 * Each step's paragraph follows those of the steps that it refers to. Steps on one paragraph are
 * one node.
 */
function decomposed({ steps, paragraphs }: TrainingQuestion): SupervisionGraph {
  const edges: Edge[] = [];
  const places = steps.map(({ paragraph }) => paragraph);
  if (
    places.length === 0 ||
    places.some(place => place === undefined || paragraphs[place] === undefined)
  )
    return reject('no-support');
  for (const [at, { question }] of steps.entries())
    for (const [, number] of question.matchAll(/#(\d+)/g)) {
      const before = Number(number) - 1;
      if (before < 0 || before >= at) return reject('bad-reference');
      if (places[before] !== places[at]) edges.push([places[before]!, places[at]!]);
    }
  const nodes = [...new Set(places as number[])];
  if (nodes.length < 2) return reject('too-few-nodes');
  if (edges.length === 0) return reject('no-edge');
  if (hasCycle(nodes, edges)) return reject('cycle');
  const roots = nodes.filter(node => edges.every(([, to]) => to !== node));
  return { edges: rooted(roots, edges), from: 'decomposition' };
}

function inOrder({ order, paragraphs }: TrainingQuestion): SupervisionGraph {
  if (order.length === 0 || order.some(place => paragraphs[place] === undefined))
    return reject('unknown-order');
  if (new Set(order).size !== order.length || order.length < 2) return reject('too-few-nodes');
  return {
    edges: rooted(
      [order[0]!],
      order.slice(1).map((to, at): Edge => [order[at]!, to]),
    ),
    from: 'order',
  };
}

function rooted(roots: readonly number[], edges: readonly Edge[]): Edge[] {
  const all = [...roots.map((root): Edge => [QUESTION, root]), ...edges];
  return all.filter(
    ([from, to], at) => all.findIndex(other => other[0] === from && other[1] === to) === at,
  );
}

/** Takes away what nothing leads to until nothing is left, or nothing can go. */
function hasCycle(nodes: readonly number[], edges: readonly Edge[]): boolean {
  let left = [...nodes];
  for (;;) {
    const free = left.filter(node =>
      edges.every(([from, to]) => to !== node || !left.includes(from)),
    );
    if (free.length === 0) return left.length > 0;
    left = left.filter(node => !free.includes(node));
  }
}
