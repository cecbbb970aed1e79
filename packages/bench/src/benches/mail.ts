import { readFileSync } from 'node:fs';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { type MailCost, mailCost, medianCost, type Surroundings } from '../mail/mail-cost.js';
import { type MailLoad, mailRound } from '../mail/mail-round.js';
import { MailServers } from '../mail/mail-servers.js';
import type { Instance, StaticMaps, VariantName } from '../mail/postfix-variant.js';
import type { Report } from '../report.js';
import { seed } from '../seed.js';
import { call, type DatabaseKind, startPolicyd, startService } from '../service.js';

const DOMAINS = 1_000;
const MAILBOXES = 10;
const TOKEN = 'policy-token-of-the-benchmarks-0123456789';
const ROUNDS = 5;
/**
 * The messages of the warm-up and of a round. With 20 recipients there are fewer, because each message is delivered to
 * 20.
 */
const MESSAGES: Record<number, { warmUp: number; round: number }> = {
  1: { warmUp: 2_000, round: 2_000 },
  20: { warmUp: 400, round: 400 },
};
const BODY = `${'x'.repeat(76)}\r\n`.repeat(24);
const PORTS: Record<Instance, string> = { 'postfix-submission': 'submission', postfix: 'port 25' };

const LEAST_MAPS_OF_PLAIN = 0.85;
const LEAST_WHOLE_OF_MAPS: Record<number, number> = { 8: 0.75, 64: 0.85 };
/** Milliseconds of processor time a message. */
const MOST_ADDED: Record<number, number> = { 8: 2, 64: 1.2 };
const MOST_MARIADB = 0.5;
const MOST_OF_TWENTY = 3;

type Costs = Record<VariantName, MailCost>;

/**
 * Messages through a real Postfix: with static maps, with the maps in the database, and with policy daemon and milter.
 * Port 25 has the two services because forwarding is on; without forwarding its whole is its maps.
 */
export async function mail(kind: DatabaseKind, report: Report): Promise<void> {
  if (kind === 'sqlite') return;
  const empty = await startService(kind);
  await empty.stop();
  const databaseUrl = empty.databaseUrl ?? '';
  await seed(databaseUrl, { domains: DOMAINS, mailboxesPerDomain: MAILBOXES, counters: true });
  const settings = { OPERATOR_TOKENS: `policyd:policy:${TOKEN}`, ALLOW_EXTERNAL_FORWARD: 'true' };
  const service = await startService(kind, empty, settings);
  await call(service, 'PUT', '/outbound/tiers/basic', { daily_limit: 0, monthly_limit: 0 });
  const policyd = await startPolicyd(service.url, TOKEN);
  const servers = await MailServers.start({
    databaseUrl,
    databaseSocket: process.env.MAILSTEAD_TEST_MARIADB_SOCKET ?? '',
    policyPort: policyd.port,
    milterPort: policyd.milterPort,
    apiUrl: service.url,
    maps: staticMaps(),
  });
  const database = await createConnection(databaseUrl);
  await database.query('SET GLOBAL userstat = 1');
  const programs = {
    policyd: policyd.child.pid ?? 0,
    api: service.child.pid ?? 0,
    mariadb: await processOf(database),
    dovecot: servers.dovecot,
  };
  const surroundings = { database, programs, metricsUrl: policyd.metricsUrl };
  try {
    for (const instance of ['postfix-submission', 'postfix'] as const) {
      const one = await measurePort(servers, surroundings, instance, 1, report);
      const twenty = await measurePort(servers, surroundings, instance, 20, report);
      for (const [sessions, { whole }] of twenty)
        compareWithOne(instance, sessions, one.get(sessions)?.whole, whole, report);
    }
  } finally {
    await servers.stop();
    await database.end();
    await policyd.stop();
    await service.stop();
  }
}

/** Measures with 1, 8 and 64 sessions. The variants take turns in every round. */
async function measurePort(
  servers: MailServers,
  surroundings: Surroundings,
  instance: Instance,
  recipients: number,
  report: Report,
): Promise<Map<number, Costs>> {
  const { warmUp = 0, round = 0 } = MESSAGES[recipients] ?? {};
  const load = (sessions: number, messages: number) => ({ ...loadOf(instance, recipients), sessions, messages });
  for (const variant of servers.variants) await mailRound(variant, load(8, warmUp));
  const all = new Map<number, Costs>();
  for (const sessions of [1, 8, 64]) {
    const rounds: Record<VariantName, MailCost[]> = { plain: [], maps: [], whole: [] };
    for (let index = 0; index < ROUNDS; index += 1) {
      for (const variant of servers.variants) {
        rounds[variant.name].push(await mailCost(variant, load(sessions, round), surroundings));
      }
    }
    const costs = { plain: medianCost(rounds.plain), maps: medianCost(rounds.maps), whole: medianCost(rounds.whole) };
    all.set(sessions, costs);
    judge(
      `${PORTS[instance]}, ${recipients} recipient${recipients === 1 ? '' : 's'}, sessions: ${sessions}`,
      sessions,
      costs,
      report,
    );
  }
  return all;
}

function judge(what: string, sessions: number, { plain, maps, whole }: Costs, report: Report): void {
  const mapsOfPlain = maps.messagesPerSecond / plain.messagesPerSecond;
  const wholeOfMaps = whole.messagesPerSecond / maps.messagesPerSecond;
  const [added, mariadb] = [addedBy(whole, maps), maps.processor.mariadb ?? 0];
  const [least, most] = [LEAST_WHOLE_OF_MAPS[sessions] ?? 0, MOST_ADDED[sessions] ?? Number.POSITIVE_INFINITY];
  report.note(`mail, ${what}, plain`, described(plain), '', true);
  report.note(
    `mail, ${what}, maps`,
    `${mapsOfPlain.toFixed(2)} of plain: ${described(maps, plain)}`,
    `≥ ${LEAST_MAPS_OF_PLAIN}; MariaDB ≤ ${MOST_MARIADB} ms`,
    mapsOfPlain >= LEAST_MAPS_OF_PLAIN && mariadb <= MOST_MARIADB,
  );
  report.note(
    `mail, ${what}, whole`,
    `${wholeOfMaps.toFixed(2)} of maps, ${added.toFixed(2)} ms added: ${described(whole, maps)}`,
    least === 0 ? '' : `≥ ${least}; ≤ ${most} ms added`,
    wholeOfMaps >= least && added <= most,
  );
}

function compareWithOne(
  instance: Instance,
  sessions: number,
  one: MailCost | undefined,
  twenty: MailCost,
  report: Report,
): void {
  const factor = total(twenty) / (one === undefined ? Number.NaN : total(one));
  report.note(
    `mail, ${PORTS[instance]}, sessions: ${sessions}, 20 recipients against one`,
    `× ${factor.toFixed(1)} of the processor time (${total(twenty).toFixed(1)} ms)`,
    `≤ × ${MOST_OF_TWENTY}`,
    factor <= MOST_OF_TWENTY,
  );
}

/** The processor time of policy daemon, API and MariaDB that `less` does not have. */
function addedBy(more: MailCost, less: MailCost): number {
  return ['policyd', 'api', 'mariadb'].reduce(
    (sum, name) => sum + (more.processor[name] ?? 0) - (less.processor[name] ?? 0),
    0,
  );
}

function total({ processor }: MailCost): number {
  return Object.values(processor).reduce((sum, ms) => sum + ms, 0);
}

/** A text like `98/s, p50 80 ms (+ 39), p99 120 ms (+ 60); processor: policyd 0.30 …; questions: …`. */
function described(cost: MailCost, base: MailCost | null = null): string {
  const time = (name: 'p50' | 'p99') => {
    const more = base === null ? '' : ` (+ ${(cost[name] - base[name]).toFixed(1)})`;
    return `${name} ${cost[name].toFixed(1)} ms${more}`;
  };
  const list = (values: Record<string, number>, digits: number) =>
    Object.entries(values)
      .filter(([, value]) => value >= 0.5 * 10 ** -digits)
      .map(([name, value]) => `${name} ${value.toFixed(digits)}`)
      .join(', ');
  return `${Math.round(cost.messagesPerSecond)}/s, ${time('p50')}, ${time('p99')}; processor ms: ${list(cost.processor, 2)}; questions: ${list(cost.questions, 1)}`;
}

/** Messages from one mailbox of each session to addresses outside, or from outside to mailboxes here. */
function loadOf(instance: Instance, recipients: number): Omit<MailLoad, 'sessions' | 'messages'> {
  const mailbox = (number: number) => `m${1 + (number % MAILBOXES)}@seed-${1 + (number % DOMAINS)}.example`;
  const outside = (number: number) => `friend${number}@elsewhere-${number % 5}.example`;
  const isSubmission = instance === 'postfix-submission';
  let next = 0;
  return {
    instance,
    login: (session) => (isSubmission ? mailbox(session) : null),
    envelope: (session) => {
      next += 1;
      const from = isSubmission ? mailbox(session) : outside(session);
      const to = Array.from({ length: recipients }, (_, index) => {
        const number = next * recipients + index;
        return isSubmission ? outside(number) : mailbox(number);
      });
      return { from, to, text: `From: <${from}>\r\nSubject: a message of the bench\r\n\r\n${BODY}` };
    },
  };
}

/** The rows of the seeded domains. */
function staticMaps(): StaticMaps {
  const domains = Array.from({ length: DOMAINS }, (_, index) => `seed-${index + 1}.example`);
  const mailboxes = domains.flatMap((name) => Array.from({ length: MAILBOXES }, (_, index) => `m${index + 1}@${name}`));
  const themselves = mailboxes.map((address) => [address, address] as const);
  return {
    domains: domains.map((name) => [name, name]),
    mailboxes: themselves,
    'mailbox-self': themselves,
    'sender-logins': themselves,
  };
}

async function processOf(database: Connection): Promise<number> {
  const [rows] = await database.query<RowDataPacket[]>("SHOW VARIABLES LIKE 'pid_file'");
  return Number(readFileSync(String(rows[0]?.Value), 'utf8'));
}
