import type { ChildService } from './child-service.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const CALLERS = 8;
const MAX_CALLS = 20_000;

/** Creates mailboxes and counts messages of one domain in parallel, and records which requests succeeded. */
export class ParallelLoad {
  readonly emails = new Set<string>();
  counted = 0;
  /** Number of responses by status, except 200 and 201. */
  readonly refused = new Map<number, number>();
  private next = 0;

  constructor(
    private readonly service: () => ChildService,
    readonly domain: string,
  ) {}

  /** Sends requests until `inARow` requests in a row were refused. */
  async untilRefused(inARow: number): Promise<void> {
    let row = 0;
    const caller = async () => {
      while (row < inARow) {
        const index = this.next;
        if (index > MAX_CALLS) throw new Error('The disk does not get full');
        this.next += 1;
        row = (await this.call(index)) ? 0 : row + 1;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }

  /** Creates one more mailbox. @returns whether it was acknowledged. */
  async create(): Promise<boolean> {
    const index = this.next + (this.next % 2);
    this.next = index + 1;
    return this.call(index);
  }

  /** Returns what was acknowledged but is not stored, and what is stored but was not acknowledged. */
  async difference(): Promise<{ lost: string[]; unexpected: string[]; counted: number }> {
    const rows = (await this.service().call('GET', `/users/?domain=${this.domain}`)).body as unknown as {
      email: string;
    }[];
    const there = new Set(rows.map(({ email }) => email));
    const outbound = (await this.service().call('GET', `/domains/${this.domain}/outbound`)).body;
    return {
      lost: [...this.emails].filter((email) => !there.has(email)),
      unexpected: [...there].filter((email) => !this.emails.has(email)),
      counted: Number(outbound.sent_today) - this.counted,
    };
  }

  private async call(index: number): Promise<boolean> {
    const email = `u${index}@${this.domain}`;
    const isCreation = index % 2 === 0;
    const { status } = isCreation
      ? await this.service().call('POST', '/users/', { email, password_hash: HASH })
      : await this.service().call('POST', `/domains/${this.domain}/outbound/increment`, {
          id: email,
          sender: email,
          record: true,
        });
    if (status === 201) this.emails.add(email);
    else if (status === 200) this.counted += 1;
    else this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
    return status < 300;
  }
}
