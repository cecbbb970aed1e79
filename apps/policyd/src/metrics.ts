import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { inTurn } from '@mailstead/core/http/pipelines';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from './logger.js';
import type { LoginOutcome } from './logins/login-server.js';
import { type DecidedMessage, MilterObserver } from './milter/milter-observer.js';
import { PolicyObserver } from './policy-observer.js';

/** Gauges that have the name of a counter; `nodejs_active_handles` and the like have the same values by type. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
] as const;

/** Functions that return the gauges' values at each scrape. */
export interface Levels {
  policyConnections: () => number;
  milterConnections: () => number;
  framedConnections: () => number;
  journalEntries: () => number;
  runningLogins: () => number;
  waitingLogins: () => number;
  trailBehindSeconds: () => number;
  trailMessages: () => number;
  trailAmbiguousLines: () => number;
}

/** The daemon's metrics for Prometheus. */
export class PolicydMetrics {
  private readonly registry = new Registry();

  /** Receives the events of the policy service. */
  readonly policy: PolicyObserver;

  /** Receives the events of the milter. */
  readonly milter: MilterObserver;

  private readonly logins: Counter;

  constructor(logger: Logger) {
    this.logins = counter(this.registry, 'mailstead_policyd_logins_total', 'Password checks by decision', ['outcome']);
    const cuts = counter(this.registry, 'mailstead_policyd_cuts_total', 'Connections that were cut', ['server']);
    this.policy = new CountedPolicy(this.registry, cuts, logger);
    this.milter = new CountedMilter(this.registry, cuts, logger);
  }

  login(outcome: LoginOutcome): void {
    this.logins.inc({ outcome });
  }

  /** Returns the HTTP server of `/metrics` and `/health`, which does not listen yet. */
  server(levels: Levels): Server {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    const help = 'Heap at which Node.js ends the process';
    new Gauge({ name: 'mailstead_heap_limit_bytes', help, registers: [this.registry] }).set(
      getHeapStatistics().heap_size_limit,
    );
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.set(read());
        },
      });
    gauge('mailstead_policy_connections', 'Connections of Postfix', levels.policyConnections);
    gauge('mailstead_milter_connections', 'Connections of Postfix to the milter', levels.milterConnections);
    gauge('mailstead_policyd_framed_connections', 'Connections to APIs by frames', levels.framedConnections);
    gauge('mailstead_policy_journal_entries', 'Messages that passed and are not counted yet', levels.journalEntries);
    gauge('mailstead_policyd_logins_running', 'Password checks that run in Dovecot', levels.runningLogins);
    gauge('mailstead_policyd_logins_waiting', 'Password checks that wait for their turn', levels.waitingLogins);
    gauge('mailstead_policyd_trail_behind_seconds', 'Age of log lines not reported yet', levels.trailBehindSeconds);
    gauge('mailstead_policyd_trail_messages', 'Messages of the log that are in flight', levels.trailMessages);
    gauge('mailstead_policyd_trail_ambiguous_lines', 'Log lines with two readings', levels.trailAmbiguousLines);
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      if (request.url === '/health') {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}');
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
}

class CountedPolicy extends PolicyObserver {
  private readonly answers: Counter;
  private readonly seconds: Histogram;
  private readonly items: Histogram;

  constructor(
    registry: Registry,
    private readonly cuts: Counter,
    private readonly logger: Logger,
  ) {
    super();
    this.answers = counter(registry, 'mailstead_policy_answers_total', 'Answers to Postfix', ['stage', 'action']);
    this.seconds = new Histogram({
      name: 'mailstead_policyd_api_seconds',
      help: 'Requests to the API',
      labelNames: ['kind', 'outcome'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
      registers: [registry],
    });
    this.items = new Histogram({
      name: 'mailstead_policyd_batch_items',
      help: 'Requests of Postfix that shared a request to the API',
      labelNames: ['kind'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
      registers: [registry],
    });
  }

  override answered(stage: string, action: string): void {
    this.answers.inc({ stage, action });
  }

  override objected(login: string, reply: string): void {
    this.logger.info('objected', { login, reply });
  }

  override cut(reason: string): void {
    this.cuts.inc({ server: 'policy' });
    this.logger.warn('cut a connection', { server: 'policy', reason });
  }

  override asked(kind: string, outcome: string, items: number, seconds: number): void {
    this.seconds.observe({ kind, outcome }, seconds);
    this.items.observe({ kind }, items);
    if (outcome !== 'ok') this.logger.warn('the API did not answer the question', { kind, outcome, items });
  }
}

class CountedMilter extends MilterObserver {
  private readonly messages: Counter;

  constructor(
    registry: Registry,
    private readonly cuts: Counter,
    private readonly logger: Logger,
  ) {
    super();
    this.messages = counter(registry, 'mailstead_milter_messages_total', 'Messages by verdict', ['verdict']);
  }

  override decided({ verdict, login, queueId, reason }: DecidedMessage): void {
    this.messages.inc({ verdict });
    if (reason === null) return;
    this.logger.info('objected', { login, queue_id: queueId, reply: reason });
  }

  override cut(reason: string): void {
    this.cuts.inc({ server: 'milter' });
    this.logger.warn('cut a connection', { server: 'milter', reason });
  }
}

function counter(registry: Registry, name: string, help: string, labelNames: string[]): Counter {
  return new Counter({ name, help, labelNames, registers: [registry] });
}
