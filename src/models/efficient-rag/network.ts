/**
 * Evaluates a logistic regression, optionally with a hidden layer, over dense features and crossed
 * ones that are hashed into a table of weights.
 */

/**
 * The features of one instance: dense ones in the network's order, and hashes of crossed ones,
 * taken modulo the size of the table.
 */
export interface Features {
  readonly dense: Float64Array;
  readonly crossed: readonly number[];
}

export interface Network {
  /** Dense features. */
  readonly inputs: number;
  /** Hidden units with ReLU, max(0, x); 0 for a plain regression. */
  readonly hidden: number;
  /** `hidden` rows of `inputs`, then `hidden` biases. */
  readonly first: Float64Array;
  /** One weight per dense feature, one per hidden unit, and a bias. */
  readonly last: Float64Array;
  /** One weight per bucket; may be empty. */
  readonly table: Float64Array;
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

export const parametersOf = ({ first, last, table }: Network): number =>
  first.length + last.length + table.length;

/** Writes the activations of the hidden units into `into` and returns it. */
export function hiddenOf(
  { inputs, hidden, first }: Network,
  dense: Float64Array,
  into: Float64Array,
): Float64Array {
  for (let unit = 0; unit < hidden; unit++) {
    let sum = first[hidden * inputs + unit]!;
    for (let i = 0, row = unit * inputs; i < inputs; i++) sum += first[row + i]! * dense[i]!;
    into[unit] = Math.max(sum, 0);
  }
  return into;
}

/** Returns the logit of the positive class. */
export function logitOf(
  network: Network,
  { dense, crossed }: Features,
  hidden: Float64Array = new Float64Array(network.hidden),
): number {
  const { inputs, last, table } = network;
  let sum = last[last.length - 1]!;
  for (let i = 0; i < inputs; i++) sum += last[i]! * dense[i]!;
  hiddenOf(network, dense, hidden);
  for (let unit = 0; unit < network.hidden; unit++) sum += last[inputs + unit]! * hidden[unit]!;
  if (table.length > 0) for (const bucket of crossed) sum += table[bucket % table.length]!;
  return sum;
}

export const probabilityOf = (network: Network, features: Features): number =>
  sigmoid(logitOf(network, features));

/** Returns the 32-bit FNV-1a hash of the text's UTF-16 units. */
export function bucketOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
