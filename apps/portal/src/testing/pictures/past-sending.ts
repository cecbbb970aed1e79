import { createHmac } from 'node:crypto';
import { type InventedDomain, numbersFrom, WEEK } from './invented.js';
import { type PicturedService, WEBHOOK_KEY } from './pictured-service.js';

const SEED = 11;
/** The share of each mailbox of a domain, the first one most. */
const SHARES = [0.46, 0.27, 0.15, 0.08, 0.04];

/** Counts messages and bounces at the time that the service has at the moment. */
export class PastSending {
  private readonly next = numbersFrom(SEED);
  private readonly bounced = new Map<string, number>();
  private events = 0;

  constructor(private readonly service: PicturedService) {}

  /** @param part how much of the day is over */
  async ofDay({ name, perDay, bounces, mailboxes }: InventedDomain, day: Date, part = 1): Promise<void> {
    const amount = perDay * (WEEK[day.getUTCDay()] ?? 1) * (0.85 + 0.3 * this.next()) * part;
    const total = SHARES.slice(0, mailboxes.length).reduce((sum, share) => sum + share, 0);
    for (const [index, mailbox] of mailboxes.entries()) {
      const count = Math.round((amount * (SHARES[index] ?? 0)) / total);
      if (count > 0) await this.messages(name, mailbox, count);
    }
    const back = Math.floor(bounces * (WEEK[day.getUTCDay()] ?? 1) + this.next());
    if (back > 0) await this.bounces(name, back, 'user unknown');
  }

  async messages(domain: string, mailbox: string, count: number): Promise<void> {
    const item = { domain, sender: `${mailbox}@${domain}`, count, bytes: count * 48_000, record: true };
    await this.service.call('POST', '/outbound/increments', { body: { items: [item] } });
  }

  /** Reports bounces, as the relay does, and waits until they are counted. */
  async bounces(domain: string, count: number, reason: string): Promise<void> {
    for (let index = 0; index < count; index += 1) await this.bounce(domain, reason);
    const expected = (this.bounced.get(domain) ?? 0) + count;
    this.bounced.set(domain, expected);
    await this.service.until(async () => {
      const { bounces } = await this.service.call<{ bounces: number }>('GET', `/domains/${domain}/outbound`);
      return bounces >= expected;
    });
  }

  private async bounce(domain: string, reason: string): Promise<void> {
    this.events += 1;
    const id = `msg_${this.events}`;
    const at = this.service.date();
    const body = JSON.stringify({
      eventType: 'Bounce',
      bounce: {
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [
          { emailAddress: `reader-${this.events}@post.example`, diagnosticCode: `550 5.1.1 ${reason}` },
        ],
        timestamp: at.toISOString(),
      },
      mail: { timestamp: at.toISOString(), messageId: id, source: `newsletter@${domain}` },
    });
    const seconds = Math.floor(at.getTime() / 1_000);
    const signature = createHmac('sha256', Buffer.from(WEBHOOK_KEY, 'base64')).update(`${id}.${seconds}.${body}`);
    await this.service.call('POST', '/webhooks/relay', {
      body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${signature.digest('base64')}`,
      },
    });
  }
}
