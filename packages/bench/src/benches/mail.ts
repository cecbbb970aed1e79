import { connectTo } from '../database.js';
import { judgeMail } from '../mail/judge-mail.js';
import { type MailCost, mailCost, medianCost, type Surroundings } from '../mail/mail-cost.js';
import type { MailLoadKind } from '../mail/mail-loads.js';
import { type MailLoad, mailRound } from '../mail/mail-round.js';
import { MailServers } from '../mail/mail-servers.js';
import type { StaticMaps, VariantName } from '../mail/postfix-variant.js';
import { processOf } from '../mariadb-process.js';
import type { Report } from '../report.js';
import { seed } from '../seed.js';
import { call, freePort, startPolicyd, startService } from '../service.js';

const DOMAINS = 1_000;
const MAILBOXES = 10;
const TOKEN = 'policy-token-of-the-benchmarks-0123456789';
/** Set it for a quicker run. */
const ROUNDS = Number(process.env.MAIL_ROUNDS ?? 5);
const BODY = `${'x'.repeat(76)}\r\n`.repeat(24);

/**
 * Messages of one load through a real Postfix: with static maps, with the maps in the database, and with policy daemon
 * and milter. Port 25 has the two services because forwarding is on; without forwarding its whole is its maps.
 */
export async function mail(load: MailLoadKind, report: Report): Promise<void> {
  const empty = await startService('mariadb');
  await empty.stop();
  const databaseUrl = empty.databaseUrl ?? '';
  await seed(databaseUrl, { domains: DOMAINS, mailboxesPerDomain: MAILBOXES, counters: true });
  // As the rendered files of one machine set it.
  const address = `127.0.0.1:${await freePort()}`;
  const settings = {
    OPERATOR_TOKENS: `policyd:policy:${TOKEN}`,
    ALLOW_EXTERNAL_FORWARD: 'true',
    POLICY_API_LISTEN: address,
  };
  const service = await startService('mariadb', empty, settings);
  await call(service, 'PUT', '/outbound/tiers/basic', { daily_limit: 0, monthly_limit: 0 });
  const policyd = await startPolicyd(service.url, TOKEN, { POLICY_API: address });
  const servers = await MailServers.start({
    databaseUrl,
    databaseSocket: process.env.MAILSTEAD_TEST_MARIADB_SOCKET ?? '',
    policyPort: policyd.port,
    milterPort: policyd.milterPort,
    apiUrl: service.url,
    maps: staticMaps(),
  });
  const database = await connectTo(databaseUrl);
  await database.query('SET GLOBAL userstat = 1');
  const programs = {
    policyd: policyd.child.pid ?? 0,
    api: service.child.pid ?? 0,
    mariadb: await processOf(database),
    dovecot: servers.dovecot,
  };
  const surroundings = { database, programs, metricsUrl: policyd.metricsUrl };
  try {
    await measure(servers, surroundings, load, report);
  } finally {
    await servers.stop();
    await database.end();
    await policyd.stop();
    await service.stop();
  }
}

/** Measures with 1, 8 and 64 sessions. The variants take turns in every round. */
async function measure(
  servers: MailServers,
  surroundings: Surroundings,
  load: MailLoadKind,
  report: Report,
): Promise<void> {
  const of = (sessions: number) => ({ ...messagesOf(load), sessions, messages: load.messages });
  for (const variant of servers.variants) await mailRound(variant, of(8));
  for (const sessions of [1, 8, 64]) {
    const rounds: Record<VariantName, MailCost[]> = { plain: [], maps: [], whole: [] };
    for (let index = 0; index < ROUNDS; index += 1) {
      for (const variant of servers.variants) {
        const cost = await mailCost(variant, of(sessions), surroundings);
        rounds[variant.name].push(cost);
        const rate = `${Math.round(cost.messagesPerSecond)}/s`;
        console.log(`     sessions: ${sessions}, round ${index + 1} of ${ROUNDS}, ${variant.name}: ${rate}`);
      }
    }
    const costs = { plain: medianCost(rounds.plain), maps: medianCost(rounds.maps), whole: medianCost(rounds.whole) };
    judgeMail(load, sessions, costs, report);
  }
}

/** Messages from one mailbox of each session to addresses outside, or from outside to mailboxes here. */
function messagesOf({ instance, recipients, isBusy = false }: MailLoadKind): Omit<MailLoad, 'sessions' | 'messages'> {
  const mailbox = (number: number) => `m${1 + (number % MAILBOXES)}@seed-${1 + (number % DOMAINS)}.example`;
  const outside = (number: number) => `friend${number}@elsewhere-${number % 5}.example`;
  const isSubmission = instance === 'postfix-submission';
  const sender = (session: number) => mailbox(isBusy ? 0 : session);
  let next = 0;
  return {
    instance,
    login: (session) => (isSubmission ? sender(session) : null),
    envelope: (session) => {
      next += 1;
      const from = isSubmission ? sender(session) : outside(session);
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
