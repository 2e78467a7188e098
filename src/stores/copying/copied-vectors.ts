/** Vectors of a source in the place of the models that made them: nothing is embedded anew. */
import type { Document } from '../../core/corpus/document.ts';
import { PortError } from '../../core/errors.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Cut } from '../../search/corpus/items.ts';
import type { SearchEngine } from '../../search/engine.ts';
import type { PlaceSpace } from '../../search/place.ts';
import { VECTORS } from '../../search/ports/vectors-port.ts';
import { type TextTemplate, textTemplates } from '../../search/vectors/text-templates.ts';
import { templateOf } from '../disk/store-embedders.ts';

export const noVectors = (space: string): PortError =>
  new PortError('embedder', 'no-vectors', `The source lacks vectors of ${space} for a text`, {
    expected: 'the vectors of all of its documents',
    hint: 'Embed the documents of the source first, or copy without vectors.',
  });

/** Opens a source whose vectors are read, without its models. */
export const unaskedEmbedder = ({ id, name, dimensions }: PlaceSpace): Embedder => ({
  id,
  dimensions,
  async embed() {
    throw noVectors(name);
  },
});

export class CopiedVectors {
  readonly spaces: readonly PlaceSpace[];
  private readonly cut: Cut;
  private readonly templates: readonly TextTemplate[];
  /** By space and text. */
  private readonly known: ReadonlyMap<string, Map<string, Float32Array>>;

  constructor(spaces: readonly PlaceSpace[], cut: Cut) {
    this.spaces = spaces;
    this.cut = cut;
    this.templates = spaces.map(space => textTemplates.create(templateOf(space)));
    this.known = new Map(spaces.map(({ name }) => [name, new Map()]));
  }

  /** Reads the vectors of documents. */
  async load(documents: readonly Document[], source: SearchEngine, call: Call): Promise<void> {
    for (const [at, { name, units }] of this.spaces.entries())
      for (const unit of units) {
        const items = documents.flatMap(document =>
          this.cut(unit, document).map(item => ({ document, item })),
        );
        const ids = items.map(({ item }) => item.id);
        const vectors = await source.port(VECTORS)!.vectors(unit, ids, name, call);
        const known = this.known.get(name)!;
        for (const [place, { document, item }] of items.entries())
          known.set(this.templates[at]!.passage(document, item), vectors[place]!);
      }
  }

  forget(): void {
    for (const vectors of this.known.values()) vectors.clear();
  }

  /** Returns an embedder that knows the texts of the documents that were loaded. */
  embedder({ name, dimensions }: PlaceSpace, id: string): Embedder {
    return {
      id,
      dimensions,
      embed: async texts =>
        texts.map(text => {
          const vector = this.known.get(name)?.get(text);
          if (!vector) throw noVectors(name);
          return vector;
        }),
    };
  }
}
