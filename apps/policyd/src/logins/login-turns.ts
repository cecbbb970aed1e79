/** A password check that Dovecot wants to begin. */
export interface Login {
  /** Dovecot's name for it, the same at its begin and its end, and of no other login at that time. */
  id: string;
  mailbox: string;
  /** The part of the address after the @; empty without one. */
  domain: string;
  /**
   * The client's IPv4 address, or the /64 network of its IPv6 address. Null for a client behind a trusted host: these
   * are no client of their own.
   */
  client: string | null;
}

type Key = 'mailbox' | 'domain' | 'client';

export interface LoginBounds {
  /** How many password checks run at once for each mailbox, domain and client. */
  running: Record<Key, number>;
  /** How many wait for each of them. */
  waiting: Record<Key, number>;
  /** How many wait in all. Each holds one of the 100 connections that Dovecot opens to a policy server. */
  waitingInAll: number;
  /** How many of the trusted hosts run and wait together, of a domain and in all. */
  trusted: { domain: number; inAll: number };
  /** How long a login waits at most. Postfix waits 10 s for Dovecot, and the check itself takes up to 1 s. */
  waitMs: number;
  /** The place of a login whose end was not reported is free after this time. */
  leaseMs: number;
}

/**
 * Dovecot has at most 30 processes for password checks (`auth_worker_max_count`), so no mailbox, domain or client has
 * them all.
 */
export const LOGIN_BOUNDS: LoginBounds = {
  running: { mailbox: 2, domain: 8, client: 8 },
  waiting: { mailbox: 20, domain: 40, client: 40 },
  waitingInAll: 80,
  trusted: { domain: 60, inAll: 120 },
  waitMs: 5_000,
  leaseMs: 30_000,
};

const KEYS: readonly Key[] = ['mailbox', 'domain', 'client'];

interface Waiting {
  login: Login;
  settle: (mayBegin: boolean) => void;
}

/**
 * Decides when password checks begin. Each takes up to a second of processor time, so the logins of one mailbox, of one
 * domain and of one client wait for each other. A login of another mailbox, domain and client begins at once.
 *
 * The logins of all trusted hosts wait for each other as those of one client do, but only their mailbox's bound and the
 * bounds of `trusted` refuse one: otherwise it begins when it has waited long enough, or cannot wait.
 */
export class LoginTurns {
  private readonly leases = new Map<string, { login: Login; timer: NodeJS.Timeout }>();
  private readonly queue = new Set<Waiting>();

  constructor(private readonly bounds: LoginBounds = LOGIN_BOUNDS) {}

  get running(): number {
    return this.leases.size;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /**
   * @param closed aborted when Dovecot no longer waits.
   * @returns whether the password may be checked; false when too many logins wait, or this one waited too long.
   */
  async begin(login: Login, closed: AbortSignal): Promise<boolean> {
    if (closed.aborted) return false;
    // Dovecot gives a name anew only after the end of its login, whose report was then lost.
    this.end(login.id);
    if (this.hasRoom(login)) return this.start(login);
    if (login.client === null && !this.mayBeTrusted(login)) return false;
    if (!this.mayWait(login)) return this.startWithoutTurn(login);
    return await new Promise<boolean>((resolve) => {
      const waiting: Waiting = {
        login,
        settle: (mayBegin) => {
          clearTimeout(timer);
          closed.removeEventListener('abort', giveUp);
          this.queue.delete(waiting);
          resolve(mayBegin);
        },
      };
      const giveUp = () => waiting.settle(false);
      const timer = setTimeout(() => waiting.settle(this.startWithoutTurn(login)), this.bounds.waitMs);
      closed.addEventListener('abort', giveUp);
      this.queue.add(waiting);
    });
  }

  /** Ends a login that began; others with an unknown name change nothing. */
  end(id: string): void {
    const lease = this.leases.get(id);
    if (lease === undefined) return;
    clearTimeout(lease.timer);
    this.leases.delete(id);
    for (const waiting of this.queue) {
      if (this.hasRoom(waiting.login)) waiting.settle(this.start(waiting.login));
    }
  }

  /** Lets nobody wait any longer. */
  close(): void {
    for (const waiting of this.queue) waiting.settle(true);
    for (const { timer } of this.leases.values()) clearTimeout(timer);
  }

  private start(login: Login): true {
    const timer = setTimeout(() => this.end(login.id), this.bounds.leaseMs);
    this.leases.set(login.id, { login, timer });
    return true;
  }

  /** A login of a trusted host begins beside the others of its domain and of these hosts, not of its mailbox. */
  private startWithoutTurn(login: Login): boolean {
    return login.client === null && this.runsFewer('mailbox', login) && this.start(login);
  }

  /** The first login of a domain from trusted hosts does not wait for their logins of other domains. */
  private hasRoom(login: Login): boolean {
    if (!this.runsFewer('mailbox', login) || !this.runsFewer('domain', login)) return false;
    return this.runsFewer('client', login) || (login.client === null && numberOf(this.begun, 'domain', login) === 0);
  }

  private runsFewer(key: Key, login: Login): boolean {
    return numberOf(this.begun, key, login) < this.bounds.running[key];
  }

  private mayWait(login: Login): boolean {
    if (this.queue.size >= this.bounds.waitingInAll) return false;
    return KEYS.every((key) => numberOf(this.queued, key, login) < this.bounds.waiting[key]);
  }

  private mayBeTrusted(login: Login): boolean {
    const trusted = [...this.begun, ...this.queued].filter(({ client }) => client === null);
    const { domain, inAll } = this.bounds.trusted;
    return trusted.length < inAll && numberOf(trusted, 'domain', login) < domain;
  }

  private get begun(): Login[] {
    return [...this.leases.values()].map(({ login }) => login);
  }

  private get queued(): Login[] {
    return [...this.queue].map(({ login }) => login);
  }
}

function numberOf(logins: readonly Login[], key: Key, login: Login): number {
  return logins.filter((each) => each[key] === login[key]).length;
}
