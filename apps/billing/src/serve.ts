import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reasonOf } from '@mailstead/core/errors';
import { listening } from '@mailstead/core/settings/listening';
import { withTimeout } from '@mailstead/core/with-timeout';
import type { Billing } from './billing.js';
import { WrongToken } from './mailstead-api.js';
import { RepeatedReconcile } from './reconcile/repeated-reconcile.js';
import { StateUnreadable } from './state/state-file.js';
import { BRAKE_ALARM, stateUnreadable } from './trouble.js';
import { ReceiveEvent } from './webhook/receive-event.js';
import { webhookServer } from './webhook/webhook-server.js';

const STOP_WITHIN_MS = 10_000;
const STATE_EVERY_MS = 5_000;

/** Another process serves from this folder. */
class AlreadyServing extends Error {}

/**
 * Receives events and compares everything from time to time, until SIGTERM or SIGINT.
 *
 * @throws AlreadyServing; WrongToken; SettingsError when a port cannot be opened
 */
export async function serve(billing: Billing): Promise<void> {
  const { config, logger, alarms, metrics, bring, stripe } = billing;
  const free = await billing.folderLock.tryHold('server');
  if (free === null) {
    throw new AlreadyServing(`Another billing process serves from ${config.billingDataDir}: stop it first`);
  }
  const ready = tokenCheck(billing);
  await ready().catch((error: unknown) => {
    if (error instanceof WrongToken) throw error;
    logger.warn('the API does not answer yet; events are answered 503', { reason: reasonOf(error) });
  });
  const receive = new ReceiveEvent(stripe.webhooks, config.stripeWebhookSecret, bring, ready, alarms, metrics, logger);
  const server = webhookServer(receive, config.keepAliveSeconds);
  const metricsServer = metrics.server();
  await watchState(billing);
  const stateTimer = setInterval(() => void watchState(billing), STATE_EVERY_MS);
  const { metricsListen, billingPort, host } = config;
  if (metricsListen !== null) {
    await listening('METRICS_LISTEN', () => once(metricsServer.listen(metricsListen), 'listening'));
  }
  await listening('BILLING_PORT, HOST', () => once(server.listen(billingPort, host), 'listening'));
  const comparisons = new RepeatedReconcile(billing, ready);
  const stop = async (): Promise<void> => {
    clearInterval(stateTimer);
    metricsServer.close();
    metricsServer.closeAllConnections();
    await withTimeout(Promise.all([closed(server), comparisons.stop()]), STOP_WITHIN_MS, () => undefined);
    await free();
    logger.info('stopped');
    process.exit(0);
  };
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!isStopping) void stop();
      isStopping = true;
    });
  }
  comparisons.start();
  logger.info('listening', { port: (server.address() as AddressInfo).port, api: config.mailsteadUrl });
}

/**
 * Checks the token before the first work. A wrong one, which only shows when the API answers again, ends the process.
 */
function tokenCheck({ api, logger }: Billing): () => Promise<void> {
  let isRight = false;
  let isServing = false;
  return async () => {
    if (isRight) return;
    try {
      await api.checkToken();
      isRight = true;
    } catch (error) {
      if (error instanceof WrongToken && isServing) {
        logger.error(error.message);
        process.exit(1);
      }
      throw error;
    } finally {
      isServing = true;
    }
  };
}

/** Shows what another process did to the state: `resume`, or a brake that `reconcile` met. */
async function watchState({ state, alarms }: Billing): Promise<void> {
  try {
    const { stoppedAt } = await state.read();
    alarms.clear('state_unreadable');
    if (stoppedAt === null) alarms.clear('brake');
    else alarms.raise(BRAKE_ALARM);
  } catch (error) {
    if (error instanceof StateUnreadable) alarms.raise(stateUnreadable(error));
  }
}

async function closed(server: Server): Promise<void> {
  const end = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await end;
}
