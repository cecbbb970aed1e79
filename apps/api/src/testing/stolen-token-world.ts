import type { Row } from '@mailstead/adapters/database/driver/database';
import type { DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { MaildirStore } from '@mailstead/adapters/maildir/maildir-store';
import { ScratchMaildir } from '@mailstead/adapters/maildir/testing/scratch-maildir';
import { DAY_MS } from '@mailstead/core/clock';
import { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import supertest from 'supertest';
import { BILLING, MASTER, startTestApi, type TestApi } from './api-fixture.js';

const PASSWORD = 'a-password-that-nobody-else-has';
const MESSAGES = 3;

/** A domain of the partner `acme` with everything in it. */
export interface Victim {
  name: string;
  /** The mailboxes with mail. */
  emails: string[];
}

/** What a response to the thief was. */
export interface Taken {
  status: number;
  body: unknown;
}

/**
 * A filled platform, and a thief who has a `billing` token and nothing else. The mail is in a real folder, older than
 * every retention, so that a purge that applies one to it removes all of it.
 */
export class StolenTokenWorld {
  /** All that the thief was sent: bodies and headers. */
  readonly loot: string[] = [];
  /** What must never be in it. */
  readonly secrets = new Set<string>([PASSWORD]);
  private made = 0;

  private constructor(
    readonly api: TestApi,
    private readonly mail: ScratchMaildir,
    readonly acme: string,
    readonly rival: string,
  ) {}

  static async start(kind: DatabaseKind): Promise<StolenTokenWorld> {
    const mail = await ScratchMaildir.create();
    // The brake would hold back what these tests must see.
    const settings = { PURGE_BRAKE: '0', ALLOW_EXTERNAL_FORWARD: 'true' };
    const api = await startTestApi(kind, settings, {}, new MaildirStore({ root: mail.root }));
    if (kind === 'mariadb') {
      await api.database.write("INSERT INTO installation (name, value) VALUES ('forwarding', 'on')");
    }
    // The store removes what is older than the retention by its files, which are of today.
    api.clock.set(new Date(Date.now() + 400 * DAY_MS));
    const world = new StolenTokenWorld(api, mail, await api.key('acme'), await api.key('rival'));
    for (const key of [world.acme, world.rival]) world.secrets.add(key);
    return world;
  }

  async stop(): Promise<void> {
    await this.api.close();
    await this.mail.close();
  }

  /** A name that was never used. */
  aName(): string {
    this.made += 1;
    return `victim-${this.made}.example`;
  }

  get master() {
    return this.api.as(MASTER);
  }

  /** Sends a request with the stolen token, and keeps what comes back. */
  async steal(method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object): Promise<Taken> {
    const response = await supertest(this.api.url)[method](path).set('Authorization', `Bearer ${BILLING}`).send(body);
    this.loot.push(response.text, JSON.stringify(response.headers));
    return { status: response.status, body: response.body };
  }

  /**
   * Creates a domain of acme: open, with settings, two mailboxes with mail and passwords, aliases of each kind, and
   * holds.
   */
  async victim(): Promise<Victim> {
    const name = this.aName();
    const own = this.api.as(this.acme);
    await own.post('/domains/', { name, external_ref: 'contract-7' }).expect(201);
    await this.master.put(`/domains/${name}/inbound`, { inbound: 'open' }).expect(200);
    await this.master.put(`/domains/${name}/transfer`, { transfer_monthly_mb: 777 }).expect(200);
    await this.master.put(`/domains/${name}/outbound`, { outbound_tier: 'standard', daily_limit: 50 }).expect(200);
    await own.put(`/domains/${name}/outbound`, { daily_limit: 40 }).expect(200);
    const emails = [`anna@${name}`, `ben@${name}`];
    for (const [index, email] of emails.entries()) {
      const more = {
        name: `Name ${index}`,
        quota_mb: 700 + index,
        outbound_daily_limit: 9,
        external_ref: `box-${index}`,
      };
      await own.post('/users/', { email, password: PASSWORD, ...more }).expect(201);
      const home = await this.homeOf(email);
      for (let message = 0; message < MESSAGES; message += 1) await this.mail.save({ email, home }, '', 10);
    }
    for (const [address, destination] of [
      [`info@${name}`, emails[0]],
      [`@${name}`, emails[1]],
      [`out@${name}`, 'someone@outside.example'],
    ]) {
      await own.post('/aliases/', { address, destination }).expect(201);
    }
    for (const row of await this.rows('SELECT home, password_hash FROM mailbox WHERE email LIKE ?', `%@${name}`)) {
      this.secrets.add(String(row.home)).add(String(row.password_hash));
    }
    return { name, emails };
  }

  rows(sql: string, ...parameters: (string | number)[]): Promise<Row[]> {
    return this.api.database.read(sql, parameters);
  }

  /** Every stored value of a domain, its mailboxes with their password hashes, and its aliases; and its mail. */
  async everythingOf({ name, emails }: Victim): Promise<unknown> {
    const [domain] = await this.rows('SELECT * FROM domain WHERE name = ?', name);
    const id = Number(domain?.id ?? 0);
    const [ownership] = await this.rows('SELECT ownership_token FROM verification WHERE domain_id = ?', id);
    const inside = async (table: string) =>
      (await this.rows(`SELECT * FROM ${table} WHERE domain_id = ? ORDER BY id`, id)).map(withoutBookkeeping);
    return {
      domain: withoutBookkeeping(domain ?? {}),
      ownership,
      mailboxes: await inside('mailbox'),
      aliases: await inside('alias'),
      mail: await Promise.all(emails.map((email) => this.messagesOf(email))),
    };
  }

  /** The number of stored messages of a mailbox. */
  async messagesOf(email: string): Promise<number> {
    return this.mail.count({ email, home: await this.homeOf(email) });
  }

  /** The id of the newest deletion of the name that the caller can restore; null when there is none. */
  async deletionOf(token: string, name: string): Promise<number | null> {
    const { body } = await this.api.as(token).get(`/deleted/?domain=${name}`).expect(200);
    return (body as { id: number; name: string }[]).filter((each) => each.name === name).at(-1)?.id ?? null;
  }

  /** @returns the status */
  async restore(token: string, id: number | null): Promise<number> {
    return (await this.api.as(token).post(`/deleted/${id}/restore`)).status;
  }

  /** Days pass; on each, the jobs run that remove stored mail. */
  async pass(days: number): Promise<void> {
    for (let day = 0; day < days; day += 1) {
      this.api.clock.advance(DAY_MS);
      await this.runRemovals();
    }
  }

  async runRemovals(): Promise<void> {
    await this.api.container.get(PurgeRetention).execute({ cursor: 0, save: async () => {} });
    await this.api.container.get(RemoveDeletedMail).execute();
  }

  private async homeOf(email: string): Promise<string> {
    const [row] = await this.rows('SELECT home FROM mailbox WHERE email = ?', email);
    return String(row?.home);
  }
}

/**
 * What a row says about itself: when it was restored, which raised its revision and ended the sessions of its mailbox,
 * and the day that its usage is counted for.
 */
const BOOKKEEPING = ['restored_at', 'revision', 'revoked_at', 'usage_day', 'usage_mailboxes'];

function withoutBookkeeping(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !BOOKKEEPING.includes(column)));
}
