/**
 * A tree that is walked by keyboard, after the pattern of WAI-ARIA. Children are made when their
 * parent opens, at most some at a time, and taken away when it closes, so that a trace of any size
 * is a page of a bounded one.
 */

import { defined } from '../../../src/core/defined.ts';
import { type Child, element, plural } from './elements.ts';

export interface TreeNode {
  /** Unique in its tree. */
  readonly key: string;
  readonly row: readonly Child[];
  readonly open?: boolean;
  readonly children?: () => readonly TreeNode[];
}

/** Children that are shown before more are asked for. */
const STEP = 15;
/** The same of the first level. */
const FIRST = 100;

interface Item {
  readonly node: TreeNode;
  readonly element: HTMLElement;
  readonly row: HTMLElement;
  readonly parent: Item | undefined;
  group?: HTMLElement;
  nodes?: readonly TreeNode[];
  items: Item[];
  /** Shows more siblings; an item that stands for them. */
  readonly more?: () => void;
}

export class Tree {
  readonly element: HTMLElement;
  private readonly prefix: string;
  private readonly onSelect: (key: string) => void;
  private readonly root: Item;
  private readonly byElement = new WeakMap<Element, Item>();
  private selected: Item | undefined;
  private made = 0;

  /** `prefix` begins the ids of its elements. */
  constructor(prefix: string, label: string, onSelect: (key: string) => void) {
    this.prefix = prefix;
    this.onSelect = onSelect;
    this.element = element('ul', { role: 'tree', class: 'tree', 'aria-label': label });
    const node = { key: '', row: [] };
    const own = { element: this.element, row: this.element, parent: undefined };
    this.root = { node, ...own, items: [], nodes: [] };
    this.root.group = this.element;
    this.element.addEventListener('keydown', event => this.pressed(event));
    this.element.addEventListener('click', event => this.clicked(event));
  }

  /** Adds nodes at the end of the first level. */
  add(nodes: readonly TreeNode[]): void {
    this.root.nodes = [...this.root.nodes!, ...nodes];
    this.fill(this.root, Math.max(0, FIRST - this.root.items.length));
    if (!this.selected && this.root.items[0]) this.select(this.root.items[0], false);
  }

  /** Opens the path of keys and moves to its end; the focus moves too, unless it must not. */
  reveal(path: readonly string[], focus = true): void {
    let item = this.root;
    for (const key of path) {
      if (item !== this.root) this.open(item);
      const at = (item.nodes ?? []).findIndex(node => node.key === key);
      if (at >= 0) while (!item.items.some(({ node }) => node.key === key)) this.fill(item);
      const next = item.items.find(({ node }) => node.key === key);
      if (!next) break;
      item = next;
    }
    if (item !== this.root) this.select(item, focus);
  }

  private append(parent: Item, node: TreeNode, more?: () => void): Item {
    const id = `${this.prefix}${++this.made}`;
    const level = Number(parent.row.getAttribute('aria-level') ?? 0) + 1;
    const row = element(
      'div',
      {
        role: 'treeitem',
        id,
        tabindex: -1,
        'aria-selected': 'false',
        'aria-level': level,
        'aria-expanded': node.children ? 'false' : undefined,
        class: more ? 'row more' : 'row',
      },
      ...node.row,
    );
    // The group of children stands beside its row, so that a row is named by its own words alone.
    const made = element('li', { role: 'none' }, row);
    const item: Item = defined({ node, element: made, row, parent, items: [], more });
    parent.group!.append(made);
    parent.items.push(item);
    this.byElement.set(row, item);
    if (node.open) this.open(item);
    return item;
  }

  private open(item: Item): void {
    if (!item.node.children || item.group) return;
    item.nodes = item.node.children();
    item.group = element('ul', { role: 'group', id: `${item.row.id}g` });
    item.element.append(item.group);
    item.row.setAttribute('aria-expanded', 'true');
    item.row.setAttribute('aria-owns', item.group.id);
    this.fill(item);
  }

  /** Shows the next children, and an item for the rest. */
  private fill(item: Item, step = STEP): void {
    if (item.items.at(-1)?.more) {
      const more = item.items.pop()!;
      more.element.remove();
      if (this.selected === more) this.select(item.items.at(-1)!, false);
    }
    const from = item.items.length;
    const nodes = item.nodes ?? [];
    for (const node of nodes.slice(from, from + step)) this.append(item, node);
    const left = nodes.length - item.items.length;
    if (left === 0) return;
    const words =
      left > STEP ? `Show ${STEP} more of ${plural(left, 'other')}` : `Show ${left} more`;
    this.append(item, { key: `${item.node.key} more`, row: [words] }, () => {
      const next = item.items.length - 1;
      this.fill(item);
      this.select(item.items[next]!);
    });
  }

  private close(item: Item): void {
    if (this.selected && item.group?.contains(this.selected.element)) this.select(item);
    item.group?.remove();
    delete item.group;
    item.items = [];
    item.row.setAttribute('aria-expanded', 'false');
    item.row.removeAttribute('aria-owns');
  }

  private select(item: Item, focus = true): void {
    if (this.selected) {
      this.selected.row.setAttribute('aria-selected', 'false');
      this.selected.row.tabIndex = -1;
    }
    this.selected = item;
    item.row.setAttribute('aria-selected', 'true');
    item.row.tabIndex = 0;
    if (focus) {
      item.row.focus({ preventScroll: true });
      item.row.scrollIntoView({ block: 'nearest' });
    }
    if (!item.more) this.onSelect(item.node.key);
  }

  private toggle(item: Item): void {
    if (item.more) item.more();
    else if (item.group) this.close(item);
    else this.open(item);
  }

  private clicked(event: Event): void {
    const target = event.target as Element;
    const item = this.byElement.get(target.closest('[role=treeitem]') ?? this.element);
    if (!item) return;
    this.select(item);
    this.toggle(item);
  }

  private pressed(event: KeyboardEvent): void {
    const item = this.selected;
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    const act = this.actionOf(event.key, item);
    if (!act) return;
    event.preventDefault();
    act();
  }

  private actionOf(key: string, item: Item): (() => void) | undefined {
    const to = (next: Item | undefined) => () => next && this.select(next);
    const visible = (): Item[] => this.visible(this.root);
    const step = (by: number): Item | undefined => {
      const all = visible();
      return all[all.indexOf(item) + by];
    };
    const parent = item.parent === this.root ? undefined : item.parent;
    switch (key) {
      case 'ArrowDown':
        return to(step(1));
      case 'ArrowUp':
        return to(step(-1));
      case 'ArrowRight':
        return item.group ? to(item.items[0]) : () => this.open(item);
      case 'ArrowLeft':
        return item.group ? () => this.close(item) : to(parent);
      case 'Home':
        return to(visible()[0]);
      case 'End':
        return to(visible().at(-1));
      case '*':
        return () => {
          for (const each of item.parent?.items ?? []) if (!each.more) this.open(each);
        };
      case 'Enter':
      case ' ':
        return () => this.toggle(item);
      default:
        return undefined;
    }
  }

  private visible(item: Item): Item[] {
    return item.items.flatMap(each => [each, ...this.visible(each)]);
  }
}
