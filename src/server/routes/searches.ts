/** `/v1/search`: one search. */

import { SEARCH_INPUT, SEARCH_OUTPUT } from '../../session/requests/schemas.ts';
import { json, type Route, route } from '../route.ts';

export const searchRoute: Route = route({
  method: 'POST',
  path: '/v1/search',
  id: 'search',
  summary: 'Searches once',
  access: 'token',
  works: true,
  body: SEARCH_INPUT,
  answers: [{ type: 'application/json', schema: SEARCH_OUTPUT, description: 'the best hits' }],
  answer: async ({ store, input, signal }) => json(await store.search(input, signal)),
});
