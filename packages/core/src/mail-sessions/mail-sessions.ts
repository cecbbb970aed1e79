import { AppError } from '../errors.js';

/**
 * The open IMAP and POP3 sessions at the mail servers. Every method throws AppError `mail_store_unavailable` when the
 * server does not respond, cannot do it, or is none of `servers`.
 */
export abstract class MailSessions {
  /** The mail servers, each once; empty when none is configured. */
  abstract readonly servers: readonly string[];

  /** @returns the names of the domains whose mailboxes have open sessions at this server, each once */
  abstract domains(server: string): Promise<string[]>;

  /**
   * Ends the open sessions of these mailboxes and of all mailboxes of these domains, and no others. One without a
   * session is no error. After an error some may have ended; the call may be repeated.
   *
   * @param names addresses of mailboxes, and names of domains
   */
  abstract end(server: string, names: readonly string[]): Promise<void>;
}

/** Used when no mail server is configured. */
export class NoMailSessions extends MailSessions {
  override readonly servers: readonly string[] = [];

  override async domains(server: string): Promise<never> {
    throw unknownServer(server);
  }

  override async end(server: string): Promise<never> {
    throw unknownServer(server);
  }
}

/** A job of a process with other settings names it, or it was removed since. */
export function unknownServer(server: string): AppError {
  return new AppError('mail_store_unavailable', {
    detail: `${server} is not in DOVEADM_URL of the process that runs jobs, so its open sessions were not ended`,
  });
}
