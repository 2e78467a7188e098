/** Makes elements of the page. Texts become text nodes, so nothing from a trace is ever markup. */

export type Child = Node | string | undefined | false;

/** Attributes of an element; `undefined` leaves one out. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return filled(document.createElement(name), attributes, children);
}

export function picture(
  name: keyof SVGElementTagNameMap,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  return filled(made, attributes, children);
}

function filled<Made extends Element>(
  made: Made,
  attributes: Attributes,
  children: readonly Child[],
): Made {
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(key, String(value));
  for (const child of children) if (child) made.append(child);
  return made;
}

/**
 * A text from a trace, isolated: the browser decides its direction by its first strong character,
 * and marks of direction in it end with it.
 */
export const given = (text: string): HTMLElement => element('bdi', {}, text);

export function button(
  words: Child,
  act: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, words);
  made.addEventListener('click', act);
  return made;
}

/** Terms with their descriptions; those without a description are left out. */
export function facts(rows: readonly (readonly [term: string, ...what: Child[]])[]): HTMLElement {
  const shown = rows.filter(([, ...what]) => what.some(Boolean));
  return element(
    'dl',
    { class: 'facts' },
    ...shown.map(([term, ...what]) =>
      element('div', {}, element('dt', {}, term), element('dd', {}, ...what)),
    ),
  );
}

/** A bar for a share from 0 to 1, for the eyes alone: words beside it say the same. */
export function bar(share: number): SVGElement {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return picture(
    'svg',
    { class: 'bar', viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    picture('rect', { class: 'rail', width: 100, height: 6 }),
    picture('rect', { class: 'fill', width, height: 6 }),
  );
}

/** An address that may be followed: of the web alone, which a trace cannot turn into a script. */
export function webAddress(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text)) return undefined;
  return URL.canParse(text) ? new URL(text).href : undefined;
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

export const score = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(4))) : '';

/** Texts longer than this are cut where a line of them is enough. */
export const cut = (text: string, most = 160): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
