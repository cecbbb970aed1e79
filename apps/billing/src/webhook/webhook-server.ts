import { createServer, type Server } from 'node:http';
import { SECOND_MS } from '@mailstead/core/clock';
import { inTurn } from '@mailstead/core/http/pipelines';
import { type EventReceiver, webhookApp } from './webhook-app.js';

const REQUEST_TIMEOUT_MS = 20_000;

/** Returns the HTTP server that Stripe reaches; it does not listen yet. */
export function webhookServer(receiver: EventReceiver, keepAliveSeconds: number): Server {
  const timeouts = { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: keepAliveSeconds * SECOND_MS };
  return createServer(timeouts, inTurn(webhookApp(receiver)));
}
