/** `/v1/about`: what the server can be asked for. */

import { contexts } from '../../context/contexts.ts';
import { thisPackage } from '../../platform/package-root.ts';
import { readers } from '../../readers/readers.ts';
import { DEFAULTS } from '../../run/ask.ts';
import { retrievers } from '../../search/retrievers.ts';
import { ABOUT_OUTPUT } from '../../session/requests/document-schemas.ts';
import { strategies } from '../../strategies/strategies.ts';
import { json, type Route } from '../route.ts';

export const aboutRoute: Route = {
  method: 'GET',
  path: '/v1/about',
  id: 'about',
  summary: 'Names the strategies, retrievers, readers and contexts, and the defaults',
  access: 'token',
  answers: [{ type: 'application/json', schema: ABOUT_OUTPUT, description: 'names and counts' }],
  answer: async ({ store }) => {
    const { strategy, retriever, context, reader, answerAt } = DEFAULTS;
    return json({
      version: thisPackage().version,
      documents: await store.count(),
      strategies: names(strategies),
      retrievers: names(retrievers),
      readers: names(readers),
      contexts: names(contexts),
      defaults: { strategy, retriever, context, reader, answerAt },
      readOnly: store.readOnly,
    });
  },
};

const names = ({ members }: { readonly members: readonly { readonly name: string }[] }): string[] =>
  members.map(({ name }) => name);
