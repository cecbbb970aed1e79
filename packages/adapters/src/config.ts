import 'reflect-metadata';
import { MAX_BCRYPT_COST } from '@mailstead/core/mailboxes/password';
import { IsIn, IsInt, IsNumber, IsOptional, IsString, Matches, Max, Min, validateSync } from 'class-validator';
import { problemsBetween, variableOf } from './config-problems.js';
import { RELAY_PROVIDERS, type RelayProviderName } from './relay/provider-settings.js';

/**
 * The settings of the API and the worker. Each is an environment variable in upper snake case (`dataDir` is
 * `DATA_DIR`).
 */
export class Config {
  /** The port of the API. */
  @IsInt() @Min(0) @Max(65_535) port = 8_080;

  /** The address the API listens on. */
  @IsString() host = '127.0.0.1';

  /**
   * Seconds for which the API serves after SIGTERM before it closes its port. A balancer needs at least one, to notice
   * that the process is no longer ready.
   */
  @IsInt() @Min(0) @Max(60) drainSeconds = 0;

  /** The folder of the embedded database and the generated secrets. */
  @IsString() dataDir = './data';

  /**
   * The URL of a MariaDB database, 10.6 or later (MySQL 8 is untried). Without it, Mailstead uses an SQLite file in
   * `DATA_DIR`.
   */
  @IsOptional()
  @Matches(/^(mysql|mariadb):\/\/[^/]+\/[A-Za-z0-9_-]+$/, {
    message: 'must be like mysql://user:password@host:3306/database',
  })
  databaseUrl: string | null = null;

  /** The most connections from one process to the database. */
  @IsInt() @Min(2) @Max(500) databasePoolSize = 20;

  /** The URL of Redis, for the job queues. Without it, jobs run in the API process. */
  @IsOptional()
  @Matches(/^rediss?:\/\/.+/, { message: 'must be like redis://host:6379' })
  redisUrl: string | null = null;

  /** Master tokens, separated by commas, at least 32 characters each, 8 of them different. */
  @IsString() masterToken = '';

  /** Operator tokens, `name:scope:token`, separated by commas. */
  @IsString() operatorTokens = '';

  /** The key for HMACs, the same on every replica, at least 32 characters. */
  @IsString() secretKey = '';

  @IsIn(['error', 'warn', 'info', 'debug']) logLevel = 'info';

  /** The cost of bcrypt for mailbox passwords. */
  @IsInt() @Min(4) @Max(MAX_BCRYPT_COST) bcryptCost = 10;

  /** Whether aliases may deliver outside the partner's domains. */
  @IsIn([true, false]) allowExternalForward = false;

  /** The most storage a client may give a mailbox of a domain without a plan, megabytes. */
  @IsInt() @Min(1) @Max(10_485_760) clientMaxQuotaMb = 10_240;

  /** The mail that stops when a domain reaches its transfer cap: outbound only, or both directions. */
  @IsIn(['outbound', 'both']) transferCapScope = 'outbound';

  /** Hours between lowering a retention and the first purge with the new value. */
  @IsInt() @Min(0) @Max(8_760) retentionGraceHours = 24;

  /** Days between a retention that a plan or the billing scope lowers, and the first purge with the new value. */
  @IsInt() @Min(0) @Max(365) planRetentionGraceDays = 14;

  /** The most domains whose retention may be newly lowered in one purge; 0: any number. */
  @IsInt() @Min(0) @Max(1_000_000) purgeBrake = 50;

  /** Days after which a client's domain that was never open is removed; 0: never. */
  @IsInt() @Min(0) @Max(3_650) pendingDomainDays = 30;

  /** Days that rows of the audit log are kept; 0: for ever. */
  @IsInt() @Min(0) @Max(36_500) auditDays = 400;

  /** Days that events are in the feed (`GET /events`), at most `auditDays`. */
  @IsInt() @Min(1) @Max(36_500) eventsDays = 90;

  /** Days that the stored mail of a deleted mailbox is kept. */
  @IsInt() @Min(0) @Max(365) deletedMailGraceDays = 7;

  /** Bounces in percent of sent messages; a domain that reaches it is blocked. */
  @IsNumber() @Min(0.1) @Max(100) bounceRateLimit = 3;

  /** The bounce rate can block a domain from this many sent messages on, or from ten bounces on. */
  @IsInt() @Min(1) @Max(1_000_000) bounceMinSent = 50;

  /**
   * Complaints in percent of sent messages; a domain that reaches it is blocked. With 0, complaints are only counted.
   */
  @IsNumber() @Min(0) @Max(100) complaintRateLimit = 0;

  /** Whether Mailstead runs the schedules. With `off`, the operator starts them, for example with cron. */
  @IsIn([true, false]) schedules = true;

  /** Whether a domain must also publish the ownership record to become `verified`. */
  @IsIn([true, false]) ownershipRequired = false;

  @IsIn(RELAY_PROVIDERS) relayProvider: RelayProviderName = 'sandbox';

  /** How long the sandbox takes to verify a domain, seconds. */
  @IsInt() @Min(0) @Max(86_400) sandboxVerifyAfter = 5;

  /** The URL of the SES API, when it is not AWS's endpoint of the region. */
  @IsOptional() @Matches(/^https?:\/\/.+/, { message: 'must be a URL' }) sesEndpoint: string | null = null;

  @IsOptional() @Matches(/^[a-z0-9-]+$/) awsRegion: string | null = null;

  /** The ARNs of the SNS topics whose relay events are accepted, separated by commas. */
  @IsString() snsTopicArns = '';

  /** The configuration set of SES that publishes the events of our mail to these topics. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9_-]{1,64}$/, { message: 'must have 1 to 64 of A-Z a-z 0-9 _ -' })
  sesConfigurationSet: string | null = null;

  /** The secret that signs the sandbox's relay events: `whsec_` and at least 24 bytes in base64. */
  @IsOptional() @IsString() relayWebhookSecret: string | null = null;

  /** The URL that notifications are posted to. */
  @IsOptional() @Matches(/^https?:\/\/.+/, { message: 'must be a URL' }) notifyWebhookUrl: string | null = null;

  /** The secret that signs posted notifications: `whsec_` and at least 24 bytes in base64. */
  @IsOptional() @IsString() notifyWebhookSecret: string | null = null;

  /** Whether notifications may be posted to private IP addresses, such as a receiver in the same network. */
  @IsIn([true, false]) notifyAllowPrivate = false;

  /** The mail server for notifications, `smtp://user:password@host:587`. */
  @IsOptional() @Matches(/^smtps?:\/\/.+/, { message: 'must be like smtp://host:587' }) notifySmtpUrl: string | null =
    null;

  @IsOptional() @IsString() notifyEmailFrom: string | null = null;

  @IsOptional() @IsString() notifyEmailTo: string | null = null;

  /** The MX hosts that customers' domains should name, separated by commas. */
  @IsString() mxHosts = '';

  /**
   * Names that only master may create, with all names below them, separated by commas: `gmail.com`, or `yahoo.*` for
   * every public suffix. `none` for no names. Unset: the large mailbox providers (`reserved-names-of.ts`).
   */
  @IsOptional() @IsString() reservedNames: string | null = null;

  /** The domain that customers' SPF records should include. */
  @IsOptional() @IsString() spfInclude: string | null = null;

  /** DNS resolvers, `ip` or `ip:port`, separated by commas. When empty, the resolvers of the system. */
  @IsString() dnsServers = '';

  /**
   * The server for reading mail by IMAP, `host:port`, or `host:port/tls` and `host:port/starttls` on another port than
   * usual.
   */
  @IsOptional() @IsString() mailImap: string | null = null;

  /** The server for reading mail by POP3, in the same form. */
  @IsOptional() @IsString() mailPop3: string | null = null;

  /** The server for sending mail, in the same form. */
  @IsOptional() @IsString() mailSubmission: string | null = null;

  /** A token that is accepted for `GET /metrics` only. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9._~+=-]{16,255}$/, { message: 'must have 16 to 255 of A-Z a-z 0-9 . _ ~ + = -' })
  metricsToken: string | null = null;

  /** The port of the worker's `/health`, `/health/ready` and `/metrics`. Without it, the worker opens no port. */
  @IsOptional() @IsInt() @Min(1) @Max(65_535) workerPort: number | null = null;

  /** The requests per second of a partner; 0 limits nothing. */
  @IsInt() @Min(0) @Max(1_000_000) rateLimit = 100;

  /** The wrong tokens per minute of an IP address, or of an IPv6 /64 network; 0 limits nothing. */
  @IsInt() @Min(0) @Max(1_000_000) authFailuresPerMinute = 30;

  /** The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count: addresses and networks, separated by commas. */
  @IsString() trustProxy = '';

  /**
   * The address under which browsers reach the API, like https://mail.example.com. Sessions are then accepted from
   * pages of this origin only, and links to the portal begin with it.
   */
  @IsOptional()
  @Matches(/^https:\/\/[^/?#@\s]+\/?$/, { message: 'must be an https origin like https://mail.example.com' })
  publicUrl: string | null = null;

  /** Hours after which a session of the portal ends when it is not used; sessions of operators end after one. */
  @IsInt() @Min(1) @Max(168) sessionIdleHours = 12;

  /** The store that mail is removed from by retention and after deletion. */
  @IsIn(['none', 'maildir', 'dovecot']) mailStore: 'none' | 'maildir' | 'dovecot' = 'none';

  /** The folder that contains the mailbox homes. */
  @IsOptional() @Matches(/^\//, { message: 'must be an absolute path' }) maildirRoot: string | null = null;

  /** Dovecot's doveadm HTTP API, like `http://127.0.0.1:2180/doveadm/v1`. */
  @IsOptional() @Matches(/^https?:\/\/.+/, { message: 'must be a URL' }) doveadmUrl: string | null = null;

  @IsOptional() @IsString() doveadmApiKey: string | null = null;
}

/** Parsers of environment variables. A setting without a parser stays text. */
const READ_AS: Partial<Record<keyof Config, (text: string) => unknown>> = {
  port: Number,
  drainSeconds: Number,
  databasePoolSize: Number,
  bcryptCost: Number,
  allowExternalForward: readSwitch,
  clientMaxQuotaMb: Number,
  retentionGraceHours: Number,
  planRetentionGraceDays: Number,
  purgeBrake: Number,
  pendingDomainDays: Number,
  auditDays: Number,
  eventsDays: Number,
  deletedMailGraceDays: Number,
  bounceRateLimit: Number,
  bounceMinSent: Number,
  complaintRateLimit: Number,
  schedules: readSwitch,
  ownershipRequired: readSwitch,
  sandboxVerifyAfter: Number,
  notifyAllowPrivate: readSwitch,
  workerPort: Number,
  rateLimit: Number,
  authFailuresPerMinute: Number,
  sessionIdleHours: Number,
};

/**
 * Reads and checks all settings.
 *
 * @throws ConfigError that lists all wrong variables
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Readonly<Config> {
  const config = new Config();
  for (const name of Object.keys(config) as (keyof Config)[]) {
    const text = environment[variableOf(name)]?.trim();
    if (text !== undefined && text !== '') Reflect.set(config, name, (READ_AS[name] ?? String)(text));
  }
  const problems = validateSync(config).map(
    ({ property, constraints }) =>
      `${variableOf(property)}: ${Object.values(constraints ?? {})
        .join('; ')
        .replaceAll(`${property} `, '')}`,
  );
  problems.push(...problemsBetween(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

function readSwitch(text: string): unknown {
  if (['true', 'on', 'yes', '1'].includes(text.toLowerCase())) return true;
  if (['false', 'off', 'no', '0'].includes(text.toLowerCase())) return false;
  return text;
}
