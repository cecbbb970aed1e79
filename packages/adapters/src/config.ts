import 'reflect-metadata';
import { OPERATOR_SCOPES, type OperatorScope } from '@mailstead/core/operators/caller';
import { IsIn, IsInt, IsNumber, IsOptional, IsString, Matches, Max, Min, validateSync } from 'class-validator';
import type { OperatorToken } from './crypto/operator-tokens.js';
import { missingSettings, RELAY_PROVIDERS, type RelayProviderName } from './relay/provider-settings.js';

const MIN_TOKEN_LENGTH = 32;
const TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/;

/**
 * The settings of the API and the worker. Each is an environment variable in upper snake case (`dataDir` is
 * `DATA_DIR`).
 */
export class Config {
  /** The port of the API. */
  @IsInt() @Min(0) @Max(65_535) port = 8_080;

  /** The address the API listens on. */
  @IsString() host = '127.0.0.1';

  /** The folder of the embedded database and the generated secrets. */
  @IsString() dataDir = './data';

  /** The URL of a MariaDB or MySQL database. Without it, Mailstead uses an SQLite file in `DATA_DIR`. */
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

  /** Master tokens, separated by commas, at least 32 characters each. */
  @IsString() masterToken = '';

  /** Operator tokens, `name:scope:token`, separated by commas. */
  @IsString() operatorTokens = '';

  /** The key for HMACs, the same on every replica, at least 32 characters. */
  @IsString() secretKey = '';

  @IsIn(['error', 'warn', 'info', 'debug']) logLevel = 'info';

  /** The cost of bcrypt for mailbox passwords. */
  @IsInt() @Min(4) @Max(14) bcryptCost = 10;

  /** Whether aliases may deliver outside the partner's domains. */
  @IsIn([true, false]) allowExternalForward = false;

  /** The most storage a client may give a mailbox of a domain without a plan, megabytes. */
  @IsInt() @Min(1) @Max(10_485_760) clientMaxQuotaMb = 10_240;

  /** The mail that stops when a domain reaches its transfer cap: outbound only, or both directions. */
  @IsIn(['outbound', 'both']) transferCapScope = 'outbound';

  /** Hours between lowering a retention and the first purge with the new value. */
  @IsInt() @Min(0) @Max(8_760) retentionGraceHours = 24;

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

  /** The secret that signs the sandbox's relay events, `whsec_…`. */
  @IsOptional()
  @Matches(/^whsec_[A-Za-z0-9+/]+=*$/, { message: 'must be whsec_ and base64' })
  relayWebhookSecret: string | null = null;

  /** The URL that notifications are posted to. */
  @IsOptional() @Matches(/^https?:\/\/.+/, { message: 'must be a URL' }) notifyWebhookUrl: string | null = null;

  /** The secret that signs posted notifications, `whsec_…`. */
  @IsOptional()
  @Matches(/^whsec_[A-Za-z0-9+/]+=*$/, { message: 'must be whsec_ and base64' })
  notifyWebhookSecret: string | null = null;

  /** Whether notifications may be posted to private IP addresses, such as a receiver in the same network. */
  @IsIn([true, false]) notifyAllowPrivate = false;

  /** The mail server for notifications, `smtp://user:password@host:587`. */
  @IsOptional() @Matches(/^smtps?:\/\/.+/, { message: 'must be like smtp://host:587' }) notifySmtpUrl: string | null =
    null;

  @IsOptional() @IsString() notifyEmailFrom: string | null = null;

  @IsOptional() @IsString() notifyEmailTo: string | null = null;

  /** The MX hosts that customers' domains should name, separated by commas. */
  @IsString() mxHosts = '';

  /** The domain that customers' SPF records should include. */
  @IsOptional() @IsString() spfInclude: string | null = null;

  /** DNS resolvers, `ip` or `ip:port`, separated by commas. When empty, the resolvers of the system. */
  @IsString() dnsServers = '';

  /** A token that is accepted for `GET /metrics` only. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9._~+=-]{16,255}$/, { message: 'must have 16 to 255 of A-Z a-z 0-9 . _ ~ + = -' })
  metricsToken: string | null = null;

  /** The port of the worker's `/health`, `/health/ready` and `/metrics`. Without it, the worker opens no port. */
  @IsOptional() @IsInt() @Min(1) @Max(65_535) workerPort: number | null = null;

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
  databasePoolSize: Number,
  bcryptCost: Number,
  allowExternalForward: readSwitch,
  clientMaxQuotaMb: Number,
  retentionGraceHours: Number,
  deletedMailGraceDays: Number,
  bounceRateLimit: Number,
  bounceMinSent: Number,
  complaintRateLimit: Number,
  schedules: readSwitch,
  ownershipRequired: readSwitch,
  sandboxVerifyAfter: Number,
  notifyAllowPrivate: readSwitch,
  workerPort: Number,
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
  problems.push(...crossProblems(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** `dataDir` → `DATA_DIR`. */
function variableOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** @returns the master and operator tokens, each with its caller */
export function operatorTokensOf(config: Readonly<Config>): OperatorToken[] {
  const masters = listOf(config.masterToken).map((token, index) => {
    return { token, caller: { kind: 'master' as const, name: index === 0 ? 'master' : `master-${index + 1}` } };
  });
  const operators = listOf(config.operatorTokens).map((entry) => {
    const [name = '', scope = '', ...rest] = entry.split(':');
    return { token: rest.join(':'), caller: { kind: 'operator' as const, name, scope: scope as OperatorScope } };
  });
  return [...masters, ...operators];
}

function readSwitch(text: string): unknown {
  if (['true', 'on', 'yes', '1'].includes(text.toLowerCase())) return true;
  if (['false', 'off', 'no', '0'].includes(text.toLowerCase())) return false;
  return text;
}

function crossProblems(config: Config): string[] {
  const problems: string[] = [];
  const demand = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem);
  };
  const masters = listOf(config.masterToken);
  demand(
    masters.every((token) => token.length >= MIN_TOKEN_LENGTH),
    `MASTER_TOKEN: each token must have at least ${MIN_TOKEN_LENGTH} characters`,
  );
  if (config.databaseUrl !== null) {
    demand(masters.length > 0, 'MASTER_TOKEN: is required with DATABASE_URL');
    demand(config.secretKey !== '', 'SECRET_KEY: is required with DATABASE_URL, the same on every replica');
  }
  demand(
    config.secretKey === '' || config.secretKey.length >= MIN_TOKEN_LENGTH,
    `SECRET_KEY: must have at least ${MIN_TOKEN_LENGTH} characters`,
  );
  demand(
    config.redisUrl === null || config.databaseUrl !== null,
    'REDIS_URL: needs DATABASE_URL, since a worker cannot share the embedded database',
  );
  problems.push(...operatorProblems(config));
  problems.push(...relayProblems(config));
  demand(
    listOf(config.snsTopicArns).every((arn) => TOPIC_ARN.test(arn)),
    'SNS_TOPIC_ARNS: each must be like arn:aws:sns:eu-west-1:123456789012:topic',
  );
  demand(
    config.notifyWebhookUrl === null || config.notifyWebhookSecret !== null,
    'NOTIFY_WEBHOOK_SECRET: is required with NOTIFY_WEBHOOK_URL',
  );
  demand(config.workerPort === null || config.metricsToken !== null, 'METRICS_TOKEN: is required with WORKER_PORT');
  const mail = [config.notifySmtpUrl, config.notifyEmailFrom, config.notifyEmailTo];
  demand(
    mail.every((each) => each === null) || mail.every((each) => each !== null),
    'NOTIFY_SMTP_URL, NOTIFY_EMAIL_FROM and NOTIFY_EMAIL_TO: set all three or none',
  );
  demand(
    config.mailStore !== 'maildir' || config.maildirRoot !== null,
    'MAILDIR_ROOT: is required with MAIL_STORE=maildir',
  );
  demand(
    config.mailStore !== 'dovecot' || (config.doveadmUrl !== null && config.doveadmApiKey !== null),
    'DOVEADM_URL and DOVEADM_API_KEY: are required with MAIL_STORE=dovecot',
  );
  return problems;
}

/** @returns a sentence for each setting that the relay provider requires and that is not set */
export function relayProblems(config: Readonly<Config>): string[] {
  return missingSettings(config).map(
    (setting) => `${variableOf(setting)}: is required with RELAY_PROVIDER=${config.relayProvider}`,
  );
}

function operatorProblems(config: Config): string[] {
  const problems: string[] = [];
  for (const { token, caller } of operatorTokensOf(config)) {
    if (caller.kind !== 'operator') continue;
    const label = `OPERATOR_TOKENS (${caller.name === '' ? 'an entry without a name' : caller.name})`;
    if (!/^[A-Za-z0-9._-]{1,64}$/.test(caller.name))
      problems.push(`${label}: the name must have 1 to 64 of A-Z a-z 0-9 . _ -`);
    if (!OPERATOR_SCOPES.includes(caller.scope))
      problems.push(`${label}: the scope must be one of ${OPERATOR_SCOPES.join(', ')}`);
    if (token.length < MIN_TOKEN_LENGTH)
      problems.push(`${label}: the token must have at least ${MIN_TOKEN_LENGTH} characters`);
  }
  const entries = operatorTokensOf(config);
  if (new Set(entries.map(({ token }) => token)).size < entries.length)
    problems.push('OPERATOR_TOKENS: every token, master ones included, must differ');
  if (new Set(entries.map(({ caller }) => caller.name)).size < entries.length)
    problems.push('OPERATOR_TOKENS: every name must differ');
  return problems;
}
