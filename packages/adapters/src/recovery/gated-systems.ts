import { MailSessions } from '@mailstead/core/mail-sessions/mail-sessions';
import { MailboxUsage, type StoredMail } from '@mailstead/core/mailboxes/mailbox-usage';
import type { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { type DnsAnswer, DnsResolver, type MxRecord } from '@mailstead/core/relay/dns-resolver';
import { MailStore, type PurgeCounts } from '@mailstead/core/retention/mail-store';
import { type SendResult, WebhookSender } from '@mailstead/core/webhooks/webhook-sender';

const WAITS: DnsAnswer<never> = {
  outcome: 'error',
  reason: 'A restored database is not accepted yet, so no DNS server was asked',
};

/** Asks no DNS server while a restored database is not accepted. */
export class GatedDns extends DnsResolver {
  constructor(
    private readonly resolver: DnsResolver,
    private readonly gate: RestoreGate,
  ) {
    super();
  }

  override mx(name: string): Promise<DnsAnswer<MxRecord>> {
    return this.ask(() => this.resolver.mx(name));
  }

  override addresses(name: string): Promise<DnsAnswer<string>> {
    return this.ask(() => this.resolver.addresses(name));
  }

  override addressesOf(family: 4 | 6, name: string): Promise<DnsAnswer<string>> {
    return this.ask(() => this.resolver.addressesOf(family, name));
  }

  override ptr(name: string): Promise<DnsAnswer<string>> {
    return this.ask(() => this.resolver.ptr(name));
  }

  override txt(name: string): Promise<DnsAnswer<string>> {
    return this.ask(() => this.resolver.txt(name));
  }

  override cname(name: string): Promise<DnsAnswer<string>> {
    return this.ask(() => this.resolver.cname(name));
  }

  override ns(name: string): Promise<DnsAnswer<string>> {
    return this.ask(() => this.resolver.ns(name));
  }

  override soa(name: string): Promise<DnsAnswer<string>> {
    return this.ask(() => this.resolver.soa(name));
  }

  private async ask<T>(question: () => Promise<DnsAnswer<T>>): Promise<DnsAnswer<T>> {
    return this.gate.isClosed ? WAITS : question();
  }
}

/** Asks no mail server while a restored database is not accepted. */
export class GatedUsage extends MailboxUsage {
  override readonly isConfigured: boolean;

  constructor(
    private readonly usage: MailboxUsage,
    private readonly gate: RestoreGate,
  ) {
    super();
    this.isConfigured = usage.isConfigured;
  }

  override async ask(email: Parameters<MailboxUsage['ask']>[0]): Promise<StoredMail | 'no_mailbox' | 'no_answer'> {
    return this.gate.isClosed ? 'no_answer' : this.usage.ask(email);
  }
}

/** Ends no session while a restored database is not accepted: it may be one of the living installation. */
export class GatedMailSessions extends MailSessions {
  override readonly servers: readonly string[];

  constructor(
    private readonly sessions: MailSessions,
    private readonly gate: RestoreGate,
  ) {
    super();
    this.servers = sessions.servers;
  }

  override async domains(server: string): Promise<string[]> {
    this.gate.refuse();
    return this.sessions.domains(server);
  }

  override async end(...asked: Parameters<MailSessions['end']>): Promise<void> {
    this.gate.refuse();
    return this.sessions.end(...asked);
  }
}

/** Removes no mail while a restored database is not accepted: it may be the mail of the living installation. */
export class GatedMailStore extends MailStore {
  override readonly isConfigured: boolean;

  constructor(
    private readonly store: MailStore,
    private readonly gate: RestoreGate,
  ) {
    super();
    this.isConfigured = store.isConfigured;
  }

  override async purge(...asked: Parameters<MailStore['purge']>): Promise<PurgeCounts> {
    this.gate.refuse();
    return this.store.purge(...asked);
  }

  override async removeHome(...asked: Parameters<MailStore['removeHome']>): Promise<PurgeCounts> {
    this.gate.refuse();
    return this.store.removeHome(...asked);
  }
}

/** Posts to no endpoint while a restored database is not accepted. A delivery that had begun is repeated later. */
export class GatedWebhookSender extends WebhookSender {
  constructor(
    private readonly sender: WebhookSender,
    private readonly gate: RestoreGate,
  ) {
    super();
  }

  override refusalOf(url: string): string | null {
    return this.sender.refusalOf(url);
  }

  override async post(...given: Parameters<WebhookSender['post']>): Promise<SendResult | null> {
    return this.gate.isClosed ? null : this.sender.post(...given);
  }
}
