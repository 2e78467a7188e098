/** Measures how far a sentence with its headings mentions what the question asks about. */

import { type AskedTerm, holdsTerm } from '../../language/english/words/terms.ts';
import { coverage, type Sections, type SectionUnit } from './section-units.ts';

export interface Bound {
  /** Share of the question's words, but those of the project, in the sentence and its heading. */
  readonly clause: number;
  /** Share of all of them in the section and its place. */
  readonly whole: number;
  /** Share of its names in the sentence and its place; 1 if it has none. */
  readonly names: number;
}

export class Binding {
  private readonly weights: ReadonlyMap<AskedTerm, number>;
  private readonly sections: Sections;
  private readonly named: ReadonlyMap<AskedTerm, number>;

  constructor(weights: ReadonlyMap<AskedTerm, number>, sections: Sections) {
    [this.weights, this.sections] = [weights, sections];
    const paths = sections.sections.map(({ path }) => path);
    this.named = new Map(
      [...weights].filter(([term]) => term.isName || paths.some(path => holdsTerm(path, term))),
    );
  }

  of(unit: SectionUnit): Bound {
    const { terms, leaf, place } = this.sections.sections[unit.section]!;
    return {
      clause: coverage(this.own(unit), [unit.terms, leaf]),
      whole: coverage(this.weights, [terms, place]),
      names: this.named.size === 0 ? 1 : coverage(this.named, [unit.terms, place]),
    };
  }

  /** Returns the words that the path of the unit's file does not say. */
  own({ section }: SectionUnit): ReadonlyMap<AskedTerm, number> {
    const { path } = this.sections.sections[section]!;
    return new Map([...this.weights].filter(([term]) => !holdsTerm(path, term)));
  }
}
