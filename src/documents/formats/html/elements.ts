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

/** Tells whether an element and everything in it shows nothing to read. */
export function isRemoved(name: string, attributes: Attributes): boolean {
  return (
    (REMOVED.has(name) && !('shadowrootmode' in attributes)) ||
    DIALOG_ROLES.has(attributes['role'] ?? '') ||
    attributes['aria-modal'] === 'true'
  );
}

/** Returns what an element says that it is, if it says anything. */
export function standingOf(
  name: string,
  attributes: Attributes,
  names: Names,
): Standing | undefined {
  const role = attributes['role'] ?? '';
  if (name === 'html' || name === 'body') return undefined;
  if (name === 'main' || role === 'main') return 'main';
  if (name === 'article') return 'article';
  // Browsers with scripts show nothing of it.
  if (name === 'noscript') return 'hidden';
  const stated = NOTES_ROLES.has(role) ? 'notes' : names.standingOf(attributes);
  const isNotes = stated === 'notes';
  if (!isNotes && (name === 'nav' || name === 'footer' || name === 'search')) return 'furniture';
  if (FURNITURE_ROLES.has(role) && name !== 'header') return 'furniture';
  if (stated === 'furniture') return stated;
  if ('hidden' in attributes || attributes['aria-hidden'] === 'true') return 'hidden';
  if (isNotes) return stated;
  if (name === 'header' || name === 'form') return name;
  return name === 'aside' || name === 'menu' || role === 'complementary' ? 'aside' : stated;
}

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
