import { createHash } from 'node:crypto';
import { Clock, SECOND_MS } from '../clock.js';
import { type JobName, JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { MailSessions } from './mail-sessions.js';

const END = 'mail-sessions.end' satisfies JobName;
/** A login that was checked before the change has its session by then, also where the mail servers read a replica. */
const LATE_LOGIN_MS = 15 * SECOND_MS;
/** The second jobs of changes within this time are one. */
const SECOND_JOBS_MS = 5 * SECOND_MS;

/**
 * Requests that open IMAP and POP3 sessions end, because a right was taken away: at once, and once more for logins that
 * were under way. Must run in the unit of work of the change, so that both are stored or neither.
 *
 * However often a caller repeats a change, few jobs wait: one for each mail server, name and time.
 */
@needs(MailSessions, JobQueue, Clock)
export class RevokeSessions {
  constructor(
    private readonly sessions: MailSessions,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Of one mailbox, or of all mailboxes of a domain, whatever right they have when the job runs.
   *
   * @param name the address of the mailbox, or the name of the domain
   * @param domainId the domain, whose partner takes turns with others; it must still be stored
   */
  async of(name: string, domainId: number, { requestId }: Pick<Actor, 'requestId'>): Promise<void> {
    await this.request(name, domainId, requestId);
  }

  /**
   * Of all domains whose mail is stopped when the job runs. For changes of many domains at once, of which the job finds
   * those with open sessions.
   */
  async ofStoppedDomains({ requestId }: Pick<Actor, 'requestId'>): Promise<void> {
    await this.request(null, 0, requestId);
  }

  private async request(name: string | null, domainId: number, requestId: string | null): Promise<void> {
    const now = this.clock.now().getTime();
    const again = Math.ceil((now + LATE_LOGIN_MS) / SECOND_JOBS_MS) * SECOND_JOBS_MS;
    for (const server of this.sessions.servers) {
      const job = { server, name, domainId };
      await this.jobs.enqueue(END, job, { key: keyOf(server, name, 'now'), requestId });
      await this.jobs.enqueue(END, job, { key: keyOf(server, name, again), requestId, runAt: new Date(again) });
    }
  }
}

/** A hash, because an address and a URL are longer than a key of a job may be. */
function keyOf(...parts: unknown[]): string {
  return `${END}/${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}
