/** Elements of HTML by what they are to a reader: blocks, content, or furniture of the page. */
import type { Standing } from './regions.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Nothing in these is read: programs, graphics and controls. */
const REMOVED = words(`
  script style template svg canvas iframe select option textarea datalist dialog audio video
  object map`);

/** Begin and end a block. */
export const BLOCKS: ReadonlySet<string> = words(`
  p div section article main header footer nav aside search h1 h2 h3 h4 h5 h6 hgroup blockquote pre ul ol menu dir
  li dl dt dd table caption thead tbody tfoot tr td th figure figcaption address details summary hr body title
  form fieldset legend center noscript`);

/** Elements that give blocks a place: what is written in one stands together. */
export const CONTAINERS: ReadonlySet<string> = words(
  'body div section article main header footer nav aside td th form details blockquote center',
);

/** Roles of the page's furniture. */
const FURNITURE_ROLES = words('navigation banner contentinfo search menu menubar');
const DIALOG_ROLES = words('dialog alertdialog');

/** Names that generators of pages give to links around their content, and nothing else. */
const FURNITURE = words(`
  sphinxsidebar sidebar-wrapper navheader navfooter nav-panel navbar table-of-contents toc breadcrumb breadcrumbs
  pagination prev-next skip-link skiplink headerlink hash-link anchor-link linenos lineno site-footer site-header
  cookie-banner edit-this-page editlink printfooter mw-editsection noprint toplang bottomlang quickview nosearch footer`);

/** Names of furniture that content has too: what they hold decides. */
const AMBIGUOUS = words('nav navigation sidebar side-bar related gutter menu menubar');

/** Roles and names of notes and sources, which belong to a text that they stand below. */
const NOTES_ROLES = words('doc-footnote doc-endnote doc-endnotes doc-bibliography');
const NOTES = /(?:^|[-_])(?:foot|end)-?notes?(?:[-_]|$)/;

type Attributes = Readonly<Record<string, string>>;

/** The attributes of an element without any: most have none, and nothing is looked up in these. */
export const NO_ATTRIBUTES: Attributes = {};

/** Returns attributes, or `NO_ATTRIBUTES`. */
export function statedAttributes(attributes: Attributes): Attributes {
  for (const _ in attributes) return attributes;
  return NO_ATTRIBUTES;
}

/** Tells whether an element and everything in it shows nothing to read. */
export function isRemoved(name: string, attributes: Attributes): boolean {
  const isRemovedName = REMOVED.has(name) && !('shadowrootmode' in attributes);
  if (isRemovedName || attributes === NO_ATTRIBUTES) return isRemovedName;
  return DIALOG_ROLES.has(attributes['role'] ?? '') || attributes['aria-modal'] === 'true';
}

/** Returns what an element says that it is, if it says anything. */
export function standingOf(
  name: string,
  attributes: Attributes,
  names: Names,
): Standing | undefined {
  if (name === 'html' || name === 'body') return undefined;
  if (attributes === NO_ATTRIBUTES) return STANDING_OF_NAME.get(name);
  const role = attributes['role'] ?? '';
  if (name === 'main' || role === 'main') return 'main';
  // Browsers with scripts show nothing of a noscript.
  if (name === 'article' || name === 'noscript') return STANDING_OF_NAME.get(name);
  const stated = NOTES_ROLES.has(role) ? 'notes' : names.standingOf(attributes);
  const isNotes = stated === 'notes';
  const byName = STANDING_OF_NAME.get(name);
  if (!isNotes && byName === 'furniture') return byName;
  if (FURNITURE_ROLES.has(role) && name !== 'header') return 'furniture';
  if (stated === 'furniture') return stated;
  if ('hidden' in attributes || attributes['aria-hidden'] === 'true') return 'hidden';
  if (isNotes) return stated;
  if (byName === 'header' || byName === 'form') return byName;
  return byName === 'aside' || role === 'complementary' ? 'aside' : stated;
}

/** Elements that are furniture, content or neither by their names. */
const STANDING_OF_NAME: ReadonlyMap<string, Standing> = new Map([
  ['main', 'main'],
  ['article', 'article'],
  ['noscript', 'hidden'],
  ['nav', 'furniture'],
  ['footer', 'furniture'],
  ['search', 'furniture'],
  ['header', 'header'],
  ['form', 'form'],
  ['aside', 'aside'],
  ['menu', 'aside'],
]);

/** Tells what classes and ids state: a page has few classes, and most of them many times. */
export class Names {
  private readonly known = new Map<string, Standing | undefined>();

  standingOf({ class: classes = '', id = '' }: Attributes): Standing | undefined {
    const byClass = classes === '' ? undefined : this.ofClasses(classes);
    if (byClass === 'furniture' || id === '') return byClass;
    return namesStanding(id) ?? byClass;
  }

  private ofClasses(classes: string): Standing | undefined {
    const known = this.known.get(classes);
    if (known !== undefined || this.known.has(classes)) return known;
    const stated = namesStanding(classes);
    this.known.set(classes, stated);
    return stated;
  }
}

function namesStanding(names: string): Standing | undefined {
  let stated: Standing | undefined;
  for (const name of names.toLowerCase().split(/\s+/))
    if (FURNITURE.has(name)) return 'furniture';
    else if (AMBIGUOUS.has(name)) stated = 'aside';
    else if (name.includes('note') && NOTES.test(name)) stated = 'notes';
  return stated;
}
