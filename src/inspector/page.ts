/**
 * Makes the hop inspector: one page that needs nothing else, with traces in it, or for a server,
 * which it reads them from. Its policy allows the page's own script and style by their hashes, and
 * no way from text to markup.
 */
import { createHash } from 'node:crypto';
import type { Document } from '../core/corpus/document.ts';
import { INSPECTOR_SCRIPT, INSPECTOR_STYLE } from './page-parts.ts';

/** A run that comes with the page. */
export interface CarriedRun {
  /** Names it in the address of the page: `#run=KEY`, `#run=KEY&beside=KEY`. */
  readonly key: string;
  /** Its strategy and file. */
  readonly name: string;
  readonly question: string;
  /** Says whether its file was checked. */
  readonly note: string;
  /** Lines of the trace, each of them JSON. */
  readonly lines: readonly string[];
}

export interface Carried {
  readonly runs: readonly CarriedRun[];
  /** Documents in whose texts the evidence is shown. */
  readonly documents?: readonly Document[];
}

const NONE: Carried = { runs: [] };

const source = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** `connect`: the addresses that the page may call. */
const policy = (connect: string): string =>
  [
    "default-src 'none'",
    `script-src ${source(INSPECTOR_SCRIPT)}`,
    `style-src ${source(INSPECTOR_STYLE)}`,
    `connect-src ${connect}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** The page as a file: it calls nothing. */
export const inspectorFile = (carried: Carried): string => page(carried, policy("'none'"));

/** The page of a server, and the policy to send with it. */
export function inspectorServed(): { readonly html: string; readonly policy: string } {
  const allowed = policy("'self'");
  return {
    html: page(NONE, allowed, ' data-served'),
    policy: `${allowed}; frame-ancestors 'none'`,
  };
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M3 13 8 8l5-5' stroke='%230b5cad' stroke-width='2'/%3E%3Cg fill='%230b5cad'%3E%3Ccircle cx='3' cy='13' r='2.5'/%3E%3Ccircle cx='8' cy='8' r='2.5'/%3E%3Ccircle cx='13' cy='3' r='2.5'/%3E%3C/g%3E%3C/svg%3E";

function page({ runs, documents = [] }: Carried, allowed: string, marks = ''): string {
  const index = runs.map(({ lines: _, ...about }, at) => ({ element: `run-${at}`, ...about }));
  return [
    `<!doctype html>\n<html lang="en"${marks}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${allowed}">`,
    '<meta name="referrer" content="no-referrer">',
    `<link rel="icon" href="${ICON}">`,
    `<title>multihop inspector</title><style>${INSPECTOR_STYLE}</style></head>\n<body>`,
    '<div id="app"><noscript><p>The inspector needs JavaScript.</p></noscript></div>\n',
    block('runs', JSON.stringify(index)),
    block('documents', JSON.stringify(documents)),
    ...runs.map(({ lines }, at) => block(`run-${at}`, `[${lines.join(',\n')}]`)),
    `<script>${INSPECTOR_SCRIPT}</script></body></html>\n`,
  ].join('');
}

/** A block of data, which no browser runs; nothing in it ends the element. */
const block = (id: string, json: string): string =>
  `<script type="application/json" id="${id}">${json.replace(/</g, '\\u003c')}</script>\n`;
