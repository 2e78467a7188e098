/**
 * Takes out of messages what their reader must not learn: the folders of this machine, which errors
 * of stores and models name, and the token of the server.
 */
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import type { TraceEvent } from '../../core/trace/trace.ts';
import { thisPackage } from '../../platform/package-root.ts';

export type Redact = (text: string) => string;

/**
 * `paths`: files and folders that the server was started with; each is shown by its name alone.
 * Folders of the user, the process and the package are shortened too.
 */
export function pathRedaction(paths: readonly (string | undefined)[]): Redact {
  const given = paths.filter(path => path !== undefined && path !== '') as string[];
  const named = given.flatMap(path => [path, resolve(path)]).filter(path => path.includes('/'));
  const folders = [
    ...named.map(path => dirname(resolve(path))),
    ...[homedir(), tmpdir(), process.cwd(), thisPackage().folder],
  ].filter(folder => dirname(folder) !== folder);
  const shown = [
    ...named.map(path => [path, basename(path)] as const),
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

/** Redacts the message of a run that failed: the only text in a trace that a port words. */
export const redactedEvent = (event: TraceEvent, redact: Redact): TraceEvent =>
  event.type === 'end' && event.stopped
    ? { ...event, stopped: stop(event.stopped, redact) }
    : event;

/** Redacts the cause of an interruption, wherever it stands. */
export const stop = <T extends { readonly by: string }>(stopped: T, redact: Redact): T => {
  const { message, hint } = stopped as { readonly message?: string; readonly hint?: string };
  return {
    ...stopped,
    ...(message === undefined ? {} : { message: redact(message) }),
    ...(hint === undefined ? {} : { hint: redact(hint) }),
  };
};
