/** Lists all routes. A new route is an object in a file of this folder, and an entry here. */
import type { Route } from './route.ts';
import { aboutRoute } from './routes/about.ts';
import { chatRoutes } from './routes/chat.ts';
import { documentRoutes } from './routes/documents.ts';
import { askRoute, retrieveRoute } from './routes/runs.ts';
import { searchRoute } from './routes/searches.ts';
import { traceRoutes } from './routes/traces.ts';

export const ROUTES: readonly Route[] = [
  askRoute,
  retrieveRoute,
  searchRoute,
  ...documentRoutes,
  ...traceRoutes,
  aboutRoute,
  ...chatRoutes,
];
