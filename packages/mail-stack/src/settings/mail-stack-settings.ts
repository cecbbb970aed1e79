import { isIP } from 'node:net';
import { IsOptional, type ValidationError, validateSync } from 'class-validator';
import { type Endpoint, FILE_PATH, type ListenAddress, parseEndpoint } from './endpoint.js';
import { fillSection, UNKNOWN_MARK, UNREADABLE } from './fill-section.js';
import { ownLineProblems } from './own-lines.js';
import {
  Choice,
  EndpointText,
  EndpointTexts,
  Flag,
  HostAddresses,
  ListenText,
  Section,
  Sections,
  Text,
  Texts,
  Whole,
} from './setting-rules.js';
import {
  ADDRESS,
  DATABASE_CLIENT,
  DATABASE_HOST,
  DATABASE_WORD,
  HOST_NAME,
  HTTP_URL,
  INSTANCE_NAME,
  LOOKUP_TABLE,
  OWN_LINE,
  RELAY_PASSWORD,
  RELAY_USER,
  SECRET,
  SERVER,
} from './text-forms.js';

const LOOPBACK = /^(127(\.\d+){3}|::1)$/;

class TlsSettings {
  @Text(FILE_PATH) certificateFile = '';
  @Text(FILE_PATH) keyFile = '';
}

/** The stored mail and its owner. The owner needs no entry in /etc/passwd. */
class MailSettings {
  @Text(FILE_PATH) root = '/var/vmail';
  @Whole(1, 65_533) uid = 5000;
  @Whole(1, 65_533) gid = 5000;
}

/** The second instance of Postfix, for submission. Only this instance uses the relays. */
class SubmissionInstanceSettings {
  @Text(FILE_PATH) configDirectory = '/etc/postfix-submission';
  @Text(FILE_PATH) queueDirectory = '/var/spool/postfix-submission';
  @Text(FILE_PATH) dataDirectory = '/var/lib/postfix-submission';
}

class PostfixSettings {
  @Text(FILE_PATH) configDirectory = '/etc/postfix';
  /** Null: the package's default. */
  @IsOptional() @Text(FILE_PATH) queueDirectory: string | null = null;
  @IsOptional() @Text(FILE_PATH) dataDirectory: string | null = null;
  @Section(() => new SubmissionInstanceSettings()) submissionInstance = new SubmissionInstanceSettings();
  /** The log file of both instances. Null: syslog. */
  @IsOptional() @Text(FILE_PATH) logFile: string | null = null;
  @ListenText() mx: ListenAddress = { host: null, port: 25 };
  @IsOptional() @ListenText() submission: ListenAddress | null = { host: null, port: 587 };
  @IsOptional() @ListenText() submissions: ListenAddress | null = { host: null, port: 465 };
  @Whole(1, 1024) messageSizeMb = 40;
  /** The operator's own lines, `name = value`, in main.cf of both instances. */
  @Texts(OWN_LINE, 0) extra: string[] = [];
  /** True renders own lines that are not on the list (`own-lines.ts`). */
  @Flag() unsupported = false;
}

class DoveadmSettings {
  @ListenText('127.0.0.1') address: ListenAddress = { host: '127.0.0.1', port: 2180 };
  @Text(SECRET) apiKey = '';
}

/** The versions of Dovecot that have templates. */
export type DovecotVersion = '2.3' | '2.4';

class DovecotSettings {
  /** `auto`: the version that is installed where the files are rendered. */
  @Choice('auto', '2.3', '2.4') version: 'auto' | DovecotVersion = 'auto';
  @Text(FILE_PATH) configDirectory = '/etc/dovecot';
  @Text(FILE_PATH) baseDirectory = '/run/dovecot';
  @Text(FILE_PATH) stateDirectory = '/var/lib/dovecot';
  /** Its own log, from which the policy daemon counts received mail. Null: syslog, and nothing received is counted. */
  @IsOptional() @Text(FILE_PATH) logFile: string | null = '/var/log/mailstead/dovecot.log';
  /** Whether what IMAP and POP3 send to clients counts as transfer too. */
  @Flag() countDownloads = false;
  /** Whether mail that an inbound milter marked as spam (`X-Spam: Yes`) is stored in Junk. */
  @Flag() junk = false;
  @Text(INSTANCE_NAME) instanceName = 'mailstead';
  /** The IMAP sessions that may be open at once, of all mailboxes together, and as many of POP3. */
  @Whole(100, 50_000) sessions = 8000;
  @IsOptional() @ListenText() imap: ListenAddress | null = { host: null, port: 143 };
  @IsOptional() @ListenText() imaps: ListenAddress | null = { host: null, port: 993 };
  /** POP3 with TLS. Null: no POP3. */
  @IsOptional() @ListenText() pop3s: ListenAddress | null = null;
  @EndpointText() lmtp: Endpoint = parseEndpoint('/var/spool/postfix/private/dovecot-lmtp');
  @EndpointText() sasl: Endpoint = parseEndpoint('/var/spool/postfix/private/dovecot-auth');
  @EndpointText() quotaStatus: Endpoint = parseEndpoint('/var/spool/postfix/private/dovecot-quota');
  @Section(() => new DoveadmSettings()) doveadm = new DoveadmSettings();
  /**
   * Webmail servers, on which nobody else runs programs: each may name any client's address. Their own address bounds
   * no logins and no connections.
   */
  @HostAddresses() trustedNetworks: string[] = [];
  /** As in Postfix's section, in dovecot.conf. */
  @Texts(OWN_LINE, 0) extra: string[] = [];
  @Flag() unsupported = false;
}

class DatabaseLogin {
  @Text(DATABASE_WORD) user: string;
  @Text(SECRET) password = '';

  constructor(user: string) {
    this.user = user;
  }
}

class DatabaseTlsSettings {
  /** The authorities that may have issued the certificate of the database. All users must be able to read it. */
  @Text(FILE_PATH) caFile = '/etc/ssl/certs/ca-certificates.crt';
}

class DatabaseSettings {
  @Text(DATABASE_HOST) host = '127.0.0.1';
  @Whole(1, 65_535) port = 3306;
  /** The server's unix socket, a second connection for Postfix. Null when the server is on another machine. */
  @IsOptional() @Text(FILE_PATH) socket: string | null = '/run/mysqld/mysqld.sock';
  @Text(DATABASE_WORD) name = 'mailstead';
  /** With it all connections are encrypted, and the certificate must be for `host`. Null: they are not encrypted. */
  @IsOptional() @Section(() => new DatabaseTlsSettings()) tls: DatabaseTlsSettings | null = null;
  /** The client hosts of the read-only users, as in MariaDB's account names. */
  @Texts(DATABASE_CLIENT, 1) clients = ['localhost', '127.0.0.1'];
  @Section(() => new DatabaseLogin('mailstead_postfix')) postfix = new DatabaseLogin('mailstead_postfix');
  @Section(() => new DatabaseLogin('mailstead_dovecot')) dovecot = new DatabaseLogin('mailstead_dovecot');
}

/** A relay for outbound mail, and its credentials. */
export class RelaySettings {
  /** `ses`: Amazon SES, which reads `X-SES-` header fields. All other ways out remove these fields. */
  @Choice('ses', 'other') kind: 'ses' | 'other' = 'other';
  @Text(SERVER) host = '';
  @Whole(1, 65_535) port = 587;
  @Text(RELAY_USER) username = '';
  @Text(RELAY_PASSWORD) password = '';
}

class RelayTlsSettings {
  @Choice('secure', 'encrypt') level: 'secure' | 'encrypt' = 'secure';
  @Text(FILE_PATH) caFile = '/etc/ssl/certs/ca-certificates.crt';
}

class ForwardingSettings {
  @Text(HOST_NAME) srsDomain = '';
  @Text(LOOKUP_TABLE) senderMap = 'tcp:127.0.0.1:10001';
  @Text(LOOKUP_TABLE) recipientMap = 'tcp:127.0.0.1:10002';
}

class ApiSettings {
  @Text(HTTP_URL) url = 'http://127.0.0.1:8080';
  /**
   * Where the policy daemon sends previews and counts by frames, while `url` names this machine. Null: by HTTP.
   */
  @IsOptional() @EndpointText() frames: Endpoint | null = parseEndpoint('127.0.0.1:10044');
}

/** What the doctor needs beside the settings of the servers. */
class DoctorSettings {
  /** Submits the messages, which count as its mail. Null: nothing is submitted, and the doctor says so. */
  @IsOptional() @Text(ADDRESS) mailbox: string | null = null;
  /** Contains the password of the mailbox; only root can read it. */
  @Text(FILE_PATH) passwordFile = '/etc/mailstead/doctor-password';
  /**
   * Contains `POLICY_TOKEN=`, with which the doctor reads what the mailbox's domain sent, and `METRICS_TOKEN=`, with
   * which it reads what the API warns of.
   */
  @Text(FILE_PATH) tokenFile = '/etc/mailstead/policyd.env';
  /** Gets the time of each whole pass of the program that holds mail. Null: the doctor does not look at it. */
  @IsOptional() @Text(FILE_PATH) holdsStamp: string | null = '/var/lib/mailstead-holds/last-pass';
  /** Gets the time of the last looks of the program that ends outages. Null: the doctor does not look at it. */
  @IsOptional() @Text(FILE_PATH) outagesState: string | null = '/run/mailstead-outages/state';
  /** The loopback port on which the doctor listens while it examines. */
  @ListenText('127.0.0.1') address: ListenAddress = { host: '127.0.0.1', port: 10_043 };
}

/** Settings for tests only. */
class TestSettings {
  /** Messages after which an smtpd process ends; 0: as Postfix has it. */
  @Whole(0, 1000) smtpdMaxUse = 0;
  @Flag() fastFailures = false;
}

/** All settings for the rendered files. `settings.example.json` shows the required ones. */
export class MailStackSettings {
  /** The public name of this mail server, and the first part of the policy daemon's message ids. */
  @Text(HOST_NAME) hostname = '';
  /**
   * Receives the mail to postmaster, abuse and root of this host. When it is an address of the platform, also the mail
   * to postmaster and abuse of each domain that has no such address of its own.
   */
  @Text(ADDRESS) postmaster = '';
  @Choice('all', 'ipv4', 'ipv6') ipVersions: 'all' | 'ipv4' | 'ipv6' = 'all';
  @Section(() => new TlsSettings()) tls = new TlsSettings();
  @Section(() => new MailSettings()) mail = new MailSettings();
  @Section(() => new PostfixSettings()) postfix = new PostfixSettings();
  @Section(() => new DovecotSettings()) dovecot = new DovecotSettings();
  @Section(() => new DatabaseSettings()) database = new DatabaseSettings();
  /** The first relay is used for all domains that are not in `mta_relay`. May be empty only without submission. */
  @Sections(() => new RelaySettings()) relays: RelaySettings[] = [];
  @Section(() => new RelayTlsSettings()) relayTls = new RelayTlsSettings();
  /** Null turns off aliases to outside addresses. */
  @IsOptional() @Section(() => new ForwardingSettings()) forwarding: ForwardingSettings | null = null;
  @EndpointText() policyd: Endpoint = parseEndpoint('127.0.0.1:10040');
  /**
   * Mailstead's milter, which checks the header and counts messages. May be null only without relays and forwarding.
   */
  @IsOptional() @EndpointText() milter: Endpoint | null = parseEndpoint('127.0.0.1:10041');
  /** The policy daemon's address for Dovecot, which decides when passwords are checked. Null: any number at once. */
  @IsOptional() @ListenText('127.0.0.1') logins: ListenAddress | null = { host: '127.0.0.1', port: 10_042 };
  /** Milters that Postfix uses before Mailstead's milter on submission. */
  @EndpointTexts() otherMilters: Endpoint[] = [];
  /** Milters on port 25, such as a spam filter. While one is unavailable, mail is accepted without it. */
  @EndpointTexts() inboundMilters: Endpoint[] = [];
  @Section(() => new ApiSettings()) api = new ApiSettings();
  @Section(() => new DoctorSettings()) doctor = new DoctorSettings();
  @Section(() => new TestSettings()) test = new TestSettings();
}

/** The settings file is invalid. The message lists every problem, one per line. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings of the mail stack are not right:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

/**
 * Reads and checks the parsed JSON of a settings file.
 *
 * @throws SettingsError with all problems.
 */
export function parseMailStackSettings(source: unknown): MailStackSettings {
  const settings = fillSection(new MailStackSettings(), source);
  if (settings === UNREADABLE) throw new SettingsError(['the settings must be an object']);
  const errors = validateSync(settings, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
  const problems = [...errors.flatMap((error) => problemsOf(error, '')), ...crossProblems(settings)];
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** Returns problems of several settings together. @param settings may have wrong values, whose problems are known. */
function crossProblems(settings: MailStackSettings): string[] {
  const { postfix, dovecot } = settings;
  if (!(postfix instanceof PostfixSettings) || !(dovecot instanceof DovecotSettings)) return [];
  return [
    ...relayProblems(settings),
    ...databaseProblems(settings),
    ...doctorProblems(settings),
    ...framesProblems(settings),
    ...ownLineProblems(settings),
  ];
}

/** The certificate is verified by the name, which a socket does not have. */
function databaseProblems({ database }: MailStackSettings): string[] {
  if (!(database instanceof DatabaseSettings) || database.tls === null) return [];
  return [
    ...(isIP(database.host) === 0 ? [] : ['database.host must be a host name with database.tls, not an address']),
    ...(database.socket === null ? [] : ['database.socket must be null with database.tls']),
  ];
}

/** Whoever listens at the doctor's address gets what is sent to the reserved name. */
function doctorProblems({ doctor }: MailStackSettings): string[] {
  if (!(doctor instanceof DoctorSettings) || typeof doctor.address !== 'object') return [];
  return LOOPBACK.test(doctor.address.host ?? '')
    ? []
    : ['doctor.address must be an address of the loopback, such as 127.0.0.1:10043'];
}

/** Frames are not encrypted. */
function framesProblems({ api }: MailStackSettings): string[] {
  const endpoint = api instanceof ApiSettings && typeof api.frames === 'object' ? api.frames : null;
  return endpoint === null || endpoint.kind !== 'inet' || LOOPBACK.test(endpoint.host)
    ? []
    : ['api.frames must be an address of the loopback, such as 127.0.0.1:10044, or the path of a unix socket'];
}

function problemsOf({ property, constraints = {}, children = [] }: ValidationError, parent: string): string[] {
  if (property.startsWith(UNKNOWN_MARK)) {
    return [`${parent}${property.slice(UNKNOWN_MARK.length)} is not a setting`];
  }
  // The path of a list entry is `list[index]`.
  const path = /^\d+$/.test(property) ? `${parent.slice(0, -1)}[${property}]` : `${parent}${property}`;
  const own = Object.values(constraints).map((message) => `${path} ${message}`);
  return [...own, ...children.flatMap((child) => problemsOf(child, `${path}.`))];
}

/**
 * Checks that the milter is set when mail may leave, that a submission service has a relay, and that the certificate of
 * each relay can be verified.
 */
function relayProblems({ postfix, relays, relayTls, forwarding, milter }: MailStackSettings): string[] {
  const problems: string[] = [];
  if (!Array.isArray(relays)) return problems;
  const submits = postfix.submission !== null || postfix.submissions !== null;
  if (submits && relays.length === 0) {
    problems.push('relays must be a list with at least one entry, as postfix.submission or postfix.submissions is on');
  }
  if (milter === null && (relays.length > 0 || forwarding !== null)) {
    problems.push('milter must not be null while there are relays or forwarding: it counts what leaves');
  }
  for (const [index, { host }] of relays.entries()) {
    if (relayTls?.level !== 'secure' || isIP(host) === 0) continue;
    problems.push(
      `relays[${index}].host must be a host name while relayTls.level is "secure": Postfix verifies no IP address`,
    );
  }
  return problems;
}
