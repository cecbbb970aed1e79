import {
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  type ValidationOptions,
  validateSync,
} from 'class-validator';

/** The address that a server listens on: `host:port` or `unix:/path`. */
export type ListenAddress = { host: string; port: number } | { path: string };

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** All settings of the billing process, one environment variable each, in upper snake case. */
export class BillingConfig {
  /** A restricted key that may read subscriptions, prices and invoices is enough: the process only reads. */
  @Matches(/^[rs]k_[A-Za-z0-9_]{8,250}$/, { message: 'must be a secret or restricted key of Stripe (sk_… or rk_…)' })
  stripeApiKey = '';

  @Matches(/^whsec_[A-Za-z0-9+/=_-]{8,250}$/, {
    message: 'must be the signing secret of the webhook endpoint (whsec_…)',
  })
  stripeWebhookSecret = '';

  @IsStripeBase({ message: 'must be an https URL, or an http URL of this machine, without a path' })
  stripeApiBase = 'https://api.stripe.com';

  @IsApiUrl({ message: 'must be the URL of the API, such as http://127.0.0.1:8080' }) mailsteadUrl = '';

  @Matches(/^[A-Za-z0-9._~+/=-]{16,512}$/, { message: 'must be an operator token of scope billing' }) billingToken = '';

  /** The address of the webhook's port. */
  @Matches(/^[A-Za-z0-9.:_-]{1,255}$/, { message: 'must be an IP address or a host name' }) host = '127.0.0.1';

  /** The port of the webhook and of `/health`. */
  @IsInt(PORT_RULE()) @Min(0, PORT_RULE()) @Max(65_535, PORT_RULE()) billingPort = 8090;

  /** The folder of `state.json` and of the locks. Sockets in it have paths of at most 107 bytes. */
  @MaxLength(60, { message: 'must be a path of at most 60 characters' }) billingDataDir = './billing-data';

  /** The age of the latest invoice, in days, from which a subscription that is past due suspends its domain. */
  @IsInt(DAYS_RULE()) @Min(0, DAYS_RULE()) @Max(365, DAYS_RULE()) billingGraceDays = 7;

  /** Minutes from the end of one comparison of all subscriptions to the next. */
  @IsInt(MINUTES_RULE()) @Min(1, MINUTES_RULE()) @Max(1_440, MINUTES_RULE()) billingReconcileMinutes = 60;

  /** The address of `/metrics` and of the `/health` that lists the alarms; null with `off`. */
  @IsOptional() @IsObject({ message: 'must be host:port or unix:/path' }) metricsListen: ListenAddress | null = null;

  @IsIn(['error', 'warn', 'info', 'debug'], { message: 'must be one of error, warn, info, debug' }) logLevel = 'info';
}

/**
 * Parsers for variables that are not plain text. A parser returns the text unchanged when it is invalid; validation
 * then rejects it.
 */
const READ_AS: Partial<Record<keyof BillingConfig, (text: string) => unknown>> = {
  billingPort: readInteger,
  billingGraceDays: readInteger,
  billingReconcileMinutes: readInteger,
  metricsListen: (text) => (text === 'off' ? null : readListenAddress(text)),
};

/** The message lists every invalid variable, never its value. */
export class BillingConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'BillingConfigError';
  }
}

/**
 * Reads and checks all settings.
 *
 * @throws BillingConfigError that lists every invalid variable.
 */
export function readBillingConfig(
  environment: Record<string, string | undefined> = process.env,
): Readonly<BillingConfig> {
  const config = new BillingConfig();
  for (const name of Object.keys(config) as (keyof BillingConfig)[]) {
    const text = environment[variableOf(name)]?.trim() ?? '';
    if (text !== '') Reflect.set(config, name, (READ_AS[name] ?? String)(text));
  }
  const problems = validateSync(config, { stopAtFirstError: true }).map(
    ({ property, constraints }) => `${variableOf(property)}: ${Object.values(constraints ?? {}).join('; ')}`,
  );
  const { metricsListen: metrics } = config;
  if (metrics !== null && 'port' in metrics && metrics.port !== 0 && metrics.port === config.billingPort) {
    problems.push('METRICS_LISTEN: must have another port than BILLING_PORT, which Stripe reaches');
  }
  if (problems.length > 0) throw new BillingConfigError(problems);
  return Object.freeze(config);
}

/** `billingPort` → `BILLING_PORT`. */
export function variableOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function readInteger(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function readListenAddress(text: string): ListenAddress | string {
  const path = /^unix:(\/.+)$/.exec(text)?.[1];
  if (path !== undefined) return { path };
  const [, host, port] = /^(?:\[?([^[\]]+)\]?:)(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535) return text;
  return { host, port: Number(port) };
}

function PORT_RULE() {
  return { message: 'must be a port, 0 to 65535' };
}

function DAYS_RULE() {
  return { message: 'must be whole days, 0 to 365' };
}

function MINUTES_RULE() {
  return { message: 'must be whole minutes, 1 to 1440' };
}

function IsApiUrl(options: ValidationOptions): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value);
  return ValidateBy({ name: 'isApiUrl', validator: { validate } }, options);
}

/** Stripe's key must not leave the machine unencrypted. */
function IsStripeBase(options: ValidationOptions): PropertyDecorator {
  const validate = (value: unknown) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return false;
    const { protocol, hostname, pathname, search, hash, username } = new URL(value);
    const isPlain = pathname === '/' && search === '' && hash === '' && username === '';
    return isPlain && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)));
  };
  return ValidateBy({ name: 'isStripeBase', validator: { validate } }, options);
}
