import { EntriesByAge } from '../entries-by-age.js';
import type { Away, Count, CountVerdict, PreviewVerdict, Refused } from '../outbound-api.js';
import type { Submitter } from '../submission.js';
import { type PolicyVerdict, RESTORE_NOT_ACCEPTED } from './verdict-reply.js';

/** From the request of a preview on. The time of a stop that RCPT may not know yet is therefore no longer. */
const REMEMBERED_MS = 2_000;
/** The recipients of unfinished messages must stay below this part of the headroom: other daemons use theirs too. */
const PARTS = 10;
/** The limit for all logins together. A login takes about 300 bytes, at most 800. */
const MAX_LOGINS = 10_000;

interface Remembered {
  domain: string;
  /** When the preview was requested, by the clock of the memory. */
  askedAt: number;
  /** Infinite when no limit is enforced. */
  headroom: number;
  asksAboutEach: boolean;
}

/**
 * Stores for 2 s what each login may still send: the headroom of its last preview, corrected by the counts since. While
 * it covers them, recipients outside need no preview. Only a preview begins the 2 s, because only its answer says
 * whether each recipient must be asked about. A refusal removes what is stored of the login's domain, and an API that
 * is away, or waits for its restore to be accepted, removes everything. When there are too many logins, the oldest is
 * removed first.
 */
export class HeadroomMemory {
  /** By login. */
  private readonly answers = new EntriesByAge<Remembered>();
  private readonly loginsOf = new Map<string, Set<string>>();

  /** @param now milliseconds of a clock that is never set back. */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** Whether another recipient outside needs no preview. @param open recipients of the domain's unfinished messages */
  covers({ login }: Submitter, open: number): boolean {
    const known = this.find(login);
    return known !== undefined && !known.asksAboutEach && (open + 1) * PARTS < known.headroom;
  }

  /** Whether the login's last preview said that each recipient must be asked about. */
  asksAboutEach({ login }: Submitter): boolean {
    return this.find(login)?.asksAboutEach === true;
  }

  /** Stores the answer to a preview. @param askedAt when it was requested, by `now`. */
  notePreview({ login, domain }: Submitter, verdict: PreviewVerdict | Away | Refused, askedAt: number): void {
    if (isNoVerdict(verdict)) return this.clear();
    const isAccepted = verdict.action === 'accept';
    const asksAboutEach = verdict.each_recipient === true;
    if (isAccepted) this.remove(login);
    else this.removeDomain(domain);
    if (!isAccepted && !asksAboutEach) return;
    this.add(login, { domain, askedAt, headroom: isAccepted ? toNumber(verdict.headroom) : 0, asksAboutEach });
    this.removeOldest();
  }

  /** Corrects the headroom of the sender. An API of the former release does not send it. @until 5.3 */
  noteCount({ sender, domain }: Pick<Count, 'sender' | 'domain'>, verdict: CountVerdict | Away | Refused): void {
    if (isNoVerdict(verdict)) return this.clear();
    if (sender === undefined) return;
    const { action, headroom } = verdict;
    const known = this.answers.get(sender);
    if (action !== 'accept' || headroom === undefined) this.removeDomain(domain);
    else if (known !== undefined) known.headroom = toNumber(headroom);
  }

  private clear(): void {
    this.answers.clear();
    this.loginsOf.clear();
  }

  private find(login: string): Remembered | undefined {
    const known = this.answers.get(login);
    return known !== undefined && this.isCurrent(known) ? known : undefined;
  }

  private isCurrent({ askedAt }: Remembered): boolean {
    return this.now() - askedAt <= REMEMBERED_MS;
  }

  private add(login: string, answer: Remembered): void {
    this.answers.set(login, answer);
    const logins = this.loginsOf.get(answer.domain);
    if (logins === undefined) this.loginsOf.set(answer.domain, new Set([login]));
    else logins.add(login);
  }

  private remove(login: string): void {
    const domain = this.answers.get(login)?.domain;
    if (domain === undefined) return;
    this.answers.delete(login);
    const logins = this.loginsOf.get(domain);
    logins?.delete(login);
    if (logins?.size === 0) this.loginsOf.delete(domain);
  }

  private removeDomain(domain: string): void {
    for (const login of this.loginsOf.get(domain) ?? []) this.answers.delete(login);
    this.loginsOf.delete(domain);
  }

  private removeOldest(): void {
    for (let { oldest } = this.answers; oldest !== undefined; { oldest } = this.answers) {
      if (this.answers.size <= MAX_LOGINS && this.find(oldest) !== undefined) return;
      this.remove(oldest);
    }
  }
}

function isNoVerdict(verdict: PolicyVerdict | Away | Refused): verdict is Away | Refused {
  return typeof verdict === 'string' || verdict.reason === RESTORE_NOT_ACCEPTED;
}

function toNumber(headroom: number | null): number {
  return headroom ?? Number.POSITIVE_INFINITY;
}
