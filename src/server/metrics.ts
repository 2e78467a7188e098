/** Counts requests and runs, and prints the counts in the text format of Prometheus. */
import type { Trace } from '../core/trace/trace.ts';
import { LIMIT_NAMES } from '../core/trace/usage.ts';

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

/** Durations of one histogram with the same labels. */
interface Durations {
  readonly labels: Labels;
  /** Durations up to each bound of `BUCKETS`. */
  readonly counts: number[];
  sum: number;
  count: number;
}

export class Metrics {
  /** Values of counters and gauges by name and printed labels. */
  private readonly values = new Map<string, Map<string, number>>();
  private readonly histograms = new Map<string, Map<string, Durations>>();

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
      if (type === 'histogram') lines.push(...this.histogramLines(name));
      for (const [labels, value] of this.values.get(name) ?? [])
        lines.push(`${name}${labels} ${value}`);
    }
    return `${lines.join('\n')}\n`;
  }

  private histogramLines(name: string): string[] {
    const all = [...(this.histograms.get(name)?.values() ?? [])];
    const buckets = all.flatMap(({ labels, counts, count }) => [
      ...BUCKETS.map((bound, at) => [printed({ ...labels, le: String(bound) }), counts[at]!]),
      [printed({ ...labels, le: '+Inf' }), count],
    ]);
    return [
      ...buckets.map(([labels, count]) => `${name}_bucket${labels} ${count}`),
      ...all.map(({ labels, sum }) => `${name}_sum${printed(labels)} ${sum}`),
      ...all.map(({ labels, count }) => `${name}_count${printed(labels)} ${count}`),
    ];
  }

  private observe(name: string, labels: Labels, seconds: number): void {
    const byLabels = this.histograms.get(name) ?? new Map<string, Durations>();
    this.histograms.set(name, byLabels);
    const key = printed(labels);
    let durations = byLabels.get(key);
    if (!durations) {
      durations = { labels, counts: BUCKETS.map(() => 0), sum: 0, count: 0 };
      byLabels.set(key, durations);
    }
    for (const [at, bound] of BUCKETS.entries()) if (seconds <= bound) durations.counts[at]!++;
    durations.sum += seconds;
    durations.count++;
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
