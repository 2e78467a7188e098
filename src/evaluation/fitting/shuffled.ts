/** Returns the items in an order drawn from `random` (Fisher and Yates). */
export function shuffled<T>(items: Iterable<T>, random: () => number): T[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}
