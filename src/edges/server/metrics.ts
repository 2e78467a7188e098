/** Counts requests and runs, and prints the counts in the text format of Prometheus. */
import type { Trace } from '../../trace/trace.ts';
import { LIMIT_NAMES } from '../../trace/usage.ts';

type Labels = Readonly<Record<string, string>>;

interface Kind {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
}

/** Upper bounds of the buckets of durations, in seconds. */
const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100] as const;

const KINDS: Readonly<Record<string, Kind>> = {
  multihop_requests_total: { type: 'counter', help: 'Requests by route and status' },
  multihop_request_seconds: { type: 'histogram', help: 'Time until the head of a response' },
  multihop_runs_total: { type: 'counter', help: 'Finished runs by strategy, answer and stop' },
  multihop_run_seconds: { type: 'histogram', help: 'Time of finished runs' },
  multihop_spent_total: { type: 'counter', help: 'What finished runs spent, by limit' },
  multihop_running: { type: 'gauge', help: 'Runs that go' },
  multihop_waiting: { type: 'gauge', help: 'Requests that wait for a place' },
  multihop_documents: { type: 'gauge', help: 'Documents in the store' },
};

export class Metrics {
  private readonly values = new Map<string, Map<string, number>>();

  request(route: string, status: number, seconds: number): void {
    this.add('multihop_requests_total', { route, status: String(status) });
    this.observe('multihop_request_seconds', { route }, seconds);
  }

  run({ strategy, answer, stopped, spent, ms }: Trace): void {
    const stop = stopped?.by ?? 'none';
    // Canonical names hold settings of the caller: the name alone has few values.
    const name = strategy.replace(/\(.*$/s, '');
    this.add('multihop_runs_total', { strategy: name, answer: answer.kind, stopped: stop });
    this.observe('multihop_run_seconds', { strategy: name }, ms / 1000);
    for (const limit of LIMIT_NAMES)
      if (limit !== 'ms' && spent[limit]) this.add('multihop_spent_total', { limit }, spent[limit]);
  }

  /** `gauges`: values of the moment by name. */
  text(gauges: Readonly<Record<string, number>>): string {
    for (const [name, value] of Object.entries(gauges))
      this.values.set(name, new Map([['', value]]));
    const lines: string[] = [];
    for (const [name, { type, help }] of Object.entries(KINDS)) {
      lines.push(`# HELP ${name} ${help}.`, `# TYPE ${name} ${type}`);
      const own = [...this.values].filter(([key]) =>
        type === 'histogram'
          ? /_(?:bucket|sum|count)$/.test(key) && key.startsWith(`${name}_`)
          : key === name,
      );
      for (const [key, byLabels] of own)
        for (const [labels, value] of byLabels) lines.push(`${key}${labels} ${value}`);
    }
    return `${lines.join('\n')}\n`;
  }

  private observe(name: string, labels: Labels, seconds: number): void {
    for (const bound of [...BUCKETS, Number.POSITIVE_INFINITY]) {
      const le = Number.isFinite(bound) ? String(bound) : '+Inf';
      this.add(`${name}_bucket`, { ...labels, le }, seconds <= bound ? 1 : 0);
    }
    this.add(`${name}_sum`, labels, seconds);
    this.add(`${name}_count`, labels);
  }

  private add(name: string, labels: Labels, amount = 1): void {
    const byLabels = this.values.get(name) ?? new Map<string, number>();
    this.values.set(name, byLabels);
    const key = printed(labels);
    byLabels.set(key, (byLabels.get(key) ?? 0) + amount);
  }
}

const printed = (labels: Labels): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, ' ')}"`)
    .join(',')}}`;
