/** Elements of HTML by what they are to a reader: blocks, content, or furniture of the page. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Nothing in these is read. */
const SILENT = words(
  'script style noscript template svg math canvas iframe object nav aside footer form button select option textarea dialog menu audio video map',
);

/** Begin and end a block. */
export const BLOCKS: ReadonlySet<string> = words(`
  p div section article main header h1 h2 h3 h4 h5 h6 blockquote pre ul ol li dl dt dd table caption thead tbody
  tfoot tr td th figure figcaption address details summary hr body title`);

/** Roles of the page's furniture. */
const SILENT_ROLES = words(
  'navigation banner contentinfo search complementary menu menubar dialog',
);

/**
 * Names that generators of documentation give their furniture, as a class or an id: navigation,
 * tables of contents, links around a page, line numbers.
 */
const FURNITURE = words(`
  nav navbar navigation nav-panel navheader navfooter sidebar side-bar sphinxsidebar sidebar-wrapper toc
  table-of-contents contents breadcrumb breadcrumbs pagination prev-next related skip-link skiplink
  headerlink hash-link anchor-link linenos lineno gutter footer site-footer site-header cookie-banner
  edit-this-page editlink printfooter mw-editsection noprint menu menubar toplang bottomlang quickview
  nosearch`);

/** Elements by which a page marks its own content; if there are any, only they are read. */
const CONTENT = words('main article');

type Attributes = Readonly<Record<string, string>>;

/** Tells whether a page marks its content by this element. */
export function isContent(name: string, attributes: Attributes): boolean {
  return CONTENT.has(name) || attributes['role'] === 'main';
}

/** Tells whether an element and everything in it is left out. */
export function isSilent(name: string, attributes: Attributes, inContent: boolean): boolean {
  if (SILENT.has(name) || 'hidden' in attributes || attributes['aria-hidden'] === 'true')
    return true;
  if (name === 'header' && !inContent) return true;
  if (name === 'html' || name === 'body' || isContent(name, attributes)) return false;
  if (SILENT_ROLES.has(attributes['role'] ?? '')) return true;
  const names = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`;
  return names !== ' ' && names.split(/\s+/).some(each => FURNITURE.has(each.toLowerCase()));
}
