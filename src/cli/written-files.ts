/**
 * Declares what a command does with the file or folder that an option names, and by what an
 * existing one shows that multihop wrote it.
 */

/** `read`: the command only reads it. */
export type PathAccess = 'read' | Written;

/** A file or folder that a command writes. Without any of the first three nothing is replaced. */
export interface Written {
  /** Matches the beginning of a file that multihop wrote. */
  readonly file?: RegExp;
  /** Matches the name and the beginning of a file that a folder holds if multihop wrote it. */
  readonly folder?: { readonly name: RegExp; readonly file: RegExp };
  /** The command itself replaces no file that is not its own: it adds to it, or reads it. */
  readonly keeps?: true;
  /** The command writes only with this other option, and otherwise reads. */
  readonly onlyWith?: string;
  /** Returns what the command writes beside it. */
  readonly beside?: (path: string) => readonly (readonly [path: string, written: Written])[];
}

/** A store, a cache or another folder whose files have names and formats of their own. */
export const KEPT: Written = { keeps: true };

export const WRITTEN_TRACE: Written = {
  file: /^\{"seq":0,"ms":[\d.]+,"event":\{"type":"question"/,
};

const HTML_HEAD = '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">[\\s\\S]{0,3000}?';
const INSPECTOR = new RegExp(`^${HTML_HEAD}<title>multihop inspector</title>`);

export const WRITTEN_PAGE: Written = { file: INSPECTOR };

const TABLES = '(?:# )?Evaluation on [\\s\\S]{0,3000}?\nShares are in percent \\(EMPer100Tokens';
const PAGE = `${HTML_HEAD}Content-Security-Policy[\\s\\S]{0,2000}?<title>Evaluation on `;
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"[^>]*dashed: plain top-k">';

export const WRITTEN_REPORT: Written = {
  file: new RegExp(`^(?:${TABLES}|${PAGE}|${PICTURE})`),
};
/** The pages of traces beside a report. */
export const WRITTEN_PAGES: Written = { folder: { name: /^\d{4,}\.html$/, file: INSPECTOR } };

export const WRITTEN_RESULTS: Written = {
  folder: {
    name: /^(?:result|unfinished)\.json$/,
    file: /^\{(?:"dataset":"[^"]*","questions":\d+,|"began":")/,
  },
};

const RUN = /^\S+ Q0 \S+ \d+ \S+ \d\d-[\w-]+\n/;

export const WRITTEN_RUNS: Written = { file: RUN, folder: { name: /^\d\d-.*\.run$/, file: RUN } };

/** Weights that multihop fitted, as JSON. */
export const WRITTEN_WEIGHTS: Written = { file: /^\{\s*"format": "multihop [a-z-]+ \d/ };
