import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type MailsteadClient } from '@mailstead/client';
import { until } from '@mailstead/core/testing/until';
import { withTimeout } from '@mailstead/core/with-timeout';
import { PATIENCE_MS } from '../../../../../scripts/test-timeout.mjs';
import type { Session } from '../../closed-loop.js';
import { mailSession } from '../../mail-sessions.js';
import { PASSWORD_HASH } from '../../service.js';
import { isOvertaken, Work } from '../work.js';
import { MASTER, type WholeCluster } from './whole-cluster.js';

/** A moderate load: each caller waits this long after an answer. */
const PAUSE_MS = 60;
const AFTER_ERROR_MS = 200;
/** As a mail server that is not answered by its filter, but sooner. */
const MAIL_WITHIN_MS = 8_000;
const INCREMENT_CALLERS = 3;
const MAILBOX_CALLERS = 2;
const SESSIONS_A_DAEMON = 2;
/** A partner may have 50. */
const KEYS_OF_PARTNER = 40;
const HOME = 'home.example';
/** The mailbox and the domain whose values change. */
export const CHANGED = { email: `changed@${HOME}`, domain: 'suspended.example' };

/** What one sender of messages or increments sent; it has a domain of its own, so that its counter can be compared. */
interface Counted {
  work: Work;
  domain: string;
  acknowledged: string[];
  unanswered: number;
}

/** Callers that send changes to the cluster until they are stopped, and what was acknowledged to them. */
export class Load {
  readonly mail = new Work('messages through the policy daemons');
  readonly increments = new Work('increments with ids');
  readonly mailboxes = new Work('mailboxes created');
  readonly keys = new Work('API keys created');
  readonly changes = new Work('quotas and suspensions changed');
  readonly jobs = new Work('domains verified by a worker');
  readonly works = [this.mail, this.increments, this.mailboxes, this.keys, this.changes, this.jobs];
  readonly counted: Counted[] = [];
  readonly created = { mailboxes: [] as string[], keys: [] as string[], domains: [] as string[] };
  /** The last acknowledged values of the changed mailbox and domain. */
  readonly last = { quota: 0, isSuspended: false };
  private isOver = false;
  private overAt = 0;
  private running: Promise<unknown> = Promise.resolve();
  private clients = 0;

  constructor(private readonly cluster: WholeCluster) {}

  /** Makes the domains that send, and starts the callers. */
  async start(): Promise<void> {
    const client = this.client();
    await client.PUT('/outbound/tiers/{tier}', {
      params: { path: { tier: 'basic' } },
      body: { daily_limit: 0, monthly_limit: 0 },
    });
    await addDomain(client, HOME);
    await addMailbox(client, CHANGED.email);
    await addDomain(client, CHANGED.domain);
    const callers: Promise<unknown>[] = [];
    for (const [index, { policyPort, milterPort }] of this.cluster.policyds.entries()) {
      for (let session = 0; session < SESSIONS_A_DAEMON; session += 1) {
        const counted = await this.sender(client, this.mail, `mail-${index}-${session}.example`);
        const ports = { policy: policyPort, milter: milterPort };
        callers.push(this.sendMail(counted, ports, index * SESSIONS_A_DAEMON + session));
      }
    }
    for (let index = 0; index < INCREMENT_CALLERS; index += 1) {
      callers.push(this.sendIncrements(await this.sender(client, this.increments, `increments-${index}.example`)));
    }
    for (let caller = 0; caller < MAILBOX_CALLERS; caller += 1) callers.push(this.createMailboxes(caller));
    callers.push(this.createKeys(), this.changeHome(), this.verifyDomains());
    for (const work of this.works) work.closeGap();
    for (const work of this.works) work.longestGapMs = 0;
    this.running = Promise.all(callers);
    this.running.catch(() => undefined);
  }

  /** Stops the callers; what they have sent is repeated until it is acknowledged. */
  async end(): Promise<void> {
    this.overAt = performance.now();
    this.isOver = true;
    await this.running;
  }

  /** A client of the API over its several addresses; each client starts at another one. */
  client(token = MASTER): MailsteadClient {
    return createClient({ url: this.cluster.addresses(this.clients++), token, retries: 2, timeoutMs: 3_000 });
  }

  private async sender(client: MailsteadClient, work: Work, domain: string): Promise<Counted> {
    await addDomain(client, domain);
    await addMailbox(client, `sender@${domain}`);
    const counted: Counted = { work, domain, acknowledged: [], unanswered: 0 };
    this.counted.push(counted);
    return counted;
  }

  /** A message that is deferred is sent again as another one, by the mail program. */
  private async sendMail(counted: Counted, ports: { policy: number; milter: number }, index: number): Promise<void> {
    let session: Session | null = null;
    while (!this.isOver) {
      try {
        session ??= await mailSession(ports, () => `sender@${counted.domain}`, index);
        await withTimeout(session.send(), MAIL_WITHIN_MS, () => {
          throw new Error('no answer');
        });
        counted.acknowledged.push('');
        this.mail.acknowledge();
        await delay(PAUSE_MS);
      } catch (error) {
        session?.close();
        session = null;
        counted.unanswered += 1;
        this.mail.unanswered += 1;
        this.mail.fail(reasonOf(error));
        await delay(AFTER_ERROR_MS);
      }
    }
    session?.close();
  }

  private async sendIncrements(counted: Counted): Promise<void> {
    const [client, path] = [this.client(), { domain_name: counted.domain }];
    await this.repeat(this.increments, async (index) => {
      const id = `${counted.domain}:${index}`;
      const send = async () => {
        const route = '/domains/{domain_name}/outbound/increment';
        const { data } = await client.POST(route, { params: { path }, body: { id } });
        if (data?.action !== 'accept') throw new Error(`${data?.action} ${data?.reason}`);
      };
      if (await this.untilAcknowledged(this.increments, send)) counted.acknowledged.push(id);
      else counted.unanswered += 1;
    });
  }

  private async createMailboxes(caller: number): Promise<void> {
    const client = this.client();
    await this.repeat(this.mailboxes, async (index) => {
      const email = `m-${caller}-${index}@${HOME}`;
      const header = { 'Idempotency-Key': email };
      const send = () => client.POST('/users/', { params: { header }, body: { email, password_hash: PASSWORD_HASH } });
      if (await this.untilAcknowledged(this.mailboxes, send)) this.created.mailboxes.push(email);
    });
  }

  /** A key has no unique name, so one that is made twice is there twice. */
  private async createKeys(): Promise<void> {
    const master = this.client();
    let maker = master;
    await this.repeat(this.keys, async (index) => {
      if (index % KEYS_OF_PARTNER === 0) {
        const token = `key-of-partner-${index}-0123456789`;
        const header = { 'Idempotency-Key': token };
        const body = { token, partner_ref: `partner-${index}` };
        await this.answered(() => master.POST('/api-keys/', { params: { header }, body }));
        maker = this.client(token);
      }
      const name = `key-${index}`;
      const send = () => maker.POST('/me/keys', { params: { header: { 'Idempotency-Key': name } }, body: { name } });
      if (await this.untilAcknowledged(this.keys, send)) this.created.keys.push(name);
    });
  }

  /** Changes a quota and a suspension in turn, and reads each from another API at once. */
  private async changeHome(): Promise<void> {
    const [client, other] = [this.client(), this.client()];
    const mailbox = { params: { path: { email: CHANGED.email } } };
    const domain = { params: { path: { domain_name: CHANGED.domain } } };
    await this.repeat(this.changes, async (index) => {
      const isQuota = index % 2 === 0;
      const isSuspended = index % 4 === 1;
      const change = (): Promise<unknown> => {
        if (isQuota) return client.PUT('/users/{email}/quota', { ...mailbox, body: { quota_mb: index + 1 } });
        const path = isSuspended ? '/domains/{domain_name}/suspend' : '/domains/{domain_name}/activate';
        return client.PUT(path, { ...domain, body: {} });
      };
      if (!(await this.untilAcknowledged(this.changes, change))) return;
      if (isQuota) this.last.quota = index + 1;
      else this.last.isSuspended = isSuspended;
      const isFound = await this.answered(async () => {
        if (isQuota) return (await other.GET('/users/{email}', mailbox)).data?.quota_mb === index + 1;
        return (await other.GET('/domains/{domain_name}', domain)).data?.status === statusOf(isSuspended);
      });
      if (isFound === true) this.changes.found += 1;
      else if (isFound === false) await this.judgeChange(isQuota ? index + 1 : isSuspended);
    });
  }

  /** Counts a change that was not read back: it is lost unless an earlier one overtook it. */
  private async judgeChange(own: number | boolean): Promise<void> {
    const history = await this.answered(() => changesOf(this.cluster, typeof own === 'number'));
    if (history === null) return;
    if (isOvertaken<number | boolean>(history, own)) {
      this.changes.found += 1;
      this.changes.fail('overtaken by an earlier request');
    } else {
      this.changes.lost += 1;
      this.changes.fail(`${own} is not there: the last changes are ${history.slice(-6).join(', ')}`);
    }
  }

  /** Creates domains, and waits for the job of each. */
  private async verifyDomains(): Promise<void> {
    const client = this.client();
    await this.repeat(this.jobs, async (index) => {
      const name = `job-${index}.example`;
      const send = () => client.POST('/domains/', { params: { header: { 'Idempotency-Key': name } }, body: { name } });
      if ((await this.answered(send, this.jobs)) === null) {
        this.jobs.unanswered += 1;
        return;
      }
      this.created.domains.push(name);
      const begun = performance.now();
      const path = { params: { path: { domain_name: name } } };
      while (performance.now() - begun < PATIENCE_MS) {
        const read = await client.GET('/domains/{domain_name}', path).catch(() => null);
        if (read?.data?.verification_status === 'verified') {
          this.jobs.acknowledge();
          return;
        }
        await delay(PAUSE_MS);
      }
      this.jobs.fail('not verified in time');
    });
  }

  private async repeat(work: Work, once: (index: number) => Promise<void>): Promise<void> {
    for (let index = 0; !this.isOver; index += 1) {
      await once(index).catch((error: unknown) => work.fail(String(error)));
      await delay(PAUSE_MS);
    }
  }

  private async untilAcknowledged(work: Work, send: () => Promise<unknown>): Promise<boolean> {
    const answer = await this.answered(send, work);
    if (answer === null) work.unanswered += 1;
    else work.acknowledge();
    return answer !== null;
  }

  /** Sends the same until it is answered; null when it was not, up to `PATIENCE_MS` after the end. */
  private async answered<Answer>(send: () => Promise<Answer>, work?: Work): Promise<Answer | null> {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        work?.fail(reasonOf(error));
        if (this.isOver && performance.now() - this.overAt > PATIENCE_MS) return null;
        await delay(AFTER_ERROR_MS);
      }
    }
  }
}

export function statusOf(isSuspended: boolean): 'active' | 'suspended' {
  return isSuspended ? 'suspended' : 'active';
}

/** The quotas of the changed mailbox, or whether the changed domain was suspended, in the order of the changes. */
export async function changesOf(cluster: WholeCluster, isQuota: boolean): Promise<(number | boolean)[]> {
  const subject = isQuota ? CHANGED.email : CHANGED.domain;
  const rows = await cluster.query<{ action: string; quota: string | null }>(
    `SELECT action, JSON_VALUE(value_after, '$.quota_mb') AS quota FROM audit_log WHERE subject = ?
        AND action IN ('mailbox.update', 'domain.suspend', 'domain.activate') ORDER BY id`,
    [subject],
  );
  return rows.map(({ action, quota }) => (isQuota ? Number(quota) : action === 'domain.suspend'));
}

async function addDomain(client: MailsteadClient, name: string): Promise<void> {
  const path = { params: { path: { domain_name: name } } };
  await client.POST('/domains/', { body: { name } });
  // Until then increments are answered with a refusal, which is not counted.
  await until(`${name} to be verified`, async () => {
    return (await client.GET('/domains/{domain_name}/relay-status', path)).data?.verified === true;
  });
}

async function addMailbox(client: MailsteadClient, email: string): Promise<void> {
  await client.POST('/users/', { body: { email, password_hash: PASSWORD_HASH } });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('status' in error) return `${String(error.status)}${'code' in error ? ` ${String(error.code)}` : ''}`;
  if ('code' in error) return String(error.code);
  return error.message.replaceAll(/\s+/g, ' ').slice(0, 60);
}
