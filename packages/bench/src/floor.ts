import { createServer, type ServerResponse } from 'node:http';
import { json, type Request, type Response, Router } from 'express';

/**
 * The baseline: a bare router of Express that parses a JSON body and returns the same JSON from memory. What the service uses
 * of Express and sets on Node's server (`createApp` and `createHttpServer` of the API) is the same here, so that the ratio
 * is the service's own work.
 */
const onGet: unknown = JSON.parse(process.env.FLOOR_GET ?? 'null');
const onPost: unknown = JSON.parse(process.env.FLOOR_POST ?? 'null');
const router = Router();
router.use(json({ limit: process.env.FLOOR_BODY_LIMIT }));
router.get('/health', (_, response) => respond(response, { status: 'ok' }));
router.get('/*path', (_, response) => respond(response, onGet));
router.post('/*path', (_, response) => respond(response, onPost));
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  requireHostHeader: false,
};
createServer(timeouts, (request, response) => {
  router(request as Request, response as Response, () => response.destroy());
}).listen(Number(process.env.PORT), '127.0.0.1');

function respond(response: ServerResponse, value: unknown): void {
  const text = JSON.stringify(value);
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(200, headers).end(text);
}
