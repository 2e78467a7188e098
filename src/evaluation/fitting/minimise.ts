/**
 * Minimises a smooth convex function by L-BFGS with backtracking (Liu and Nocedal, On the Limited
 * Memory BFGS Method for Large Scale Optimization, Mathematical Programming 45, 1989, doi
 * 10.1007/BF01589116). Deterministic.
 */

/** Writes the gradient at `at` and returns the value. */
export type Objective = (at: Float64Array, gradient: Float64Array) => number;

const MEMORY = 10;
const ITERATIONS = 300;
/** Stops when no component of the gradient is larger. */
const TOLERANCE = 1e-4;
const SUFFICIENT = 1e-4;
const SHORTEST = 1e-10;

interface Step {
  readonly moved: Float64Array;
  readonly turned: Float64Array;
  readonly scale: number;
}

/** Returns the minimum, starting from zero, or the point after so many iterations. */
export function minimise(
  size: number,
  objective: Objective,
  iterations: number = ITERATIONS,
): Float64Array {
  let at: Float64Array = new Float64Array(size);
  let gradient: Float64Array = new Float64Array(size);
  let value = objective(at, gradient);
  const steps: Step[] = [];
  for (let iteration = 0; iteration < iterations; iteration++) {
    if (gradient.every(part => Math.abs(part) <= TOLERANCE)) break;
    const direction = directionOf(gradient, steps);
    const slope = dot(direction, gradient);
    let length = steps.length === 0 ? 1 / Math.max(1, Math.sqrt(dot(gradient, gradient))) : 1;
    const next = {
      at: new Float64Array(size),
      gradient: new Float64Array(size),
      value: Number.POSITIVE_INFINITY,
    };
    for (; length >= SHORTEST; length /= 2) {
      for (let i = 0; i < size; i++) next.at[i] = at[i]! + length * direction[i]!;
      next.value = objective(next.at, next.gradient);
      if (next.value <= value + SUFFICIENT * length * slope) break;
    }
    if (length < SHORTEST) break;
    remember(steps, at, gradient, next);
    ({ at, gradient, value } = next);
  }
  return at;
}

function remember(
  steps: Step[],
  at: Float64Array,
  gradient: Float64Array,
  next: { readonly at: Float64Array; readonly gradient: Float64Array },
): void {
  const moved = next.at.map((part, i) => part - at[i]!);
  const turned = next.gradient.map((part, i) => part - gradient[i]!);
  const curvature = dot(moved, turned);
  if (curvature <= 0) return;
  steps.push({ moved, turned, scale: 1 / curvature });
  if (steps.length > MEMORY) steps.shift();
}

/** Computes the search direction by the two-loop recursion. */
function directionOf(gradient: Float64Array, steps: readonly Step[]): Float64Array {
  const direction = gradient.map(part => -part);
  const shares: number[] = [];
  for (const { moved, turned, scale } of [...steps].reverse()) {
    const share = scale * dot(moved, direction);
    shares.push(share);
    addScaled(direction, turned, -share);
  }
  const last = steps.at(-1);
  if (last) {
    const factor = 1 / (last.scale * dot(last.turned, last.turned));
    for (let i = 0; i < direction.length; i++) direction[i]! *= factor;
  }
  for (const { moved, turned, scale } of steps)
    addScaled(direction, moved, shares.pop()! - scale * dot(turned, direction));
  return direction;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function addScaled(to: Float64Array, from: Float64Array, factor: number): void {
  for (let i = 0; i < to.length; i++) to[i]! += factor * from[i]!;
}
