/** The models by which an engine embeds documents, and the texts that they read. */
import { InputError } from '../../core/errors.ts';
import type { ClaimGenerator } from '../../models/claim-generator.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { EntityRecogniser } from '../../models/entity-recogniser.ts';
import { nameRecogniser } from '../../models/name-recogniser.ts';
import { canonicalSpace } from './space-names.ts';
import { DEFAULT_TEMPLATE, type TextTemplate, textTemplates } from './text-templates.ts';

export class Embedding {
  /** By the canonical name of their space. */
  readonly embedders: ReadonlyMap<string, Embedder>;
  readonly template: TextTemplate;
  readonly recogniser: EntityRecogniser;
  /** Undefined for an engine without a claim base. */
  readonly claims: ClaimGenerator | undefined;

  /** Throws `InputError('duplicate-name' | 'bad-dimensions')`. */
  constructor(
    embedders: readonly Embedder[] = [],
    template: string | TextTemplate = DEFAULT_TEMPLATE,
    recogniser: EntityRecogniser = nameRecogniser,
    claims?: ClaimGenerator,
  ) {
    this.embedders = new Map(embedders.map(embedder => [canonicalSpace(embedder.id), embedder]));
    if (this.embedders.size < embedders.length)
      throw new InputError('duplicate-name', 'Two embedders of one engine have the same id', {
        received: embedders.map(({ id }) => id).join(', '),
      });
    for (const { id, dimensions } of embedders)
      if (!Number.isInteger(dimensions) || dimensions < 1)
        throw new InputError('bad-dimensions', `The dimensions of the embedder "${id}"`, {
          expected: 'a whole number of at least 1',
          received: String(dimensions),
        });
    this.recogniser = recogniser;
    this.claims = claims;
    this.template = typeof template === 'string' ? textTemplates.create(template) : template;
  }
}
