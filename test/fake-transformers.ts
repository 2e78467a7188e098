/** Fakes the library of local models, whose models are functions of their inputs. */
import type { LibraryTensor, Tokenizer } from '../src/providers/transformers-library.ts';

export class Tensor implements LibraryTensor {
  readonly type: string;
  readonly data: BigInt64Array | Float32Array;
  readonly dims: number[];
  constructor(type: string, data: BigInt64Array | Float32Array, dims: number[]) {
    [this.type, this.data, this.dims] = [type, data, dims];
  }
  to(): LibraryTensor {
    return this;
  }
}

export type Inputs = Readonly<Record<string, LibraryTensor>>;
export type Outputs = Readonly<Record<string, LibraryTensor | undefined>>;

export const idsOf = ({ input_ids }: Inputs): number[] =>
  [...(input_ids!.data as BigInt64Array)].map(Number);

export const floats = (values: Iterable<number>, dims: number[]): Tensor =>
  new Tensor('float32', Float32Array.from(values), dims);

export interface FakeLibrary {
  readonly loaded: unknown[];
  readonly seen: Inputs[];
  readonly load: () => Promise<object>;
}

/** Fakes a library whose models apply `answer`; records what was loaded and read. */
export function libraryOf(tokenizer: Tokenizer, answer: (inputs: Inputs) => Outputs): FakeLibrary {
  const loaded: unknown[] = [];
  const seen: Inputs[] = [];
  const model = Object.assign(async (inputs: Inputs) => seen.push(inputs) && answer(inputs), {
    dispose: async () => {},
    config: { id2label: { 0: 'O', 1: 'B-PER' } },
  });
  const from = <T>(kind: string, value: T) => ({
    from_pretrained: async (name: string, options: object) =>
      loaded.push([kind, name, options]) > 0 && value,
  });
  const library = {
    AutoTokenizer: from('tokenizer', tokenizer),
    AutoModel: from('model', model),
    AutoModelForSequenceClassification: from('classifier', model),
    AutoModelForQuestionAnswering: from('answerer', model),
    AutoModelForTokenClassification: from('tagger', model),
    Tensor,
  };
  return { loaded, seen, load: async () => library };
}
