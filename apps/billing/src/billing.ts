import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@mailstead/client';
import { textLines } from '@mailstead/client/text-lines';
import type Stripe from 'stripe';
import { Alarms } from './alarms.js';
import type { BillingConfig } from './config.js';
import { FolderLock } from './locks/folder-lock.js';
import { KeyedLocks } from './locks/keyed-locks.js';
import type { Logger } from './logger.js';
import { MailsteadApi } from './mailstead-api.js';
import { BillingMetrics } from './metrics.js';
import { Reconcile } from './reconcile/reconcile.js';
import { Brake } from './state/brake.js';
import { StateFile } from './state/state-file.js';
import { BringSubscription } from './subscriptions/bring-subscription.js';
import { createStripe, StripeSubscriptions } from './subscriptions/stripe-subscriptions.js';

const DAY_MS = 86_400_000;
const API_TIMEOUT_MS = 5_000;
const API_RETRIES = 1;

/** The parts that the server and the commands share. */
export interface Billing {
  config: Readonly<BillingConfig>;
  logger: Logger;
  stripe: Stripe;
  subscriptions: StripeSubscriptions;
  api: MailsteadApi;
  folderLock: FolderLock;
  state: StateFile;
  alarms: Alarms;
  metrics: BillingMetrics;
  bring: BringSubscription;
  reconcile: Reconcile;
  /** The usage of a month as CSV records, the header first. */
  usage: (month: string) => AsyncIterable<string>;
}

/** @throws Error when BILLING_DATA_DIR cannot be created */
export async function createBilling(config: Readonly<BillingConfig>, logger: Logger): Promise<Billing> {
  await mkdir(config.billingDataDir, { recursive: true, mode: 0o700 });
  const folderLock = await FolderLock.open(join(config.billingDataDir, 'locks'));
  const locks = new KeyedLocks(folderLock);
  const state = new StateFile(config.billingDataDir, locks);
  const brake = new Brake(state);
  const alarms = new Alarms(logger);
  const metrics = new BillingMetrics(alarms);
  const stripe = createStripe(config.stripeApiKey, config.stripeApiBase);
  const subscriptions = new StripeSubscriptions(stripe);
  const client = createClient({
    url: config.mailsteadUrl,
    token: config.billingToken,
    retries: API_RETRIES,
    timeoutMs: API_TIMEOUT_MS,
  });
  const api = new MailsteadApi(client);
  const bring = new BringSubscription(subscriptions, api, locks, brake, alarms, logger, {
    graceMs: config.billingGraceDays * DAY_MS,
    now: () => new Date(),
    onChange: (change) => metrics.changed(change),
  });
  const reconcile = new Reconcile(subscriptions, api, bring, brake, alarms);
  const usage = (month: string) =>
    textLines({ url: config.mailsteadUrl, token: config.billingToken, accept: 'text/csv' }, `/usage?month=${month}`);
  return { config, logger, stripe, subscriptions, api, folderLock, state, alarms, metrics, bring, reconcile, usage };
}
