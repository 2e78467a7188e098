/**
 * Takes out of messages what their reader must not learn: the folders of this machine, which errors
 * of stores and models name, and the token of the server.
 */
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { defined } from '../../core/defined.ts';
import type { TraceEvent } from '../../core/trace/trace.ts';
import { thisPackage } from '../../platform/package-root.ts';
import { isServerAddress, otherNodes, shownPlace } from '../../stores/servers/engine-address.ts';

export type Redact = (text: string) => string;

/**
 * Shows a server by its name alone: clients of a store need not know where it stands. Changes
 * nothing for a folder.
 */
export function placeRedaction(place: string): Redact {
  if (!isServerAddress(place) || !URL.canParse(place)) return text => text;
  const { host, hostname, port, searchParams } = new URL(place);
  const scheme = new URL(place).protocol.slice(0, -1);
  const nodes = otherNodes({ scheme, query: Object.fromEntries(searchParams) });
  const hosts = [host, hostname, ...nodes.map(node => new URL(node).host)];
  const hidden = [shownPlace(place), ...hosts, ...(port === '' ? [] : [`:${port}`])];
  return text => hidden.reduce((left, part) => left.replaceAll(part, '…'), text);
}

/**
 * `paths`: files and folders that the server was started with; each is shown by its name alone.
 * Folders of the user, the process and the package are shortened too.
 */
export function pathRedaction(paths: readonly (string | undefined)[]): Redact {
  const started = paths
    .filter(path => path !== undefined && path !== '')
    .flatMap(path => [path!, resolve(path!)])
    .filter(path => path.includes('/'));
  const folders = [
    ...started.map(path => dirname(resolve(path))),
    ...[homedir(), tmpdir(), process.cwd(), thisPackage().folder],
  ].filter(folder => dirname(folder) !== folder);
  const shown = [
    ...started.map(path => [path, basename(path)] as const),
    ...folders.map(folder => [`${folder}/`, '…/'] as const),
  ].sort(([a], [b]) => b.length - a.length);
  return text => shown.reduce((left, [path, name]) => left.replaceAll(path, name), text);
}

/** Shows a secret as `[token]`, also where it is percent-encoded. */
export function secretRedaction(secret: string | undefined): Redact {
  if (secret === undefined) return text => text;
  const forms = [...new Set([secret, encodeURIComponent(secret)])];
  return text => forms.reduce((left, form) => left.replaceAll(form, '[token]'), text);
}

/** Redacts what a trace says of its place, and the message of a run that failed. */
export function redactedEvent(event: TraceEvent, redact: Redact): TraceEvent {
  if (event.type === 'end' && event.stopped)
    return { ...event, stopped: stop(event.stopped, redact) };
  const corpus = event.type === 'question' ? event.manifest['corpus'] : undefined;
  const { engine } = (corpus ?? {}) as { readonly engine?: string };
  if (event.type !== 'question' || engine === undefined) return event;
  const shown = { ...(corpus as object), engine: redact(engine) };
  return { ...event, manifest: { ...event.manifest, corpus: shown } };
}

/** Redacts the cause of an interruption, wherever it stands. */
export const stop = <T extends { readonly by: string }>(stopped: T, redact: Redact): T => {
  const { message, hint } = stopped as { readonly message?: string; readonly hint?: string };
  const shown = { message: message && redact(message), hint: hint && redact(hint) };
  return { ...stopped, ...defined<object>(shown) };
};
