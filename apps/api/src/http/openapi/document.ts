import { SESSION_COOKIE } from '@mailstead/adapters/crypto/session-cookie';
import { type DtoClass, type Schema } from '../fields/field-notes.js';
import { API_VERSION } from '../http.js';
import type { Route } from '../route.js';
import { exampleProblems, problemSchema } from './example-problems.js';
import { RESPONSE_HEADERS } from './headers.js';
import { INTRODUCTION } from './introduction.js';
import { type Components, operationOf, SECURITY } from './operation.js';
import { schemasOf } from './schemas.js';
import { TAGS } from './tags.js';

/** Creates the OpenAPI 3.1 document of the routes from their declarations and DTO classes. */
export function openApiOf(routes: Route[]): Schema {
  const components: Components = { classes: new Set<DtoClass>(), problems: {} };
  const paths: Record<string, Schema> = {};
  for (const route of routes) {
    const path = templateOf(route);
    paths[path] = { ...paths[path], [route.method]: operationOf(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mailstead',
      version: API_VERSION,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that serves this document' }],
    security: SECURITY,
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The master token, an operator token or an API key' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description:
            'The session of a browser (`POST /sessions`). Every method but GET also needs its `X-CSRF-Token` header',
        },
      },
      schemas: { Problem: problemSchema(), ...schemasOf(components.classes) },
      headers: usedHeaders({ paths, problems: components.problems }),
      responses: components.problems,
      examples: exampleProblems(components.problems),
    },
  };
}

/** Without the headers about deprecations while nothing is deprecated. */
function usedHeaders(users: Schema): Record<string, Schema> {
  const text = JSON.stringify(users);
  const used = Object.entries(RESPONSE_HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`));
  return Object.fromEntries(used);
}

/** Returns the path of a route as OpenAPI writes it, such as `/domains/{domain_name}`. */
export function templateOf({ path }: Pick<Route, 'path'>): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}
