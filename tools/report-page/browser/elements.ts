/** Makes elements of a page. Texts become text nodes, so nothing from data is ever markup. */

type Child = Node | string;

/** Attributes of an element; `undefined` leaves one out. */
type Attributes = Readonly<Record<string, string | undefined>>;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A text from data: the browser decides its direction by its first strong character. */
export const told = (text: string, name: 'span' | 'p' | 'li' = 'span'): HTMLElement =>
  element(name, { dir: 'auto' }, text);

/** A link to a trace; `label` says more than its words, and begins with them. */
export const traceLink = (address: string, label: string, words: string): HTMLElement =>
  element('a', { href: address, class: 'trace', 'aria-label': label }, words);

export function byId<T extends HTMLElement>(id: string): T | undefined {
  return (document.getElementById(id) ?? undefined) as T | undefined;
}
