import type { MailStackSettings } from '../settings/mail-stack-settings.js';

/** Connections that a login process serves. When one fails, so many sessions end. */
const CLIENTS_OF_LOGIN_PROCESS = 500;
/** Logins that are under way, and connections without a login, beside the sessions. */
const CONNECTIONS_PER_SESSION = 1.25;
const FEWEST_LOGIN_PROCESSES = 8;
/** Connections to Dovecot's inner services that no session has: those of Postfix, of deliveries and of doveadm. */
const OTHER_CLIENTS = 2000;
/** Files that a process has open beside its connections. */
const OTHER_FILES = 1000;
/** Instances of inotify of other programs of the owner of the mail, such as doveadm. */
const OTHER_INSTANCES = 1000;
/** A session that waits for new mail watches two folders; one that asked for several mailboxes watches more. */
const WATCHES_OF_INSTANCE = 4;

/** What Dovecot, systemd and Linux must allow for `dovecot.sessions`. */
export interface SessionLimits {
  /** Sessions of each protocol. */
  sessions: number;
  /** Processes of each protocol for connections, and how many connections each one serves. */
  loginProcesses: number;
  loginClients: number;
  /** Connections to each of Dovecot's inner services. */
  innerClients: number;
  /** Files and sockets that one process may open. */
  openFiles: number;
  /** Processes of Dovecot in all. */
  processes: number;
  /** Of inotify, for the owner of the mail. */
  inotifyInstances: number;
  inotifyWatches: number;
}

/** Returns the limits that follow from `dovecot.sessions`. */
export function sessionLimits({ dovecot: { sessions, pop3s } }: Pick<MailStackSettings, 'dovecot'>): SessionLimits {
  const protocols = pop3s === null ? 1 : 2;
  const connections = sessions * CONNECTIONS_PER_SESSION;
  const loginProcesses = Math.max(FEWEST_LOGIN_PROCESSES, Math.ceil(connections / CLIENTS_OF_LOGIN_PROCESS));
  const innerClients = protocols * (sessions + loginProcesses) + OTHER_CLIENTS;
  const inotifyInstances = sessions + OTHER_INSTANCES;
  return {
    sessions,
    loginProcesses,
    loginClients: CLIENTS_OF_LOGIN_PROCESS,
    innerClients,
    openFiles: innerClients + OTHER_FILES,
    // Each process has one connection to the inner services.
    processes: innerClients,
    inotifyInstances,
    inotifyWatches: inotifyInstances * WATCHES_OF_INSTANCE,
  };
}
