/** Shows one run: question, answer, hops, evidence and budget; grows while the run goes. */
import { citationsOf, HitFates } from '../hit-fates.ts';
import type { RunRecord } from '../run-record.ts';
import { answerPart } from './answer-part.ts';
import { budgetPart } from './budget-part.ts';
import type { Documents } from './documents.ts';
import { element, facts, given, plural } from './elements.ts';
import { EvidencePart } from './evidence-part.ts';
import { hopNode, pathTo, type Step, stepOf, type Walk } from './hop-tree.ts';
import { stepDetail } from './step-detail.ts';
import { Tree } from './tree.ts';

export class RunView {
  readonly element: HTMLElement;
  private readonly run: RunRecord;
  private readonly documents: Documents;
  private readonly tree: Tree;
  private readonly head: HTMLElement = element('header', { class: 'run-head' });
  private readonly answer: HTMLElement;
  private readonly detail: HTMLElement;
  private readonly evidence: HTMLElement = element('div', {});
  private readonly budget: HTMLElement = element('div', {});
  private readonly rest: HTMLElement = element('div', {});
  private readonly name: string;
  private evidencePart!: EvidencePart;
  private fates: HitFates;
  private shown = 0;
  private writing = '';
  private step: Step | undefined;

  /** `side`: a letter that tells the ids of two runs apart; `name`: of its file or strategy. */
  constructor(run: RunRecord, documents: Documents, side: string, name: string) {
    this.run = run;
    this.documents = documents;
    this.name = name;
    this.fates = new HitFates(run);
    this.tree = new Tree(`${side}-`, `Hops of ${name}`, key => this.select(stepOf(key)));
    this.answer = element('section', { 'aria-label': `Answer of ${name}` });
    this.detail = element('section', {
      class: 'detail',
      'aria-label': `Selected step of ${name}`,
      tabindex: 0,
    });
    const section = (title: string, ...parts: Node[]): HTMLElement =>
      element('section', {}, element('h2', {}, title), ...parts);
    this.element = element(
      'article',
      { class: 'run', 'aria-label': name },
      this.head,
      this.answer,
      section('Hops', element('div', { class: 'walk' }, this.tree.element, this.detail)),
      section('Evidence', this.evidence),
      section('Budget', this.budget),
      this.rest,
    );
    this.update();
  }

  /** Shows what was added to the run. */
  update(): void {
    const { run } = this;
    this.fates = new HitFates(run);
    this.head.replaceChildren(...headOf(run));
    this.showAnswer();
    void this.readCited();
    const next = [...run.hops.keys()].slice(this.shown);
    this.shown = run.hops.length;
    this.tree.add(next.map(index => hopNode(this.walk, index)));
    this.evidencePart = new EvidencePart(run, this.documents);
    this.evidence.replaceChildren(
      element('p', { class: 'note' }, this.legend()),
      this.evidencePart.element,
    );
    this.budget.replaceChildren(...budgetPart(run, this.name));
    this.rest.replaceChildren(...moreOf(run));
  }

  /** Moves to the step that an earlier view of the run was at, with the focus if it was there. */
  follow(before: RunView): void {
    const focused =
      before.element.querySelector('.walk')?.contains(document.activeElement) === true;
    if (before.step) this.tree.reveal(pathTo(before.step), focused);
  }

  /** Shows pieces of an answer while a model writes it. */
  write(text: string): void {
    this.writing += text;
    this.showAnswer();
  }

  private showAnswer(): void {
    const { run, documents, writing } = this;
    const onPlace = (id: string, start: number): void => void this.evidencePart.place(id, start);
    this.answer.replaceChildren(answerPart({ run, documents, onPlace }, writing));
  }

  /** Reads cited documents, which say where their citations stand. */
  private async readCited(): Promise<void> {
    const ids = new Set(citationsOf(this.run).map(({ documentId }) => documentId));
    if (!this.documents.more || ids.size === 0) return;
    await Promise.all([...ids].map(id => this.documents.whole(id)));
    if (!this.answer.contains(document.activeElement)) this.showAnswer();
  }

  private legend(): string {
    const { count } = this.evidencePart;
    if (count === 0) return 'Nothing is kept.';
    return `${plural(count, 'document')}; marked is what was kept, underlined what the answer cites.`;
  }

  private get walk(): Walk {
    return { run: this.run, documents: this.documents, fates: () => this.fates };
  }

  private select(step: Step | undefined): void {
    if (!step) return;
    this.step = step;
    this.showStep(step);
    void this.readHit(step);
  }

  /** Reads the document of a hit, and shows its text if it is still selected. */
  private async readHit(step: Step): Promise<void> {
    if (step.is !== 'hit' || !this.documents.more) return;
    const hit = this.fates.hitsOf(step).find(({ id }) => id === step.id);
    const known = hit && hit.documentId !== '' && (await this.documents.whole(hit.documentId));
    if (known && this.step === step) this.showStep(step);
  }

  private showStep(step: Step): void {
    this.detail.replaceChildren(
      ...stepDetail(this.walk, step, {
        onStep: next => this.tree.reveal(pathTo(next)),
        onPlace: (id, start) => void this.evidencePart.place(id, start),
      }),
    );
  }
}

function headOf({ asked, end, problems, hops }: RunRecord): HTMLElement[] {
  const { strategy, retriever, context, reader, question, predictedType, filter } = asked ?? {};
  const followUp = asked?.followUp;
  return [
    element('h2', { class: 'question', dir: 'auto' }, question?.text ?? 'No question'),
    facts([
      ['asked as', followUp !== undefined && given(followUp.asked)],
      ['strategy', strategy !== undefined && given(strategy)],
      ['retriever', retriever !== undefined && given(retriever)],
      ['context', context !== undefined && given(context)],
      ['reader', reader !== undefined && given(reader)],
      ['question type', predictedType !== undefined && given(predictedType)],
      ['filter', filter !== undefined && element('code', { dir: 'auto' }, JSON.stringify(filter))],
      ['took', end && `${plural(hops.length, 'hop')}, ${end.ms.toFixed(0)} ms`],
    ]),
    ...(problems.length > 0
      ? [
          element(
            'p',
            { class: 'stopped', role: 'alert', dir: 'auto' },
            `${problems.slice(0, 3).join('; ')}${problems.length > 3 ? `; and ${problems.length - 3} more` : ''}.`,
          ),
        ]
      : []),
  ];
}

/** Documents of a ranking, and characters of a text, that are shown. */
const MOST_RANKED = 100;
const MOST_CHARACTERS = 200_000;

/** Parts that are seldom read are made when they are opened. */
function moreOf({ context, asked }: RunRecord): HTMLElement[] {
  const lazily = (title: string, make: () => HTMLElement): HTMLElement => {
    const details = element('details', { class: 'rest' }, element('summary', {}, title));
    details.addEventListener('toggle', () => details.append(make()), { once: true });
    return details;
  };
  const text = (value: string): HTMLElement =>
    element('pre', { dir: 'auto', tabindex: 0 }, value.slice(0, MOST_CHARACTERS));
  return [
    ...(context
      ? [
          lazily(`What the reader read: ${plural(context.context.tokens, 'word')}`, () =>
            text(context.context.text),
          ),
          lazily(`Ranking of ${plural(context.ranking.length, 'document')}`, () =>
            element(
              'ol',
              {},
              ...context.ranking.slice(0, MOST_RANKED).map(id => element('li', {}, given(id))),
            ),
          ),
        ]
      : []),
    ...(asked ? [lazily('Manifest', () => text(JSON.stringify(asked.manifest, null, 2)))] : []),
  ];
}
