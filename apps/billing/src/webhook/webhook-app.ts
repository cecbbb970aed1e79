import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Response } from 'express';
import type { EventAnswer } from './receive-event.js';

/** Stripe's events are far smaller. */
const MAX_BODY = '1mb';
const RETRY_AFTER_SECONDS = '30';

/** The receiver of events. */
export interface EventReceiver {
  execute(body: Buffer, signature: string): Promise<EventAnswer>;
}

/**
 * What Stripe reaches: `POST /webhooks/stripe` and `GET /health`. The internet can read its answers, so
 * they name no domain, no partner and no alarm.
 */
export function webhookApp(receiver: EventReceiver): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app
    .route('/webhooks/stripe')
    .post(express.raw({ type: () => true, limit: MAX_BODY, inflate: false }), async (request, response) => {
      const body: unknown = request.body;
      const signature = request.get('stripe-signature') ?? '';
      send(response, await receiver.execute(Buffer.isBuffer(body) ? body : Buffer.alloc(0), signature));
    })
    .all((_request, response) => {
      response.set('Allow', 'POST').status(405).json({ detail: 'Only POST' });
    });
  app.get('/health', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.use((_request, response) => {
    response.status(404).json({ detail: 'Not found' });
  });
  app.use(refuseBody);
  return app;
}

function send(response: Response, { status, sentence }: EventAnswer): void {
  if (status === 503) response.set('Retry-After', RETRY_AFTER_SECONDS);
  response.status(status).json({ detail: sentence });
}

/** Errors of reading the body have their status: 413 too large, 415 compressed, 400 cut off. */
const refuseBody: ErrorRequestHandler = (error: { status?: number }, _request, response, next) => {
  if (response.headersSent) return next(error);
  const status = error.status !== undefined && error.status >= 400 && error.status < 500 ? error.status : 503;
  response.status(status).json({ detail: status === 413 ? 'The body is too large' : 'The request cannot be read' });
};
