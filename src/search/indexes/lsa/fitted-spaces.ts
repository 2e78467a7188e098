/** Defines the family of vector spaces that are fitted on the corpus itself. */
import { type Family, family, type Member, member } from '../../../core/naming/family.ts';

/** Settings of a space that is fitted on the corpus rather than pretrained. */
export interface FittedSpace {
  /** Canonical name with settings. */
  readonly name: string;
  readonly dimensions: number;
}

const lsa: Member<FittedSpace> = member({
  name: 'lsa',
  summary:
    'truncated SVD of the corpus’s own TF-IDF matrix, fitted for each snapshot and unit; no download',
  paper:
    'Deerwester, Dumais, Furnas, Landauer and Harshman, Indexing by Latent Semantic Analysis, 1990',
  cost: 'one search; fitted once a snapshot and unit',
  parameters: [
    {
      name: 'dimensions',
      type: 'integer',
      default: 256,
      min: 1,
      max: 2048,
      summary: 'singular vectors; fewer where the corpus has fewer',
    },
  ],
  create: ({ dimensions }, name) => ({ name, dimensions: dimensions as number }),
});

export const fittedSpaces: Family<FittedSpace> = family('space', [lsa]);
