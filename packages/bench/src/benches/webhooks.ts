import { setTimeout as delay } from 'node:timers/promises';
import { processorMs } from '../mail/processor-time.js';
import type { Report } from '../report.js';
import { call, type DatabaseKind, type Served, startService, startWorker } from '../service.js';

const PARTNERS = 200;
const ENDPOINTS_OF_PARTNER = 5;
const ENDPOINTS = PARTNERS * ENDPOINTS_OF_PARTNER;
/** The first ones of the list hang, the next ones answer 500. */
const HANGING = 50;
const FAILING = 50;
const EVENTS_PER_SECOND = 10;
const EVENTS = EVENTS_PER_SECOND * Number(process.env.ROUND_SECONDS ?? 60);
const TARGET_MS = 2_000;
/** An event that arrives later is lost for this benchmark. */
const PATIENCE_MS = 60_000;

/** What is used of the receivers of the tests. */
interface Receivers {
  received: { host: string; body: string; at: number }[];
  answer: (host: string) => number | 'hang';
  environment: Record<string, string>;
  stop(): void;
}

const RECEIVERS = new URL('../../../../scripts/webhook-receivers.mjs', import.meta.url).href;

/** The time from a change to its receipt, while some of many receivers hang and some fail. */
export async function webhooks(kind: DatabaseKind, report: Report): Promise<void> {
  const { WebhookReceivers } = (await import(RECEIVERS)) as { WebhookReceivers: { start(): Promise<Receivers> } };
  const receivers = await WebhookReceivers.start();
  const redis: Record<string, string> =
    kind === 'mariadb' ? { REDIS_URL: process.env.MAILSTEAD_TEST_REDIS_URL ?? '' } : {};
  const service = await startService(kind, null, { ...redis, ...receivers.environment });
  const worker = kind === 'mariadb' ? await startWorker(service, { ...redis, ...receivers.environment }) : null;
  const deliverer = (worker ?? service).child.pid ?? 0;
  try {
    await addEndpoints(service, receivers);
    receivers.answer = (host) => answerOf(numberOf(host));
    const [from, usedMs] = [receivers.received.length, processorMs(deliverer)];
    const changedAt = await change(service);
    const latencies = await latenciesOf(receivers, from, changedAt);
    const posted = receivers.received.length - from;
    const perPostMs = (processorMs(deliverer) - usedMs) / posted;
    const [p50, p95, most] = [0.5, 0.95, 1].map((share) => Math.round(percentile(latencies, share)));
    report.note(
      `webhooks, ${ENDPOINTS} endpoints, ${HANGING} hang, ${FAILING} fail, ${EVENTS_PER_SECOND} events/s, ${kind}`,
      `p50 ${p50} ms, p95 ${p95} ms, longest ${most} ms of ${latencies.length} at the others; ${perPostMs.toFixed(1)} ms of processor time a post`,
      `p95 < ${TARGET_MS.toLocaleString('en')} ms`,
      (p95 ?? Number.POSITIVE_INFINITY) < TARGET_MS,
    );
  } finally {
    await worker?.stop();
    await service.stop();
    receivers.stop();
  }
}

/** Five of each partner, each at a host of its own. Waits until all are confirmed. */
async function addEndpoints(service: Served, receivers: Receivers): Promise<void> {
  for (let partner = 0; partner < PARTNERS; partner += 1) {
    const limits = { domains_allowed: 0, mailboxes_per_domain: 1, aliases_per_mailbox: 1 };
    await call(service, 'POST', '/api-keys/', { token: tokenOf(partner), partner_ref: `hooked-${partner}`, ...limits });
  }
  for (let index = 0; index < ENDPOINTS; index += 1) {
    const body = { url: `https://${hostOf(index)}/`, types: ['domain.created'] };
    await call(service, 'POST', '/webhook-endpoints', body, tokenOf(index % PARTNERS));
  }
  while (receivers.received.length < ENDPOINTS) await delay(100);
  for (let partner = 0; partner < PARTNERS; partner += 1) {
    while (!(await areActive(service, partner))) await delay(100);
  }
}

async function areActive(service: Served, partner: number): Promise<boolean> {
  const list = await call(service, 'GET', '/webhook-endpoints', undefined, tokenOf(partner));
  return (list as unknown as { status: string }[]).every(({ status }) => status === 'active');
}

/** Adds domains at an even pace, for one partner after the other. @returns when each was asked for, by its name */
async function change(service: Served): Promise<Map<string, number>> {
  const changedAt = new Map<string, number>();
  const calls: Promise<unknown>[] = [];
  const begun = performance.now();
  for (let index = 0; index < EVENTS; index += 1) {
    await delay(Math.max(0, begun + (index * 1_000) / EVENTS_PER_SECOND - performance.now()));
    const name = `changed-${index}.example`;
    changedAt.set(name, performance.now());
    calls.push(call(service, 'POST', '/domains/', { name }, tokenOf(index % PARTNERS)));
  }
  await Promise.all(calls);
  return changedAt;
}

/** The time of each event and endpoint that neither hangs nor fails, in milliseconds; infinite when it is lost. */
async function latenciesOf(receivers: Receivers, from: number, changedAt: Map<string, number>): Promise<number[]> {
  const isGood = (index: number) => answerOf(index) === 200;
  const good = Array.from({ length: ENDPOINTS }, (_, index) => index).filter(isGood);
  const expected = Array.from({ length: EVENTS }, (_, event) => event % PARTNERS).reduce(
    (sum, partner) => sum + good.filter((index) => index % PARTNERS === partner).length,
    0,
  );
  const arrived = () => receivers.received.slice(from).filter(({ host }) => isGood(numberOf(host)));
  const deadline = performance.now() + PATIENCE_MS;
  while (arrived().length < expected && performance.now() < deadline) await delay(100);
  const first = new Map<string, number>();
  for (const { host, body, at } of arrived()) {
    const { subject } = JSON.parse(body) as { subject: string };
    const key = `${host} ${subject}`;
    if (!first.has(key)) first.set(key, at - (changedAt.get(subject) ?? Number.NaN));
  }
  return [...first.values(), ...Array.from({ length: expected - first.size }, () => Number.POSITIVE_INFINITY)];
}

function answerOf(index: number): number | 'hang' {
  if (index < HANGING) return 'hang';
  return index < HANGING + FAILING ? 500 : 200;
}

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

function hostOf(index: number): string {
  return `hook-${index}.hooks.test`;
}

function numberOf(host: string): number {
  return Number(/^hook-(\d+)\./.exec(host)?.[1]);
}

function tokenOf(partner: number): string {
  return `token-of-the-hooked-partner-${partner}`;
}
