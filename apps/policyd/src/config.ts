import { hostname } from 'node:os';
import {
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  ValidateBy,
  type ValidationOptions,
  validateSync,
} from 'class-validator';

const LISTEN_RULE = { message: 'must be host:port or unix:/path' };
const PATH_RULE = { message: 'must be an absolute path' };

/** The address that a server listens on: `host:port` or `unix:/path`. */
export type ListenAddress = { host: string; port: number } | { path: string };

/**
 * All settings of the policy daemon, one environment variable each, in upper snake case (`policyFail` is
 * `POLICY_FAIL`).
 */
export class PolicydConfig {
  @IsApiUrl({ message: 'must be the URL of the API, such as http://127.0.0.1:8080' }) mailsteadUrl = '';

  @Matches(/^[A-Za-z0-9._~+=-]{16,255}$/, { message: 'must be an operator token of scope policy' }) policyToken = '';

  /** The addresses for Postfix's policy requests, separated by commas. */
  @IsObject({ each: true, ...LISTEN_RULE }) policyListen: ListenAddress[] = [{ host: '127.0.0.1', port: 10_040 }];

  /** The address for Postfix's milter requests, which check and count messages. The milter cannot be switched off. */
  @IsObject(LISTEN_RULE) milterListen: ListenAddress = { host: '127.0.0.1', port: 10_041 };

  /** The address for Dovecot's requests before and after it checks a password; null with `off`. */
  @IsOptional() @IsObject(LISTEN_RULE) loginsListen: ListenAddress | null = { host: '127.0.0.1', port: 10_042 };

  /** While the API is unavailable: `closed` defers mail, `open` lets it pass and counts it later. */
  @IsIn(['closed', 'open'], { message: 'must be closed or open' }) policyFail: 'closed' | 'open' = 'closed';

  /** The folder for the messages that passed while the API was unavailable and are not counted yet. */
  @IsString() policydDataDir = './policyd-data';

  /** The mail server's name in message ids; used when Postfix does not send its name. */
  @Matches(/^[A-Za-z0-9._-]{1,64}$/, { message: 'must have 1 to 64 of A-Z a-z 0-9 . _ -' }) policyMta = hostname();

  /** `ses`: messages get the header fields that SES reads. Null: none. */
  @IsOptional() @IsIn(['ses'], { message: 'must be ses, or not set' }) policyRelay: 'ses' | null = null;

  /** The address of `/metrics` and `/health`; null with `off`. */
  @IsOptional() @IsObject(LISTEN_RULE) metricsListen: ListenAddress | null = null;

  @IsIn(['error', 'warn', 'info', 'debug'], { message: 'must be one of error, warn, info, debug' }) logLevel = 'info';

  /** Dovecot's log, which the delivery meter reads; null turns the meter off. */
  @IsOptional() @Matches(/^\//, PATH_RULE) meterLog: string | null = null;

  /** The file that stores the log position up to which deliveries are reported. */
  @IsOptional() @Matches(/^\//, PATH_RULE) meterState: string | null = null;
}

/**
 * Parsers for variables that are not plain text. A parser returns the text unchanged when it is invalid; validation
 * then rejects it.
 */
const READ_AS: Partial<Record<keyof PolicydConfig, (text: string) => unknown>> = {
  policyListen: (text) => text.split(',').map((each) => readListenAddress(each.trim())),
  milterListen: readListenAddress,
  loginsListen: (text) => (text === 'off' ? null : readListenAddress(text)),
  metricsListen: (text) => (text === 'off' ? null : readListenAddress(text)),
};

/** The message lists every invalid variable. */
export class PolicydConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'PolicydConfigError';
  }
}

/**
 * Reads and checks all settings.
 *
 * @throws PolicydConfigError that lists every invalid variable.
 */
export function readPolicydConfig(
  environment: Record<string, string | undefined> = process.env,
): Readonly<PolicydConfig> {
  const config = new PolicydConfig();
  for (const name of Object.keys(config) as (keyof PolicydConfig)[]) {
    const text = environment[variableOf(name)]?.trim() ?? '';
    if (text !== '') Reflect.set(config, name, (READ_AS[name] ?? String)(text));
  }
  const problems = validateSync(config).map(
    ({ property, constraints }) => `${variableOf(property)}: ${Object.values(constraints ?? {}).join('; ')}`,
  );
  if ((config.meterLog === null) !== (config.meterState === null)) {
    problems.push('METER_LOG and METER_STATE: set both or none');
  }
  if (problems.length > 0) throw new PolicydConfigError(problems);
  return Object.freeze(config);
}

/** `policyFail` → `POLICY_FAIL`. */
export function variableOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function readListenAddress(text: string): ListenAddress | string {
  const path = /^unix:(\/.+)$/.exec(text)?.[1];
  if (path !== undefined) return { path };
  const [, host, port] = /^(?:\[?([^[\]]+)\]?:)(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535) return text;
  return { host, port: Number(port) };
}

/**
 * Whatever Node can call: class-validator's `IsUrl` refuses host names that resolve, such as one with a trailing dot.
 */
function IsApiUrl(options: ValidationOptions): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value);
  return ValidateBy({ name: 'isApiUrl', validator: { validate } }, options);
}
