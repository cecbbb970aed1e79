import { reasonOf } from '@mailstead/core/errors';

/** Dovecot connects again within as much after a shorter outage. */
const OUTAGE_MS = 5_000;
/** Between two renewals, also while the database comes and goes. */
const PAUSE_MS = 30_000;
const MAX_ATTEMPTS = 3;
/** The doctor names a program whose state is older than two minutes. */
const STATE_AGE_MS = 15_000;

/** A server whose processes remember failures of the database. */
export interface MailServer {
  name: string;
  /** Has its processes replaced by new ones, and ends no session. @throws Error when it does not run, for instance. */
  renew(): Promise<void>;
}

export interface OutageSurroundings {
  /** Asks the database as Postfix does. @returns null when it answers, else why not */
  whyNot(): Promise<string | null>;
  /** In the order in which they are renewed. */
  servers: readonly MailServer[];
  /** Milliseconds of a clock that nobody sets. */
  now(): number;
  /** Stores whether a renewal is owed, with the time. */
  store(isOwed: boolean): Promise<void>;
  tell(level: 'info' | 'warn' | 'error', event: string, details: Record<string, unknown>): void;
}

/**
 * Renews the mail servers once after each outage of the database. A failed answer stays in an smtpd until it ends,
 * Postfix asks a failed server again after a minute, and Dovecot connects again after 1, 5, 25, 125 and more seconds.
 */
export class OutageWatch {
  private failingSince: number | null = null;
  private attempts = 0;
  private renewedAt = Number.NEGATIVE_INFINITY;
  private storedAt = Number.NEGATIVE_INFINITY;
  /** The servers that have not been renewed since the last outage. */
  private owed: readonly MailServer[];

  /** @param isOwed what the program stored before it ended */
  constructor(
    private readonly around: OutageSurroundings,
    isOwed: boolean,
  ) {
    this.owed = isOwed ? around.servers : [];
  }

  /** One look, every few seconds. Never throws. */
  async look(): Promise<void> {
    const begun = this.around.now();
    const reason = await this.around.whyNot();
    const now = this.around.now();
    if (reason !== null) {
      this.failingSince ??= begun;
      if (now - this.failingSince >= OUTAGE_MS) await this.noteOutage(reason);
    } else {
      this.failingSince = null;
      if (this.owed.length > 0 && now - this.renewedAt >= PAUSE_MS) await this.renew();
    }
    if (now - this.storedAt >= STATE_AGE_MS) await this.store();
  }

  private async noteOutage(reason: string): Promise<void> {
    this.attempts = 0;
    if (this.owed.length === this.around.servers.length) return;
    this.owed = this.around.servers;
    this.around.tell('warn', 'outage', { reason });
    await this.store();
  }

  private async renew(): Promise<void> {
    this.attempts += 1;
    const failed: MailServer[] = [];
    for (const server of this.owed) {
      try {
        await server.renew();
      } catch (error) {
        failed.push(server);
        this.around.tell('error', 'renewal failed', { server: server.name, error: reasonOf(error) });
      }
    }
    this.renewedAt = this.around.now();
    this.around.tell('info', 'renewed', { servers: this.owed.length - failed.length });
    // A server that cannot be renewed three times does not run, or is ill in another way, which its log says.
    this.owed = this.attempts < MAX_ATTEMPTS ? failed : [];
    await this.store();
  }

  /** Without its file the program goes on: only a kill before the end of the outage would forget the renewal. */
  private async store(): Promise<void> {
    this.storedAt = this.around.now();
    try {
      await this.around.store(this.owed.length > 0);
    } catch (error) {
      this.around.tell('error', 'state not stored', { error: reasonOf(error) });
    }
  }
}
