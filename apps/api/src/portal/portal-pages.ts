import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { deadline } from '@mailstead/core/deadlines';
import { AppError } from '@mailstead/core/errors';
import type { Demo } from '@mailstead/core/operators/demo';
import { PlainResponse } from '../http/responses.js';
import { type Controller, type Route, route } from '../http/route.js';
import type { BuiltPage } from './built-page.js';

/** What the build writes where the nonce of the response belongs (`html.cspNonce` in the portal's `vite.config.ts`). */
const NONCE_PLACE = 'NONCE_OF_THE_RESPONSE';
const NONCE_BYTES = 18;
/** What `index.html` has where the page reads whether the service is a demo. */
const DEMO_PLACE = 'IS_THE_SERVICE_A_DEMO';
/** What it has where the page reads for how many milliseconds it offers to take a change back. */
const UNDO_PLACE = 'HOW_LONG_UNDO_IS_OFFERED';

const HTML = 'text/html; charset=utf-8';
/** The name of an asset contains the hash of its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Mailstead</title></head>
<body><h1>The portal has not been built</h1><p>Start the service with <code>npm start</code>, or build the portal with <code>npm run portal</code>. The API works without it: <a href="/docs">its reference</a>.</p></body>
</html>
`;

const COMMON = {
  method: 'get',
  access: 'public',
  anyInput: true,
  mediaTypes: [HTML],
  response: null,
} as const;

/**
 * The files of the portal. They are no part of the API, so the OpenAPI document does not list them. Which screen an
 * address below `/portal/` shows, the page itself decides.
 */
export class PortalPages implements Controller {
  constructor(
    private readonly built: BuiltPage,
    private readonly demo: Demo,
  ) {}

  routes(): Route[] {
    return [
      route({
        ...COMMON,
        path: '/portal/assets/*file',
        cacheControl: IMMUTABLE,
        summary: 'Get a file of the portal',
        run: ({ params, headers }) => this.asset(params.file.join('/'), headers),
      }),
      route({
        ...COMMON,
        path: '/',
        summary: 'Lead a browser to the portal',
        run: ({ headers }) => begin(headers.accept),
      }),
      route({ ...COMMON, path: '/portal', summary: 'Show the portal', run: () => this.page() }),
      route({ ...COMMON, path: '/portal/*address', summary: 'Show the portal', run: () => this.page() }),
    ];
  }

  private async page(): Promise<PlainResponse> {
    const html = await this.built.html();
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const headers = { 'Content-Security-Policy': pagePolicy(nonce) };
    if (html === null) return new PlainResponse(HTML, NOT_BUILT, headers, 503);
    return new PlainResponse(
      HTML,
      html
        .replace(DEMO_PLACE, String(this.demo.isDemo))
        .replace(UNDO_PLACE, String(deadline('undo')))
        .replaceAll(NONCE_PLACE, nonce),
      headers,
    );
  }

  private async asset(name: string, headers: IncomingHttpHeaders): Promise<PlainResponse> {
    const asset = await this.built.asset(name, headers['accept-encoding'] ?? '');
    if (asset === null) throw new AppError('route_not_found');
    const answered = {
      ETag: asset.etag,
      Vary: 'Accept-Encoding',
      ...(asset.encoding === null ? {} : { 'Content-Encoding': asset.encoding }),
    };
    const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
    if (known.includes(asset.etag) || known.includes('*'))
      return new PlainResponse(asset.contentType, '', answered, 304);
    return new PlainResponse(asset.contentType, await asset.read(), answered);
  }
}

/** Only a browser asks for a page. To everything else the root stays as it was: no such route. */
function begin(accept: string | undefined): PlainResponse {
  if (accept?.includes('text/html') !== true) throw new AppError('route_not_found');
  return new PlainResponse(HTML, '', { Location: '/portal/', Vary: 'Accept' }, 302);
}

/** Scripts and requests of this origin alone. The nonce is for the style elements that the page makes. */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
