import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { inTurn } from '@mailstead/core/http/pipelines';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Alarms } from './alarms.js';

/** Gauges that have the name of a counter; `nodejs_active_handles` and the like have the same values by type. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
] as const;

const CHANGES = ['plan', 'activate', 'suspend'] as const;
const EVENT_OUTCOMES = ['done', 'alarm', 'ignored', 'refused', 'later'] as const;

export type Change = (typeof CHANGES)[number];

/** `later`: answered 503, so Stripe sends it again. */
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];

/** The metrics of the billing process for Prometheus. */
export class BillingMetrics {
  private readonly registry = new Registry();
  private readonly changes: Counter;
  private readonly events: Counter;
  private readonly reconciled: Gauge;
  private readonly subscriptions: Gauge;

  constructor(private readonly alarms: Alarms) {
    const registers = [this.registry];
    this.changes = new Counter({
      name: 'mailstead_billing_changes_total',
      help: 'Changes of domains',
      labelNames: ['change'],
      registers,
    });
    this.events = new Counter({
      name: 'mailstead_billing_events_total',
      help: 'Events from Stripe by outcome; later: answered 503',
      labelNames: ['outcome'],
      registers,
    });
    this.reconciled = new Gauge({
      name: 'mailstead_billing_reconcile_last_success_seconds',
      help: 'When the last complete comparison ended, Unix time',
      registers,
    });
    this.subscriptions = new Gauge({
      name: 'mailstead_billing_subscriptions',
      help: 'Subscriptions at Stripe at the last complete comparison',
      registers,
    });
    for (const change of CHANGES) this.changes.inc({ change }, 0);
    for (const outcome of EVENT_OUTCOMES) this.events.inc({ outcome }, 0);
    this.addAlarms();
  }

  changed(change: Change): void {
    this.changes.inc({ change });
  }

  answered(outcome: EventOutcome): void {
    this.events.inc({ outcome });
  }

  compared(at: Date, subscriptions: number): void {
    this.reconciled.set(Math.floor(at.getTime() / 1_000));
    this.subscriptions.set(subscriptions);
  }

  /** Returns the HTTP server of `/metrics` and of the `/health` that lists the alarms; it does not listen yet. */
  server(): Server {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    const help = 'Heap at which Node.js ends the process';
    new Gauge({ name: 'mailstead_heap_limit_bytes', help, registers: [this.registry] }).set(
      getHeapStatistics().heap_size_limit,
    );
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      if (request.url === '/health') {
        const body = JSON.stringify({ status: 'ok', alarms: this.alarms.list() });
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
      } else if (request.url === '/metrics') {
        void this.registry
          .metrics()
          .then((text) => response.writeHead(200, { 'Content-Type': this.registry.contentType }).end(text));
      } else {
        response.writeHead(404).end();
      }
    };
    return createServer(inTurn(serve));
  }

  private addAlarms(): void {
    const { alarms } = this;
    const gauge = new Gauge({
      name: 'mailstead_billing_alarms',
      help: 'Present alarms: a person must look at them',
      labelNames: ['kind'],
      registers: [],
      collect() {
        for (const [kind, count] of alarms.counts()) this.set({ kind }, count);
      },
    });
    this.registry.registerMetric(gauge);
  }
}
