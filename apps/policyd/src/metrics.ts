import { createServer, type Server } from 'node:http';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from './logger.js';
import { type DecidedMessage, MilterObserver } from './milter/milter-observer.js';
import { PolicyObserver } from './policy-observer.js';

/** Gauges, read at each scrape. */
export interface Levels {
  policyConnections: () => number;
  milterConnections: () => number;
  journalEntries: () => number;
}

/** The daemon's metrics for Prometheus. */
export class PolicydMetrics {
  private readonly registry = new Registry();
  private readonly answers = this.counter('mailstead_policy_answers_total', 'Answers to Postfix', ['stage', 'action']);
  private readonly cuts = this.counter('mailstead_policyd_cuts_total', 'Connections that were cut', ['server']);
  private readonly messages = this.counter('mailstead_milter_messages_total', 'Messages by verdict', ['verdict']);
  private readonly seconds = new Histogram({
    name: 'mailstead_policyd_api_seconds',
    help: 'Requests to the API',
    labelNames: ['kind', 'outcome'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
    registers: [this.registry],
  });
  private readonly items = new Histogram({
    name: 'mailstead_policyd_batch_items',
    help: 'Requests of Postfix that shared a request to the API',
    labelNames: ['kind'],
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
    registers: [this.registry],
  });

  private wasOutdated = false;

  constructor(private readonly logger: Logger) {}

  /** Receives the events of the policy service. */
  readonly policy: PolicyObserver = new CountedPolicy(
    (stage, action) => this.answers.inc({ stage, action }),
    (login, reply) => this.logger.info('objected', { login, reply }),
    (reason) => this.cut('policy', reason),
    (stage) => this.outdated(stage),
    (kind, outcome, count, seconds) => {
      this.seconds.observe({ kind, outcome }, seconds);
      this.items.observe({ kind }, count);
      if (outcome !== 'ok') this.logger.warn('the API did not answer the question', { kind, outcome, items: count });
    },
  );

  /** Receives the events of the milter. */
  readonly milter: MilterObserver = new CountedMilter(
    (message) => this.decided(message),
    (reason) => this.cut('milter', reason),
  );

  /** Returns a server of `/metrics` and `/health` that does not listen yet. */
  server(levels: Levels): Server {
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
    gauge('mailstead_policy_journal_entries', 'Messages that passed and are not counted yet', levels.journalEntries);
    return createServer((request, response) => {
      if (request.url === '/health') {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}');
      } else if (request.url === '/metrics') {
        void this.registry
          .metrics()
          .then((text) => response.writeHead(200, { 'Content-Type': this.registry.contentType }).end(text));
      } else {
        response.writeHead(404).end();
      }
    });
  }

  private counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** Warns once, because Postfix asks with every message. */
  private outdated(stage: string): void {
    if (this.wasOutdated) return;
    this.wasOutdated = true;
    this.logger.warn('Postfix asks for verdicts where none are given: render its configuration anew', { stage });
  }

  private cut(server: string, reason: string): void {
    this.cuts.inc({ server });
    this.logger.warn('cut a connection', { server, reason });
  }

  private decided({ verdict, login, queueId, reason, cause }: DecidedMessage): void {
    this.messages.inc({ verdict });
    if (reason === null) return;
    const why = cause instanceof Error ? { cause: cause.message } : {};
    this.logger.info('objected', { login, queue_id: queueId, reply: reason, ...why });
  }
}

class CountedPolicy extends PolicyObserver {
  constructor(
    override readonly answered: (stage: string, action: string) => void,
    override readonly objected: (login: string, reply: string) => void,
    override readonly cut: (reason: string) => void,
    override readonly outdated: (stage: string) => void,
    override readonly asked: (kind: string, outcome: string, items: number, seconds: number) => void,
  ) {
    super();
  }
}

class CountedMilter extends MilterObserver {
  constructor(
    override readonly decided: (message: DecidedMessage) => void,
    override readonly cut: (reason: string) => void,
  ) {
    super();
  }
}
