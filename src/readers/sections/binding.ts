/** Measures how far a sentence with its headings mentions what the question asks about. */

import { Projects } from '../../core/corpus/projects.ts';
import { type AskedTerm, holdsTerm } from '../../language/english/words/terms.ts';
import { heldShare, rarity } from '../features.ts';
import type { Sections, SectionUnit } from './section-units.ts';

export interface Bound {
  /** Share of the question's words, but those of the project, in the sentence and its heading. */
  readonly clause: number;
  /** Share of all of them in the section and its place. */
  readonly whole: number;
  /**
   * Share of its names in the sentence and its place; 1 if it has none. Half of it in another
   * project than the question names, if a shown one is named.
   */
  readonly names: number;
}

export class Binding {
  private readonly weights: ReadonlyMap<AskedTerm, number>;
  private readonly sections: Sections;
  private readonly capitalised: ReadonlyMap<AskedTerm, number>;
  private readonly projects: Projects;
  private readonly named: ReadonlySet<string | undefined>;

  /** Binds the words `asked` of a question. */
  constructor(question: string, asked: readonly AskedTerm[], sections: Sections) {
    this.weights = termWeights(asked, sections);
    this.projects = new Projects(sections.sections.map(({ document }) => document.id));
    this.named = new Set(this.projects.namedIn(question));
    this.sections = sections;
    const paths = sections.sections.map(({ path }) => path);
    this.capitalised = new Map(
      [...this.weights].filter(
        ([term]) => term.isName || paths.some(path => holdsTerm(path, term)),
      ),
    );
  }

  of(unit: SectionUnit): Bound {
    const { terms, leaf, place, document } = this.sections.sections[unit.section]!;
    const isOther = this.named.size > 0 && !this.named.has(this.projects.of(document.id));
    const { capitalised } = this;
    const share = capitalised.size > 0 ? coverage(capitalised, [unit.terms, place]) : 1;
    return {
      clause: coverage(this.askedOf(unit), [unit.terms, leaf]),
      whole: coverage(this.weights, [terms, place]),
      names: isOther ? share / 2 : share,
    };
  }

  /** Returns the words that the path of the unit's file does not say. */
  askedOf({ section }: SectionUnit): ReadonlyMap<AskedTerm, number> {
    const { path } = this.sections.sections[section]!;
    return new Map([...this.weights].filter(([term]) => !holdsTerm(path, term)));
  }
}

/** Weighs words of the question by their rarity in the shown sentences. */
function termWeights(
  asked: readonly AskedTerm[],
  { units, sections }: Sections,
): ReadonlyMap<AskedTerm, number> {
  return new Map(
    asked.map(term => {
      const holding = units.filter(
        ({ terms, section }) => holdsTerm(terms, term) || holdsTerm(sections[section]!.place, term),
      ).length;
      return [term, rarity(units.length, holding)];
    }),
  );
}

/** Returns the weighted share, from 0 to 1, of the question's words that any of the sets holds. */
export function coverage(
  weights: ReadonlyMap<AskedTerm, number>,
  sets: readonly ReadonlySet<string>[],
): number {
  return heldShare(weights, term => sets.some(terms => holdsTerm(terms, term)));
}
