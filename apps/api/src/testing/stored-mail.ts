import type { DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { MailStore, type PurgeCounts } from '@mailstead/core/retention/mail-store';
import { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import { MASTER, startTestApi, type TestApi } from './api-fixture.js';

/** The ages of the messages of each domain, days. */
const AGES = [10, 40, 70, 100];

/** A store in memory: by domain, when each message was saved. */
class MemoryStore extends MailStore {
  readonly saved = new Map<string, { age: number; at: number }[]>();

  override async purge(domain: DomainName, _mailboxes: unknown, before: Date, dryRun: boolean): Promise<PurgeCounts> {
    const messages = this.saved.get(domain) ?? [];
    const kept = messages.filter(({ at }) => at >= before.getTime());
    if (!dryRun) this.saved.set(domain, kept);
    return { messages: messages.length - kept.length, bytes: 0 };
  }

  override async removeHome(): Promise<PurgeCounts> {
    return { messages: 0, bytes: 0 };
  }
}

/** An API with a mail store in which each domain has messages that are 10, 40, 70 and 100 days old. */
export class StoredMail {
  private constructor(
    readonly api: TestApi,
    private readonly store: MemoryStore,
  ) {}

  static async start(kind: DatabaseKind, settings: Record<string, string> = {}): Promise<StoredMail> {
    const store = new MemoryStore();
    return new StoredMail(await startTestApi(kind, settings, {}, store), store);
  }

  /** Creates a domain of no partner with its messages. */
  async domain(name: string): Promise<void> {
    await this.api.as(MASTER).post('/domains/', { name }).expect(201);
    this.deliver(name);
  }

  /** Replaces the messages of a domain by new ones of the four ages. */
  deliver(name: string): void {
    const now = this.api.clock.now().getTime();
    this.store.saved.set(
      name,
      AGES.map((age) => ({ age, at: now - age * DAY_MS + 1 })),
    );
  }

  /** @returns the ages at their delivery of the messages that a domain still has, ascending. */
  ages(name: string): number[] {
    return (this.store.saved.get(name) ?? []).map(({ age }) => age);
  }

  async setRetention(name: string, days: number, token = MASTER): Promise<void> {
    await this.api.as(token).put(`/domains/${name}/retention`, { retention_days: days }).expect(200);
  }

  purge(progress = { cursor: 0, save: async (_cursor: number) => {} }) {
    return this.api.container.get(PurgeRetention).execute(progress);
  }

  stop(): Promise<void> {
    return this.api.close();
  }
}
