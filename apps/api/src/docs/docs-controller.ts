import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { AppError } from '@mailstead/core/errors';
import { openApiOf } from '../http/openapi.js';
import { PlainResponse } from '../http/responses.js';
import { type Controller, type Route, route } from '../http/route.js';

const FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** Allows inline styles, which Swagger UI uses, and loads files from this service only. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Mailstead API</title><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="swagger-ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`;
const START =
  "window.onload = () => SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true });\n";

export class DocsController implements Controller {
  private document: string | undefined;

  /** @param served returns every route of the application, including these; called at the first request. */
  constructor(private readonly served: () => Route[]) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/openapi.json',
        access: 'public',
        summary: 'Get the OpenAPI 3.1 document of this service',
        response: null,
        run: () => {
          this.document ??= JSON.stringify(openApiOf(this.served()));
          return new PlainResponse('application/json; charset=utf-8', this.document);
        },
      }),
      route({
        method: 'get',
        path: '/docs',
        access: 'public',
        summary: 'Show the API reference in a browser',
        response: null,
        run: () => page('text/html; charset=utf-8', PAGE),
      }),
      route({
        method: 'get',
        path: '/docs/:file',
        access: 'public',
        summary: 'Get a file of the API reference',
        response: null,
        run: async ({ params }) => {
          const file = params.file ?? '';
          if (file === 'start.js') return page('text/javascript; charset=utf-8', START);
          const contentType = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
          if (contentType === undefined) throw new AppError('route_not_found');
          return page(contentType, await readFile(join(assetFolder(), file)));
        },
      }),
    ];
  }
}

function page(contentType: string, body: string | Buffer): PlainResponse {
  return new PlainResponse(contentType, body, { 'Content-Security-Policy': DOCS_POLICY });
}

function assetFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
