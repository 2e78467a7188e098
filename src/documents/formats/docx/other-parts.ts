/** Text of a Word document outside its body: headers, footers, charts, diagrams, pages inside. */
import type { Parser } from 'htmlparser2';
import { escaped } from './formulas.ts';

type NewParser = new (...options: ConstructorParameters<typeof Parser>) => Parser;

const EDGES = /^word\/(?:header|footer)\d*\.xml$/;
const DRAWINGS = /^word\/(?:charts\/chart|diagrams\/data)\d*\.xml$/;
const PAGES = /^word\/[^/]*\.x?html?$/;
/** Text in these is no text of the document: codes of fields, deletions, a text said before. */
const UNSEEN: ReadonlySet<string> = new Set(['w:instrText', 'w:del', 'mc:Fallback', 'w:rt']);
const TEXT: ReadonlySet<string> = new Set(['w:t', 'a:t', 'c:v']);
const PARAGRAPH: ReadonlySet<string> = new Set(['w:p', 'a:p', 'c:tx', 'c:cat', 'c:val']);

/** Returns the paragraphs of the other parts as HTML, each once. */
export function otherParts(
  names: readonly string[],
  read: (name: string) => string,
  parser: NewParser,
): string {
  const texts = (pattern: RegExp): string[] =>
    names.filter(name => pattern.test(name)).flatMap(name => paragraphsOf(read(name), parser));
  const said = new Set([...texts(DRAWINGS), ...texts(EDGES)]);
  const pages = names.filter(name => PAGES.test(name)).map(read);
  return [...[...said].map(text => `<p>${escaped(text)}</p>`), ...pages].join('');
}

function paragraphsOf(xml: string, parser: NewParser): string[] {
  const found: string[] = [];
  let text = '';
  let unseen = 0;
  let inText = 0;
  const end = (): void => {
    const shown = text.replace(/\s+/g, ' ').trim();
    text = '';
    if (/\p{L}|\p{N}{2}/u.test(shown)) found.push(shown);
  };
  const reading = new parser(
    {
      onopentag(name) {
        if (UNSEEN.has(name)) unseen++;
        else if (TEXT.has(name)) inText++;
        else if (PARAGRAPH.has(name)) end();
        else if (name === 'w:tab' || name === 'w:br' || name === 'w:tc' || name === 'c:pt')
          text += ' ';
      },
      onclosetag(name) {
        if (UNSEEN.has(name)) unseen--;
        else if (TEXT.has(name)) inText--;
        else if (PARAGRAPH.has(name)) end();
      },
      ontext(piece) {
        if (inText > 0 && unseen === 0) text += piece;
      },
    },
    { xmlMode: true },
  );
  reading.end(xml);
  end();
  return found;
}
