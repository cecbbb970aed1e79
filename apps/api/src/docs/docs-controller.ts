import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import { openApiOf } from '../http/openapi/document.js';
import { PlainResponse } from '../http/responses.js';
import { type Controller, type Route, route } from '../http/route.js';
import { SharedBytes } from '../http/shared-bytes.js';
import { errorCodesPage } from './error-codes-page.js';
import { ServedRoutes } from './served-routes.js';

/** The documents that the introduction of the reference names, as text: no browser shows Markdown. */
const DOCUMENTS = fileURLToPath(new URL('../../../../docs', import.meta.url));
const TEXT = 'text/plain; charset=utf-8';

/** Every file of the page that is read from the disk. A request only chooses one of these names. */
const FILES: Record<string, { contentType: string; folder: () => string }> = {
  'swagger-ui.css': { contentType: 'text/css; charset=utf-8', folder: assetFolder },
  'swagger-ui-bundle.js': { contentType: 'text/javascript; charset=utf-8', folder: assetFolder },
  'api-versions.md': { contentType: TEXT, folder: () => DOCUMENTS },
  'api.md': { contentType: TEXT, folder: () => DOCUMENTS },
  'error-codes.md': { contentType: TEXT, folder: () => DOCUMENTS },
  'access.md': { contentType: TEXT, folder: () => DOCUMENTS },
};

/** The names of the files stay the same when the service is updated. */
const FIVE_MINUTES = 'public, max-age=300';

/** Allows inline styles, which Swagger UI uses, and loads files from this service only. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

const PAGE = Buffer.from(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Mailstead API</title><link rel="icon" href="/docs/favicon.svg"><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="swagger-ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`);
const START =
  "window.onload = () => SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true });\n";

/** An envelope. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#1f5f8b" d="M1 3h14v10H1z"/><path fill="none" stroke="#fff" d="m1 3.5 7 5.5 7-5.5"/></svg>
`;

/** The files of the page that are not in the package of Swagger UI. */
const OWN_FILES: Record<string, { contentType: string; body: Buffer }> = {
  'start.js': { contentType: 'text/javascript; charset=utf-8', body: Buffer.from(START) },
  'error-codes': { contentType: 'text/html; charset=utf-8', body: Buffer.from(errorCodesPage()) },
  'favicon.svg': { contentType: 'image/svg+xml', body: Buffer.from(ICON) },
};

@needs(ServedRoutes)
export class DocsController implements Controller {
  private document: Buffer | undefined;
  private readonly stored = new SharedBytes((name) => readFile(join(FILES[name]?.folder() ?? '', name)));

  constructor(private readonly served: ServedRoutes) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/openapi.json',
        cacheControl: FIVE_MINUTES,
        access: 'public',
        summary: 'Get the OpenAPI 3.1 document of this service',
        mediaTypes: ['application/json'],
        response: null,
        run: () => {
          this.document ??= Buffer.from(JSON.stringify(openApiOf(this.served.all)));
          return new PlainResponse('application/json; charset=utf-8', this.document);
        },
      }),
      route({
        method: 'get',
        path: '/docs',
        cacheControl: FIVE_MINUTES,
        access: 'public',
        anyInput: true,
        summary: 'Show the API reference in a browser',
        mediaTypes: ['text/html'],
        response: null,
        run: () => page('text/html; charset=utf-8', PAGE),
      }),
      route({
        method: 'get',
        path: '/docs/:file',
        cacheControl: FIVE_MINUTES,
        access: 'public',
        anyInput: true,
        summary: 'Get a file of the API reference',
        mediaTypes: ['text/css', 'text/html', 'text/javascript', 'text/plain', 'image/svg+xml'],
        response: null,
        run: async ({ params }) => {
          const file = params.file;
          const own = Object.hasOwn(OWN_FILES, file) ? OWN_FILES[file] : undefined;
          if (own !== undefined) return page(own.contentType, own.body);
          const stored = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
          if (stored === undefined) throw new AppError('route_not_found');
          return page(stored.contentType, await this.stored.of(file));
        },
      }),
    ];
  }
}

function page(contentType: string, body: Buffer): PlainResponse {
  return new PlainResponse(contentType, body, { 'Content-Security-Policy': DOCS_POLICY });
}

function assetFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
