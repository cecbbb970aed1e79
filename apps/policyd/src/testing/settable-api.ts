import { AWAY, type Count, type CountVerdict, type Preview, type PreviewVerdict } from '../outbound-api.js';

const ACCEPT = { action: 'accept', reason: null };
const RESTORED = { action: 'defer', reason: 'restore_not_accepted' };
const LIMITED = { action: 'defer', reason: 'daily_limit' };
const SUSPENDED = { action: 'defer', reason: 'domain_suspended', headroom: 0 };

const ENDED = { action: 'defer', reason: 'session_ended', headroom: 0 };
const SUPPRESSED = { action: 'reject', reason: 'recipient_suppressed', suppressed_since: '2026-03-15' };

/** An API with a domain whose state the test sets. Stores what it was asked. */
export class SettableApi {
  /** The recipients of its previews. */
  readonly asked: string[] = [];
  /** The messages that it counted. */
  readonly counted: Count[] = [];
  /** What may still be sent. A count lowers it. */
  headroom: number | null = 100;
  suspended = false;
  /** Whether the login of the session was taken away. */
  ended = false;
  /** When the session of each preview began. */
  readonly sessions: (number | undefined)[] = [];
  isAway = false;
  /** Called while a preview is on its way. */
  whileAsked: () => void = () => undefined;
  /** Whether it waits for a restore to be accepted. */
  isRestored = false;
  /** Whether it is of the release whose counts do not say the headroom. */
  isFormer = false;
  /** What previews say about the recipients after them. */
  eachRecipient: boolean | undefined;
  /** Refused with the day; every preview then asks for each recipient. */
  suppressed: string[] | null = null;
  readonly aliases: Record<string, number> = { 'list@acme.test': 50, 'bob@acme.test': 0 };

  async preview({ recipient, sessionBegan }: Preview): Promise<PreviewVerdict | typeof AWAY> {
    this.asked.push(recipient);
    this.sessions.push(sessionBegan);
    this.whileAsked();
    if (this.isAway) return AWAY;
    if (this.isRestored) return { ...RESTORED, counts_as: 1, headroom: 0 };
    const eachRecipient = this.suppressed === null ? this.eachRecipient : true;
    const each = eachRecipient === undefined ? {} : { each_recipient: eachRecipient };
    const fields = { counts_as: this.countsAs(recipient), ...each };
    if (this.ended) return { ...ENDED, ...fields };
    if (this.suspended) return { ...SUSPENDED, ...fields };
    if (this.suppressed?.includes(recipient)) return { ...SUPPRESSED, headroom: this.headroom, ...fields };
    if (this.headroom === 0) return { ...LIMITED, headroom: 0, ...fields };
    return { ...ACCEPT, headroom: this.headroom, ...fields };
  }

  /** Counts all recipients or none, as the API does. */
  async count(item: Count): Promise<CountVerdict | typeof AWAY> {
    if (this.isAway) return AWAY;
    if (this.isRestored) return RESTORED;
    if (this.ended) return ENDED;
    if (this.suspended) return SUSPENDED;
    const known = item.recipients.reduce((sum, recipient) => sum + this.countsAs(recipient), 0);
    const needed = Math.max(item.count ?? 0, known);
    if (this.headroom !== null && needed > this.headroom) {
      return { ...LIMITED, headroom: this.headroom };
    }
    if (this.headroom !== null) this.headroom -= needed;
    this.counted.push(item);
    return this.isFormer ? ACCEPT : { ...ACCEPT, headroom: this.headroom };
  }

  private countsAs(recipient: string): number {
    return this.aliases[recipient] ?? 1;
  }
}
