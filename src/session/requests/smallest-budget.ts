/** Joins the budget of a request with that of the server. */
import { type Budget, LIMIT_NAMES } from '../../core/trace/usage.ts';

/** Returns of each limit the smaller value. */
export function smallestBudget(own: Budget, asked: Budget): Budget {
  return Object.fromEntries(
    LIMIT_NAMES.flatMap(name => {
      const values = [own[name], asked[name]].filter(value => value !== undefined);
      return values.length > 0 ? [[name, Math.min(...values)]] : [];
    }),
  );
}
