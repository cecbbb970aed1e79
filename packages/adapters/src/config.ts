import { MAX_BCRYPT_COST } from '@mailstead/core/mailboxes/password';
import { TENANT_POLICIES, type TenantPolicy } from '@mailstead/core/relay/tenants/relay-tenants';
import type { ListenAddress } from '@mailstead/core/settings/listen-address';
import { type Environment, readSettings } from '@mailstead/core/settings/read-settings';
import {
  Checked,
  Choice,
  Days,
  Folder,
  Hours,
  HttpUrl,
  HttpUrls,
  LocalListenOrOff,
  Percent,
  Port,
  Seconds,
  Switch,
  Text,
  Whole,
} from '@mailstead/core/settings/rules';
import { type Field, Refusal, Setting } from '@mailstead/core/settings/setting';
import { redisOptionsOf } from './bullmq/redis-url.js';
import { listOf } from './config-lists.js';
import { problemsBetween } from './config-problems.js';
import { parseMysqlUrl } from './database/driver/mysql-url.js';
import { DEMO_SETTINGS } from './demo/demo-settings.js';
import { isHostName, NAME_SERVERS_FORM, nameServersOf } from './dns/server-settings.js';
import { RELAY_PROVIDERS, type RelayProviderName } from './relay/provider-settings.js';
import { hostOf, wrongPartIn } from './server-url.js';
import { areMailAddresses, checkSmtpUrl, isMailAddress } from './smtp/smtp-url.js';

/**
 * The settings of the API and the worker. Each is an environment variable in upper snake case (`dataDir` is
 * `DATA_DIR`).
 */
export class Config {
  /** The port of the API. */
  @Port() port = 8_080;

  /** The address the API listens on. */
  @Text(/^[A-Za-z0-9.:_-]{1,255}$/, 'must be an IP address or a host name') host = '127.0.0.1';

  /**
   * Seconds for which the API serves after SIGTERM before it closes its port. A balancer needs at least one, to notice
   * that the process is no longer ready.
   */
  @Seconds(0, 60) drainSeconds = 0;

  /**
   * Seconds for which the API keeps a connection without a request open. Longer than the proxy or balancer in front of
   * it does, so that this one closes first: a request that meets a closing connection is lost.
   */
  @Seconds(1, 7_200) keepAliveSeconds = 65;

  /** Multiplies the deadlines of the service, for a slow machine. */
  @Whole(1, 20) deadlineFactor = 1;

  /** The folder of the embedded database and the generated secrets. */
  @Folder() dataDir = './data';

  /**
   * The URL of a MariaDB database, 10.6 or later (MySQL 8 is untried). Without it, Mailstead uses an SQLite file in
   * `DATA_DIR`.
   */
  @ServerAddress(parseMysqlUrl)
  databaseUrl: string | null = null;

  /** The most connections from one process to the database. */
  @Whole(2, 500) databasePoolSize = 20;

  /**
   * The URL of Redis, for the job queues. Without it, jobs run in the API process. With sentinels:
   * `redis+sentinel://[user:password@]host[:26379],host2/<master name>?db=0&sentinel_user=…&sentinel_password=…`.
   */
  @ServerAddress(redisOptionsOf)
  redisUrl: string | null = null;

  /** Master tokens, separated by commas, at least 32 characters each, 8 of them different. */
  @Text() masterToken = '';

  /** Operator tokens, `name:scope:token`, separated by commas. */
  @Text() operatorTokens = '';

  /** The key for HMACs, the same on every replica, at least 32 characters. */
  @Text() secretKey = '';

  @Choice('error', 'warn', 'info', 'debug') logLevel = 'info';

  /** The cost of bcrypt for mailbox passwords. */
  @Whole(4, MAX_BCRYPT_COST) bcryptCost = 10;

  /** Whether aliases may deliver outside the partner's domains. */
  @Switch() allowExternalForward = false;

  /** The most storage a client may give a mailbox of a domain without a plan, megabytes. */
  @Whole(1, 10_485_760) clientMaxQuotaMb = 10_240;

  /** The mail that stops when a domain reaches its transfer cap: outbound only, or both directions. */
  @Choice('outbound', 'both') transferCapScope = 'outbound';

  /** Hours between lowering a retention and the first purge with the new value. */
  @Hours(0, 8_760) retentionGraceHours = 24;

  /** Days between a retention that a plan or the billing scope lowers, and the first purge with the new value. */
  @Days(0, 365) planRetentionGraceDays = 14;

  /** The most domains whose retention may be newly lowered in one purge; 0: any number. */
  @Whole(0, 1_000_000) purgeBrake = 50;

  /** Days after which a client's domain that was never open is removed; 0: never. */
  @Days(0, 3_650) pendingDomainDays = 30;

  /** Days that rows of the audit log are kept; 0: for ever. */
  @Days(0, 36_500) auditDays = 400;

  /** Days that events are in the feed (`GET /events`), at most `auditDays`. */
  @Days(1, 36_500) eventsDays = 90;

  /** Days that the trails of messages are kept; 0: nothing is kept. */
  @Days(0, 30) trailDays = 5;

  /** Days that the stored mail of a deleted mailbox is kept. */
  @Days(0, 365) deletedMailGraceDays = 7;

  /** Bounces in percent of sent messages; a domain that reaches it is blocked. */
  @Percent(0.1) bounceRateLimit = 3;

  /** The bounce rate can block a domain from this many sent messages on, or from ten bounces on. */
  @Whole(1, 1_000_000) bounceMinSent = 50;

  /**
   * Complaints in percent of sent messages; a domain that reaches it is blocked. With 0, complaints are only counted.
   */
  @Percent(0) complaintRateLimit = 0;

  /** Whether Mailstead runs the schedules. With `off`, the operator starts them, for example with cron. */
  @Switch() schedules = true;

  /** Whether a domain must also publish the ownership record to become `verified`. */
  @Switch() ownershipRequired = false;

  @Choice(...RELAY_PROVIDERS) relayProvider: RelayProviderName = 'sandbox';

  /** How long the sandbox takes to verify a domain, seconds. */
  @Seconds(0, 86_400) sandboxVerifyAfter = 5;

  /** The URL of the SES API, when it is not AWS's endpoint of the region. */
  @HttpUrl('https://email.eu-west-1.amazonaws.com') sesEndpoint: string | null = null;

  @Text(/^[a-z]+(-[a-z]+)+-\d+$/, 'must be a region like eu-west-1, without the letter of a zone') awsRegion:
    | string
    | null = null;

  /** The ARNs of the SNS topics whose relay events are accepted, separated by commas. */
  @Text() snsTopicArns = '';

  /** The configuration set of SES that publishes the events of our mail to these topics. */
  @Text(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 _ -')
  sesConfigurationSet: string | null = null;

  /** Whether each partner has a tenant of its own at SES. */
  @Switch() sesTenants = false;

  /** What SES does with a tenant whose mail harms its reputation. */
  @Choice(...TENANT_POLICIES) sesTenantPolicy: TenantPolicy = 'standard';

  /** The secret that signs the sandbox's relay events: `whsec_` and at least 24 bytes in base64. */
  @Text() relayWebhookSecret: string | null = null;

  /** The URL that notifications are posted to. */
  @HttpUrl('https://hooks.example.com/mailstead') notifyWebhookUrl: string | null = null;

  /** The secret that signs posted notifications: `whsec_` and at least 24 bytes in base64. */
  @Text() notifyWebhookSecret: string | null = null;

  /** Whether notifications may be posted to private IP addresses, such as a receiver in the same network. */
  @Switch() notifyAllowPrivate = false;

  /** Networks that webhooks of partners never reach, such as our own public ones: CIDRs, separated by commas. */
  @Text() webhookDeny = '';

  /** The mail server for notifications, `smtp://user:password@host:587`. */
  @ServerAddress(checkSmtpUrl) notifySmtpUrl: string | null = null;

  @Checked(isMailAddress, 'must be an address like mailstead@example.com or Mailstead <mailstead@example.com>')
  notifyEmailFrom: string | null = null;

  @Checked(areMailAddresses, 'must be one address or several, separated by commas, like operators@example.com')
  notifyEmailTo: string | null = null;

  /** The MX hosts that customers' domains should name, separated by commas. */
  @Checked(
    (text) => listOf(text).every(isHostName),
    'each must be the name of a host like mx1.example.com, without a priority, not an address',
  )
  mxHosts = '';

  /**
   * Names that only master may create, with all names below them, separated by commas: `gmail.com`, or `yahoo.*` for
   * every public suffix. `none` for no names. Unset: the large mailbox providers (`reserved-names-of.ts`).
   */
  @Text() reservedNames: string | null = null;

  /** The domain that customers' SPF records should include. */
  @Checked(isHostName, 'must be the name of a domain like spf.example.com, without include: or a whole record')
  spfInclude: string | null = null;

  /** DNS resolvers, `ip` or `ip:port`, separated by commas. When empty, the resolvers of the system. */
  @Checked((text) => nameServersOf(text) !== null, NAME_SERVERS_FORM)
  dnsServers = '';

  /**
   * The server for reading mail by IMAP, `host:port`, or `host:port/tls` and `host:port/starttls` on another port than
   * usual.
   */
  @Text() mailImap: string | null = null;

  /** The server for reading mail by POP3, in the same form. */
  @Text() mailPop3: string | null = null;

  /** The server for sending mail, in the same form. */
  @Text() mailSubmission: string | null = null;

  /** A token that is accepted for `GET /metrics` only. */
  @Text(/^[A-Za-z0-9._~+=-]{16,255}$/, 'must have 16 to 255 of A-Z a-z 0-9 . _ ~ + = -')
  metricsToken: string | null = null;

  /** The port of the worker's `/health`, `/health/ready` and `/metrics`. Without it, the worker opens no port. */
  @Port(1) workerPort: number | null = null;

  /** The address for the policy daemon's frames, which are not encrypted; null with `off`. */
  @LocalListenOrOff() policyApiListen: ListenAddress | null = null;

  /** The requests per second of a partner; 0 limits nothing. */
  @Whole(0, 1_000_000) rateLimit = 100;

  /** The wrong tokens per minute of an IP address, or of an IPv6 /64 network; 0 limits nothing. */
  @Whole(0, 1_000_000) authFailuresPerMinute = 30;

  /** The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count: addresses and networks, separated by commas. */
  @Text() trustProxy = '';

  /**
   * The address under which browsers reach the API, like https://mail.example.com. Sessions are then accepted from
   * pages of this origin only, and links to the portal begin with it.
   */
  @Checked(
    (text) => /^https:\/\/[^/?#@\s]+\/?$/.test(text) && isReachable(text),
    'must be an https origin like https://mail.example.com',
  )
  publicUrl: string | null = null;

  /** Hours after which a session of the portal ends when it is not used; sessions of operators end after one. */
  @Hours(1, 168) sessionIdleHours = 12;

  /** The store that mail is removed from by retention and after deletion. */
  @Choice('none', 'maildir', 'dovecot') mailStore: 'none' | 'maildir' | 'dovecot' = 'none';

  /** The folder that contains the mailbox homes. */
  @Text(/^\//, 'must be an absolute path') maildirRoot: string | null = null;

  /**
   * Dovecot's doveadm HTTP API on each mail server, like `http://127.0.0.1:2180/doveadm/v1`, separated by commas.
   * Dovecot answers no other path. Open sessions are ended on each; stored mail is purged and measured by the first.
   */
  @HttpUrls('http://127.0.0.1:2180/doveadm/v1', hasPath) doveadmUrl: readonly string[] | null = null;

  /** Dovecot's `doveadm_api_key`, the same on each server. */
  @Text() doveadmApiKey: string | null = null;
}

/**
 * Reads and checks all settings.
 *
 * @throws SettingsError that lists all wrong variables
 */
export function readConfig(environment: Environment = process.env): Readonly<Config> {
  return readSettings(Config, environment, problemsBetween);
}

/** The same for a demo, with what it sets itself. @throws SettingsError that lists all wrong variables */
export function readDemoConfig(): Readonly<Config> {
  return readConfig({ ...DEMO_SETTINGS, ...process.env });
}

/** Whether browsers can be sent to a URL: its host is a name or an address, and its port is one. */
function isReachable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, port } = new URL(url);
  return hostOf(hostname) !== null && port !== '0';
}

function hasPath({ pathname }: URL): boolean {
  return pathname !== '/';
}

/** The URL of a server. The reason names the wrong part. */
function ServerAddress(check: (url: string) => unknown): Field<string> {
  return Setting((given) => {
    const reason = wrongPartIn(() => check(String(given)));
    return reason === null ? String(given) : new Refusal(reason, given);
  });
}
