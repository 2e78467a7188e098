/** Writes the numbers of paragraphs, which Word counts, into the XML of a document. */
import type { NewParser, Numbering } from './numbering.ts';

/** Returns a document with a run for the number of each paragraph that has one. */
export function withNumbers(
  xml: string,
  numbering: Numbering,
  parser: NewParser,
  runOf: (number: string) => string,
): string {
  const out: string[] = [];
  let at = 0;
  const path: string[] = [];
  let place: { instance?: string; level?: number } = {};
  let style: string | undefined;
  let unseen = 0;
  const isIn = (...names: readonly string[]): boolean =>
    names.every((name, index) => path[path.length - names.length + index] === name);
  const reading = new parser(
    {
      onopentag(name, attributes) {
        const value = attributes['w:val'];
        if (name === 'mc:Fallback') unseen++;
        else if (name === 'w:p') [place, style] = [{}, undefined];
        else if (name === 'w:pStyle' && isIn('w:p', 'w:pPr')) style = value;
        else if (name === 'w:numId' && isIn('w:p', 'w:pPr', 'w:numPr')) place.instance = value!;
        else if (name === 'w:ilvl' && isIn('w:p', 'w:pPr', 'w:numPr')) place.level = Number(value);
        path.push(name);
      },
      onclosetag(name) {
        path.pop();
        if (name === 'mc:Fallback') unseen--;
        if (name !== 'w:pPr' || path.at(-1) !== 'w:p' || unseen > 0) return;
        const number = numbering.next(style, place);
        if (number === undefined) return;
        const end = reading.endIndex + 1;
        out.push(xml.slice(at, end), runOf(number));
        at = end;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  reading.end(xml);
  return out.join('') + xml.slice(at);
}
