/** Reads every text of an HTML page that a browser could show, as an independent reader does. */
import { Parser } from 'htmlparser2';

const UNSHOWN = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'math']);

/** Elements that begin and end no line: the text on both sides belongs together. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/**
 * Returns the texts between the tags of blocks, in order; blank ones are left out. Texts that
 * images stand for are `alternatives`.
 */
export function textsOfHtml(html: string, alternatives: string[] = []): string[] {
  const texts: string[] = [];
  let text = '';
  let unshown = 0;
  const end = (): void => {
    if (text.trim() !== '') texts.push(text);
    text = '';
  };
  const parser = new Parser({
    onopentag(name, { alt }) {
      if (!INLINE.has(name)) end();
      if (alt) alternatives.push(alt);
      if (UNSHOWN.has(name)) unshown++;
    },
    ontext(piece) {
      if (unshown === 0) text += piece;
    },
    onclosetag(name) {
      if (!INLINE.has(name)) end();
      if (UNSHOWN.has(name)) unshown--;
    },
  });
  parser.end(html);
  end();
  return texts;
}
