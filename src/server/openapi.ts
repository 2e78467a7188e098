/** Describes the routes as OpenAPI 3.1. */

import { defined } from '../core/defined.ts';
import { thisPackage } from '../platform/package-root.ts';
import { PROBLEM } from '../session/requests/document-schemas.ts';
import type { Schema } from '../session/requests/schema.ts';
import { PROBLEM_TYPE } from './problem-response.ts';
import type { Route } from './route.ts';

/** Statuses of problems, by what causes them. */
const PROBLEMS: Readonly<Record<string, string>> = {
  400: 'wrong input',
  401: 'no token, or a wrong one',
  403: 'a wrong Host or Origin, or a read-only server',
  404: 'an unknown id',
  413: 'a body that is too large',
  415: 'a body that is not JSON',
  429: 'too many requests',
  502: 'a model or an engine failed',
  503: 'the server is busy or shutting down',
};

export function openApi(routes: readonly Route[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'multihop',
      version: thisPackage().version,
      description: 'Answers questions whose evidence is spread over several documents.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: {
      schemas: { Problem: PROBLEM },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function operation(route: Route): Record<string, unknown> {
  const { id, summary, access, body, answers } = route;
  const contents = answers.map(({ type, schema }) => [type, schema ? { schema } : {}] as const);
  const description = answers.map(answer => `${answer.type}: ${answer.description}`).join('; ');
  const problem = { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } };
  const problems = Object.entries(PROBLEMS).map(
    ([status, cause]) => [status, { description: cause, content: problem }] as const,
  );
  return defined({
    operationId: id,
    summary,
    security: access === 'token' ? [{ token: [] }] : undefined,
    parameters: [...pathParameters(route), ...queryParameters(route)],
    requestBody: body
      ? { required: true, content: { 'application/json': { schema: body } } }
      : undefined,
    responses: {
      200: { description, content: Object.fromEntries(contents) },
      ...Object.fromEntries(problems),
    },
  });
}

const pathParameters = ({ path }: Route): unknown[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function queryParameters({ query }: Route): unknown[] {
  const properties = (query?.['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
}
