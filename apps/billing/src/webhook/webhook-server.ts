import { createServer, type Server } from 'node:http';
import { inTurn } from '@mailstead/core/http/pipelines';
import { type EventReceiver, webhookApp } from './webhook-app.js';

const REQUEST_TIMEOUT_MS = 20_000;

/** Returns the HTTP server that Stripe reaches; it does not listen yet. */
export function webhookServer(receiver: EventReceiver): Server {
  return createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, inTurn(webhookApp(receiver)));
}
