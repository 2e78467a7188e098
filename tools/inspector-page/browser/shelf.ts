/** Holds the runs that can be shown: those that came with the page, of files, of questions. */
import { emptyRecord, RecordReader, type RunRecord } from '../run-record.ts';

export interface ShelvedRun {
  /** Unique on the page. */
  readonly key: string;
  /** Its file or strategy. */
  readonly name: string;
  readonly question: string;
  /** Says whether its file was checked. */
  readonly note: string;
  /** Reads it, once. */
  record(): RunRecord;
}

/** A run whose lines came with the page, in a script element of this id. */
export interface CarriedRun {
  readonly element: string;
  readonly key: string;
  readonly name: string;
  readonly question: string;
  readonly note: string;
}

export function carriedRun({ element, ...about }: CarriedRun): ShelvedRun {
  let record: RunRecord | undefined;
  return {
    ...about,
    record() {
      if (record) return record;
      const text = document.getElementById(element)?.textContent ?? '[]';
      const reader = new RecordReader();
      for (const line of JSON.parse(text) as unknown[]) reader.value(line);
      return (record = reader.runs[0] ?? emptyRecord());
    },
  };
}

/** Returns the runs of a text of JSON lines. */
export function runsIn(text: string, name: string, note: string): ShelvedRun[] {
  const { runs, sealed } = new RecordReader().text(text);
  const said = sealed ? note : 'The file has no seal: it was cut, or its run was killed.';
  return runs.map((record, index) =>
    shelved(record, `${name} ${index}`, nameOf(record, name), said),
  );
}

export function shelved(record: RunRecord, key: string, name: string, note: string): ShelvedRun {
  return { key, name, note, question: record.asked?.question.text ?? '', record: () => record };
}

const nameOf = ({ asked }: RunRecord, file: string): string =>
  asked ? `${asked.strategy} · ${file}` : file;
