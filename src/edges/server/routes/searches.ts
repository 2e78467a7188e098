/** `/v1/search`: one search. */
import { json, type Route } from '../route.ts';
import { SEARCH_INPUT, SEARCH_OUTPUT } from '../schemas.ts';
import type { SearchInput } from '../service.ts';

export const searchRoute: Route = {
  method: 'POST',
  path: '/v1/search',
  id: 'search',
  summary: 'Searches once',
  access: 'token',
  works: true,
  body: SEARCH_INPUT,
  answers: [{ type: 'application/json', schema: SEARCH_OUTPUT, description: 'the best hits' }],
  answer: async ({ service, input, signal }) =>
    json(await service.search(input as SearchInput, signal)),
};
