/** Names the files of the rows of an evaluation. */

/** Returns `01-fixed-top-k-k-2`: the number of a row from 1, and what its id says in ASCII. */
export function rowFileName(number: number, id: string): string {
  const slug = id
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-|-$/g, '');
  return [String(number).padStart(2, '0'), slug].filter(Boolean).join('-');
}
