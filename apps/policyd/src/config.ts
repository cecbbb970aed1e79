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

/** Where a server listens: `host:port`, or `unix:/path`. */
export type ListenAddress = { host: string; port: number } | { path: string };

/** All settings of the policy daemon, one environment variable each, in upper snake case (`policyFail` is `POLICY_FAIL`). */
export class PolicydConfig {
  @IsApiUrl({ message: 'must be the URL of the API, such as http://127.0.0.1:8080' }) mailsteadUrl = '';

  @Matches(/^[A-Za-z0-9._~+=-]{16,255}$/, { message: 'must be an operator token of scope policy' }) policyToken = '';

  /** Where Postfix asks for verdicts; several addresses separated by commas. */
  @IsObject({ each: true, ...LISTEN_RULE }) policyListen: ListenAddress[] = [{ host: '127.0.0.1', port: 10_040 }];

  /** Where Postfix sends messages to be checked and counted; it cannot be switched off. */
  @IsObject(LISTEN_RULE) milterListen: ListenAddress = { host: '127.0.0.1', port: 10_041 };

  /** What happens to mail while the API does not answer. */
  @IsIn(['closed', 'open'], { message: 'must be closed or open' }) policyFail: 'closed' | 'open' = 'closed';

  /** The folder of what passed while the API did not answer, until it is counted. */
  @IsString() policydDataDir = './policyd-data';

  /** The mail server's name in the ids of its messages, when Postfix does not send one (`policy_context`). */
  @Matches(/^[A-Za-z0-9._-]{1,64}$/, { message: 'must have 1 to 64 of A-Z a-z 0-9 . _ -' }) policyMta = hostname();

  /** Where `/metrics` and `/health` are; null with `off`. */
  @IsOptional() @IsObject(LISTEN_RULE) metricsListen: ListenAddress | null = null;

  @IsIn(['error', 'warn', 'info', 'debug'], { message: 'must be one of error, warn, info, debug' }) logLevel = 'info';

  /** Dovecot's log, for the delivery meter; null: inbound transfer is not metered. */
  @IsOptional() @Matches(/^\//, PATH_RULE) meterLog: string | null = null;

  /** The file that keeps the position in that log up to which deliveries are reported. */
  @IsOptional() @Matches(/^\//, PATH_RULE) meterState: string | null = null;
}

/** What a variable's text becomes; by default it stays text. What cannot be read stays text too, and is refused by the rules. */
const READ_AS: Partial<Record<keyof PolicydConfig, (text: string) => unknown>> = {
  policyListen: (text) => text.split(',').map((each) => readListenAddress(each.trim())),
  milterListen: readListenAddress,
  metricsListen: (text) => (text === 'off' ? null : readListenAddress(text)),
};

/** Names every wrong variable. */
export class PolicydConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'PolicydConfigError';
  }
}

/**
 * Reads and checks all settings.
 *
 * @throws PolicydConfigError that names every wrong variable at once.
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
function variableOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function readListenAddress(text: string): ListenAddress | string {
  const path = /^unix:(\/.+)$/.exec(text)?.[1];
  if (path !== undefined) return { path };
  const [, host, port] = /^(?:\[?([^[\]]+)\]?:)(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535) return text;
  return { host, port: Number(port) };
}

/** Whatever Node can call: class-validator's `IsUrl` refuses host names that resolve, such as one with a trailing dot. */
function IsApiUrl(options: ValidationOptions): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value);
  return ValidateBy({ name: 'isApiUrl', validator: { validate } }, options);
}
