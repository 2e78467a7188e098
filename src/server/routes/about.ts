/** `/v1/about`: what the server can be asked for. */

import { thisPackage } from '../../platform/package-root.ts';
import { ABOUT_OUTPUT } from '../../session/requests/document-schemas.ts';
import { OFFERED } from '../../session/requests/offered.ts';
import { json, type Route } from '../route.ts';

export const aboutRoute: Route = {
  method: 'GET',
  path: '/v1/about',
  id: 'about',
  summary: 'Names the strategies, retrievers, readers and contexts, and the defaults',
  access: 'token',
  answers: [{ type: 'application/json', schema: ABOUT_OUTPUT, description: 'names and counts' }],
  answer: async ({ store }) =>
    json({
      version: thisPackage().version,
      documents: await store.count(),
      ...OFFERED,
      readOnly: store.readOnly,
    }),
};
