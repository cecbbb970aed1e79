/** A password check that Dovecot wants to begin. */
export interface Login {
  /** Dovecot's name for it, the same at its begin and its end, and of no other login at that time. */
  id: string;
  mailbox: string;
  /** The part of the address after the @; empty without one. */
  domain: string;
  /** The client's IPv4 address, or the /64 network of its IPv6 address. */
  client: string;
}

type Key = 'mailbox' | 'domain' | 'client';

export interface LoginBounds {
  /** How many password checks run at once for each mailbox, domain and client. */
  running: Record<Key, number>;
  /** How many wait for each of them. */
  waiting: Record<Key, number>;
  /** How many wait in all. Each holds one of the 100 connections that Dovecot opens to a policy server. */
  waitingInAll: number;
  /** A login that waited this long is refused. Postfix waits 10 s for Dovecot, and the check itself takes up to 1 s. */
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
    if (this.hasRoom(login)) {
      this.start(login);
      return true;
    }
    if (!this.mayWait(login)) return false;
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
      const timer = setTimeout(giveUp, this.bounds.waitMs);
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
      if (!this.hasRoom(waiting.login)) continue;
      this.start(waiting.login);
      waiting.settle(true);
    }
  }

  /** Lets nobody wait any longer. */
  close(): void {
    for (const waiting of this.queue) waiting.settle(true);
    for (const { timer } of this.leases.values()) clearTimeout(timer);
  }

  private start(login: Login): void {
    const timer = setTimeout(() => this.end(login.id), this.bounds.leaseMs);
    this.leases.set(login.id, { login, timer });
  }

  private hasRoom(login: Login): boolean {
    const running = [...this.leases.values()].map((lease) => lease.login);
    return KEYS.every((key) => numberOf(running, key, login) < this.bounds.running[key]);
  }

  private mayWait(login: Login): boolean {
    if (this.queue.size >= this.bounds.waitingInAll) return false;
    const waiting = [...this.queue].map((each) => each.login);
    return KEYS.every((key) => numberOf(waiting, key, login) < this.bounds.waiting[key]);
  }
}

function numberOf(logins: readonly Login[], key: Key, login: Login): number {
  return logins.filter((each) => each[key] === login[key]).length;
}
