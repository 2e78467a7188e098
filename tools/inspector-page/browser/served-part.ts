/** Asks questions of the server that this page came from, and opens its newest runs. */
import { emptyRecord, RecordReader, type RunRecord } from '../run-record.ts';
import { button, cut, element, given, plural } from './elements.ts';
import * as server from './server.ts';
import { runsIn, type ShelvedRun, shelved } from './shelf.ts';

export interface Stage {
  /** Shows runs; two stand side by side. */
  show(runs: readonly ShelvedRun[]): void;
  /** Called when a shown run has grown. */
  grown(run: RunRecord, text?: string): void;
  /** Says what happens to who cannot see it. */
  say(words: string): void;
}

export class ServedPart {
  readonly element: HTMLElement = element('section', { class: 'served', 'aria-label': 'Ask' });
  private readonly stage: Stage;
  private readonly recent: HTMLElement = element('ul', { class: 'recent' });
  private running = new AbortController();

  constructor(stage: Stage) {
    this.stage = stage;
  }

  /** Shows the form, or asks for the token that the server wants. */
  async open(): Promise<void> {
    try {
      this.showForm(await server.about());
      await this.list();
    } catch (error) {
      this.showToken(error);
    }
  }

  /** Opens a run of the server by the id of its trace. */
  async openTrace(id: string): Promise<void> {
    try {
      this.stage.show(runsIn(await server.trace(id), 'server', 'From this server.'));
    } catch (error) {
      this.stage.say((error as Error).message);
    }
  }

  private showToken(error: unknown): void {
    const wrong = error instanceof server.Refused && error.status === 401;
    const field = element('input', {
      type: 'password',
      id: 'token',
      autocomplete: 'off',
      required: '',
      spellcheck: 'false',
    });
    const form = element(
      'form',
      {},
      element('label', { for: 'token' }, 'Token of the server'),
      field,
      element('button', {}, 'Open'),
      element('p', { class: 'note', role: 'status', dir: 'auto' }, (error as Error).message),
    );
    form.addEventListener('submit', event => {
      event.preventDefault();
      server.setToken(field.value.trim());
      void this.open();
    });
    this.element.replaceChildren(
      ...(wrong
        ? [form]
        : [element('p', { role: 'alert', dir: 'auto' }, (error as Error).message)]),
    );
  }

  private showForm({ documents, strategies, defaults }: server.About): void {
    const field = element('input', {
      id: 'question',
      type: 'text',
      required: '',
      maxlength: 8192,
      autocomplete: 'off',
    });
    const select = (id: string, label: string, names: readonly string[]): HTMLSelectElement[] => [
      element('select', { id, 'aria-label': label }, ...names.map(name => option(name))),
    ];
    const others = strategies.filter(name => name !== defaults.strategy);
    const [first] = select('strategy', 'Strategy', [defaults.strategy, ...others]);
    const [second] = select('beside', 'Strategy beside it', ['', defaults.strategy, ...others]);
    const stop = button('Stop', () => this.running.abort(), { class: 'stop' });
    stop.hidden = true;
    const form = element(
      'form',
      { role: 'search' },
      element('label', { for: 'question' }, `Ask ${plural(documents, 'document')}`),
      field,
      element(
        'span',
        { class: 'choices' },
        first,
        second,
        element('button', { class: 'primary' }, 'Ask'),
        stop,
      ),
    );
    form.addEventListener('submit', event => {
      event.preventDefault();
      const names = [first!.value, second!.value].filter(Boolean);
      stop.hidden = false;
      void this.ask(field.value.trim(), names).finally(() => {
        stop.hidden = true;
      });
    });
    const recent = element(
      'details',
      { class: 'rest' },
      element('summary', {}, 'Newest runs'),
      this.recent,
    );
    this.element.replaceChildren(form, recent);
  }

  private async ask(question: string, strategies: readonly string[]): Promise<void> {
    this.running.abort();
    const running = new AbortController();
    this.running = running;
    const asked = strategies.map(strategy => ({ strategy, record: emptyRecord() }));
    this.stage.show(
      asked.map(({ strategy, record }, index) => ({
        ...shelved(record, `asked ${performance.now()} ${index}`, strategy, 'Asked here.'),
        question,
      })),
    );
    this.stage.say('The run began.');
    await Promise.all(
      asked.map(({ strategy, record }) =>
        this.follow({ question, strategy }, record, running.signal),
      ),
    );
    await this.list().catch(() => {});
  }

  private async follow(
    body: { readonly question: string; readonly strategy: string },
    record: RunRecord,
    signal: AbortSignal,
  ): Promise<void> {
    const reader = new RecordReader(record);
    try {
      for await (const { event, data } of server.ask(body, signal)) {
        if (event === 'text') {
          this.stage.grown(record, (JSON.parse(data) as { text: string }).text);
        } else if (event === 'error') {
          record.problems.push((JSON.parse(data) as { detail: string }).detail);
          this.stage.grown(record);
        } else if (event !== 'result') {
          reader.line(data);
          this.stage.grown(record);
          this.stage.say(saidOf(body.strategy, event, record));
        }
      }
    } catch (error) {
      record.problems.push(signal.aborted ? 'It was stopped here' : (error as Error).message);
      this.stage.grown(record);
    }
  }

  private async list(): Promise<void> {
    const all = (await server.traces()).slice(0, 50);
    this.recent.replaceChildren(
      ...all.map(({ id, question, strategy, hops }) =>
        element(
          'li',
          {},
          button(given(cut(question, 120)), () => void this.openTrace(id), { class: 'link' }),
          ' ',
          element('small', {}, given(strategy), ` · ${plural(hops, 'hop')}`),
        ),
      ),
      ...(all.length === 0 ? [element('li', {}, 'None yet.')] : []),
    );
  }
}

const option = (name: string): HTMLOptionElement =>
  element('option', { value: name }, name === '' ? 'nothing beside' : name);

function saidOf(strategy: string, event: string, { hops }: RunRecord): string {
  const last = hops.at(-1);
  if (event === 'hop' && last)
    return `${strategy}: hop ${hops.length}, ${plural(last.searches.length, 'search', 'searches')}, ${last.kept.length} kept`;
  return event === 'end' ? `${strategy}: the run ended` : `${strategy}: ${event}`;
}
