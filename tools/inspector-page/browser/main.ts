/** Starts the inspector: opens what came with the page, files, and runs of its server. */
import type { Document } from '../../../src/core/corpus/document.ts';
import type { RunRecord } from '../run-record.ts';
import { comparison } from './comparison.ts';
import { Documents } from './documents.ts';
import { button, cut, element } from './elements.ts';
import { RunView } from './run-view.ts';
import { ServedPart } from './served-part.ts';
import { readDocument, takeToken } from './server.ts';
import { type CarriedRun, carriedRun, runsIn, type ShelvedRun } from './shelf.ts';

const isServed = document.documentElement.dataset['served'] !== undefined;
const carried = <Value>(id: string, missing: Value): Value => {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as Value) : missing;
};

const documents = new Documents(
  carried<Document[]>('documents', []),
  isServed ? readDocument : undefined,
);
const shelf: ShelvedRun[] = carried<CarriedRun[]>('runs', []).map(carriedRun);
let shown: ShelvedRun[] = [];
let views: { readonly record: RunRecord; readonly view: RunView }[] = [];

const stage = element('div', { id: 'stage' });
const choice = element('div', { class: 'choice' });
const status = element('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
const say = (words: string): void => {
  status.textContent = words;
};

const file = element('input', {
  type: 'file',
  id: 'file',
  multiple: '',
  accept: '.jsonl,.json,.txt',
  tabindex: -1,
});
file.hidden = true;
file.addEventListener('change', () => {
  void openFiles([...(file.files ?? [])]);
  file.value = '';
});

/** Puts runs on the shelf and shows them. */
function show(runs: readonly ShelvedRun[]): void {
  for (const run of runs) if (!shelf.some(({ key }) => key === run.key)) shelf.push(run);
  present(runs.slice(0, 2));
}

/** Shows one run, or two side by side. */
function present(runs: readonly ShelvedRun[]): void {
  shown = [...runs];
  views = runs.map((run, side) => {
    const record = run.record();
    return { record, view: viewOf(record, side) };
  });
  const two = runs.length === 2;
  stage.classList.toggle('two', two);
  const columns = views.map(({ view }, side) =>
    element(
      'div',
      { class: 'column' },
      element(
        'p',
        { class: 'note about', dir: 'auto' },
        `${runs[side]!.name} — ${runs[side]!.note}`,
      ),
      view.element,
    ),
  );
  stage.replaceChildren(
    ...(two ? [compared()] : []),
    element('div', { class: 'columns' }, ...columns),
  );
  showChoice();
  document.title = `${cut(runs[0]?.question || 'multihop', 80)} · inspector`;
}

/** Gives the second of two runs of one name another one. */
function viewOf(record: RunRecord, side: number): RunView {
  const name = shown[side]!.name;
  const twice = side === 1 && shown[0]!.name === name;
  return new RunView(record, documents, 'ab'[side]!, twice ? `${name}, beside` : name);
}

const compared = (): HTMLElement =>
  comparison([views[0]!.record, views[1]!.record], [shown[0]!.name, shown[1]!.name], documents);

function showChoice(): void {
  choice.hidden = shelf.length < 2;
  if (choice.hidden) return;
  const select = (label: string, at: number): HTMLElement => {
    const made = element('select', { 'aria-label': label });
    if (at === 1) made.append(element('option', { value: '' }, 'nothing'));
    // A list of thousands is searched by nobody: its neighbours are enough.
    const current = Math.max(0, shelf.indexOf(shown[at] ?? shown[0]!));
    const from = Math.max(0, current - 100);
    for (const [index, { name, question }] of shelf.slice(from, from + 300).entries())
      made.append(element('option', { value: from + index }, cut(`${name}: ${question}`, 120)));
    made.value = shown[at] ? String(shelf.indexOf(shown[at])) : '';
    made.addEventListener('change', () => {
      const chosen = shelf[Number(made.value)];
      const next = [...shown];
      if (made.value === '') next.length = 1;
      else next[at] = chosen!;
      present(next);
    });
    return element('label', {}, label, made);
  };
  choice.replaceChildren(select('Run', 0), select('Beside', 1));
}

function grown(record: RunRecord, text?: string): void {
  const found = views.find(view => view.record === record);
  if (text !== undefined) found?.view.write(text);
  // The end says of every hit what became of it: the tree is made anew.
  else if (found && record.end) again();
  else found?.view.update();
  const old = stage.querySelector('.comparison');
  if (old && text === undefined) old.replaceWith(compared());
}

/** Shows the same runs anew, at the same steps. */
function again(): void {
  const before = views;
  const made = views.map(({ record }, side) => ({ record, view: viewOf(record, side) }));
  views = made;
  for (const [at, { view }] of made.entries()) {
    const old = before[at]!.view;
    old.element.before(view.element);
    view.follow(old);
    old.element.remove();
  }
}

async function openFiles(files: readonly File[]): Promise<void> {
  const opened: ShelvedRun[][] = [];
  for (const each of files) {
    const text = await each.text();
    const note = 'Opened here and not checked: multihop verify-trace checks it.';
    const runs = runsIn(text, each.name, note).map(run => ({
      ...run,
      key: `${run.key} ${each.size} ${each.lastModified}`,
    }));
    opened.push(runs);
  }
  const runs = opened.flat();
  if (runs.length === 0) {
    say('There is no trace in it.');
    return;
  }
  for (const run of runs) if (!shelf.some(({ key }) => key === run.key)) shelf.push(run);
  say(`Opened ${runs.length === 1 ? 'one run' : `${runs.length} runs`}.`);
  const [first] = runs;
  const beside = opened[1]?.[0];
  const alone = shown.length === 1 && shown[0]!.question === first!.question && runs.length === 1;
  present(beside ? [first!, beside] : alone ? [shown[0]!, first!] : [first!]);
}

function dropping(): void {
  const body = document.body;
  const isFile = (event: DragEvent): boolean =>
    event.dataTransfer?.types.includes('Files') === true;
  addEventListener('dragover', event => {
    if (!isFile(event)) return;
    event.preventDefault();
    body.classList.add('dropping');
  });
  addEventListener('dragleave', event => {
    if (event.relatedTarget === null) body.classList.remove('dropping');
  });
  addEventListener('drop', event => {
    if (!isFile(event)) return;
    event.preventDefault();
    body.classList.remove('dropping');
    void openFiles([...event.dataTransfer!.files]);
  });
}

/** Shows the runs that the address names, or the first ones. */
function begin(served: ServedPart | undefined): void {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const named = ['run', 'beside'].flatMap(name => {
    const found = shelf.find(({ key }) => key === wanted.get(name));
    return found ? [found] : [];
  });
  const trace = wanted.get('trace');
  if (served && trace !== null) void served.openTrace(trace);
  else if (named.length > 0) present(named);
  else if (wanted.has('run')) say('The run that the address names is not on this page.');
  else if (shelf.length > 0) present(shelf.length === 2 ? shelf : shelf.slice(0, 1));
}

function start(): void {
  const served = isServed ? new ServedPart({ show, grown, say }) : undefined;
  takeToken();
  const empty = element(
    'div',
    { class: 'empty' },
    element(
      'p',
      {},
      `${isServed ? 'Ask above, or drop' : 'Drop'} a trace here: the file that multihop ask --trace writes.`,
    ),
    element('p', { class: 'note' }, 'Two stand side by side. A dropped file stays in this page.'),
  );
  stage.append(empty);
  document.getElementById('app')!.replaceChildren(
    element(
      'header',
      { class: 'top' },
      element('h1', {}, 'multihop ', element('span', {}, 'inspector')),
      choice,
      button('Open trace…', () => file.click(), { class: 'open' }),
      file,
    ),
    element('main', {}, ...(served ? [served.element] : []), status, stage),
  );
  choice.hidden = true;
  dropping();
  addEventListener('hashchange', () => {
    takeToken();
    begin(served);
  });
  void served?.open().then(() => {});
  begin(served);
}
start();
