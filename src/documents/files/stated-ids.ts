/**
 * Names documents whose id stands in their file: by this id, unless another file has it too. The
 * names are a function of the files, whatever order these are read in.
 */

/** Returns what a file states, for an id that a document of it has. */
export const statedOf = (fileId: string, id: string): string =>
  id.startsWith(`${fileId}/`) && id.length > fileId.length + 1 ? id.slice(fileId.length + 1) : id;

/** Tells if the document that had an id has its other form now. */
export function hasMoved(fileId: string, id: string, now: ReadonlySet<string>): boolean {
  const stated = statedOf(fileId, id);
  return now.has(stated === id ? `${fileId}/${id}` : stated);
}

export class StatedIds {
  /** Ids that several files state. */
  private readonly shared = new Set<string>();
  /** Ids of the files that hold records. */
  private readonly files = new Set<string>();
  /** The file that states an id, until all files are known. */
  private first = new Map<string, string>();
  /** Tells if another file is the document of an id. */
  private readonly isFile: (id: string, fileId: string) => boolean;

  constructor(isFile: (id: string, fileId: string) => boolean) {
    this.isFile = isFile;
  }

  file(fileId: string): void {
    this.files.add(fileId);
  }

  add(fileId: string, id: string): void {
    const stated = statedOf(fileId, id);
    const before = this.first.get(stated);
    if (before === undefined) this.first.set(stated, fileId);
    else if (before !== fileId) this.shared.add(stated);
  }

  /** Forgets what only the search for shared ids needed. */
  settle(): this {
    this.first = new Map();
    return this;
  }

  /**
   * Returns the id of a document that states an id: that id, or an id that begins with its file.
   */
  idFor(fileId: string, id: string): string {
    if (id.startsWith(`${fileId}/`)) return id;
    const isTaken = this.shared.has(id) || this.isFile(id, fileId) || this.isBelowFile(id);
    return isTaken ? `${fileId}/${id}` : id;
  }

  /** Tells if an id begins with a file of records, as the ids that this class makes do. */
  private isBelowFile(id: string): boolean {
    for (let at = id.indexOf('/'); at >= 0; at = id.indexOf('/', at + 1))
      if (this.files.has(id.slice(0, at))) return true;
    return false;
  }
}
