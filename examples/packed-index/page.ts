/// <reference lib="dom" />
/** Answers questions in the browser over `corpus.bin`, hop by hop; nothing is sent anywhere. */
import { ask } from 'multihop';
import { openPacked } from './packed-file.ts';

const part = (id: string): HTMLElement => document.getElementById(id)!;
const form = document.querySelector('form')!;
const engine = fetch('corpus.bin')
  .then(response => response.arrayBuffer())
  .then(openPacked);

let asked = new AbortController();
form.addEventListener('submit', event => {
  event.preventDefault();
  // A new question ends the run of the one before.
  asked.abort();
  asked = new AbortController();
  const question = String(new FormData(form).get('question'));
  show(question, asked.signal).catch(
    (error: Error) => (part('answer').textContent = error.message),
  );
});

async function show(question: string, signal: AbortSignal): Promise<void> {
  for (const id of ['answer', 'hops', 'sources']) part(id).replaceChildren();
  const options = { engine: await engine, budget: { documents: 8 }, signal };
  for await (const event of ask(question, options)) {
    if (signal.aborted) return;
    if (event.type === 'hop') add('hops', event.hop.searches.map(({ text }) => text).join(' · '));
    if (event.type === 'context')
      for (const title of new Set(event.evidence.map(({ title }) => title))) add('sources', title);
    if (event.type === 'answer') part('answer').textContent = answerOf(event.answer);
  }
}

type Answer = Awaited<ReturnType<typeof ask>>['answer'];

/** A probable answer, or the candidates. */
function answerOf(answer: Answer): string {
  if (answer.kind === 'answered') return answer.text;
  const others = answer.kind === 'abstained' ? (answer.alternatives ?? []) : [];
  return `Not certain. ${others.map(({ text }) => `${text}?`).join(' ')}`;
}

/** Texts of documents are set as text, never as HTML. */
function add(list: string, text: string): void {
  part(list).append(Object.assign(document.createElement('li'), { textContent: text }));
}
