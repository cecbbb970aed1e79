import type { JobCounts, Jobs } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { MailStopsReader } from '../outbound/mail-stops.js';
import { MailSessions } from './mail-sessions.js';

/**
 * Ends the open sessions at one mail server for which `RevokeSessions` asked. Idempotent: a session that has ended is
 * not met again.
 */
@needs(MailSessions, MailStopsReader)
export class EndSessions {
  constructor(
    private readonly sessions: MailSessions,
    private readonly stops: MailStopsReader,
  ) {}

  /** @throws AppError mail_store_unavailable */
  async execute({ server, name }: Jobs['mail-sessions.end']): Promise<JobCounts> {
    const names = name === null ? await this.stoppedDomains(server) : [name];
    if (names.length > 0) await this.sessions.end(server, names);
    return { names: names.length };
  }

  /** Of the domains with open sessions, so that the question is not larger than the number of sessions. */
  private async stoppedDomains(server: string): Promise<string[]> {
    const present = await this.sessions.domains(server);
    const stops = await this.stops.ofDomains(present);
    return present.filter((name) => {
      const found = stops.get(name);
      return found !== undefined && (found.receivingWaits || !found.hosted);
    });
  }
}
