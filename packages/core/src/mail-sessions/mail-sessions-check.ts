import { HealthCheck } from '../health-check.js';
import { needs } from '../needs.js';
import { MailSessions } from './mail-sessions.js';

/** Warns that nobody ends open sessions. For an installation whose database mail servers can read. */
@needs(MailSessions)
export class MailSessionsCheck extends HealthCheck {
  override readonly name = 'mail_sessions';
  override readonly isWarning = true;
  override readonly isKnown = true;

  constructor(private readonly sessions: MailSessions) {
    super();
  }

  override async problem(): Promise<string | null> {
    if (this.sessions.servers.length > 0) return null;
    return 'DOVEADM_URL and DOVEADM_API_KEY are not set: after a change of password, a deletion or a suspension, open IMAP and POP3 sessions go on until the mail program ends them';
  }
}
