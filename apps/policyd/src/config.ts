import { hostname } from 'node:os';

/** Where a server listens: `host:port`, or `unix:/path`. */
export type ListenAddress = { host: string; port: number } | { path: string };

/** All settings of the policy daemon, one environment variable each. */
export interface PolicydConfig {
  /** `MAILSTEAD_URL`: the API. */
  url: string;
  /** `POLICY_TOKEN`: an operator token of scope `policy`. */
  token: string;
  /** `POLICY_LISTEN`: where Postfix asks for verdicts; several separated by commas. */
  policyListen: ListenAddress[];
  /** `MILTER_LISTEN`: where Postfix has messages looked at, and counted: no daemon is without it. */
  milterListen: ListenAddress;
  /** `POLICY_FAIL`: what becomes of mail while the API is away. */
  fail: 'closed' | 'open';
  /** `POLICYD_DATA_DIR`: what was accepted meanwhile, until it is counted. */
  dataDir: string;
  /** `POLICY_MTA`: the mail server's name in the ids of its messages, where it does not send one (`policy_context`). */
  mta: string;
  /** `METRICS_LISTEN`: `/metrics` and `/health`, or `off`. */
  metricsListen: ListenAddress | null;
  /** `LOG_LEVEL`. */
  logLevel: string;
}

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'];

/** Names every wrong variable. */
class PolicydConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'PolicydConfigError';
  }
}

/** @throws PolicydConfigError that names every wrong variable at once. */
export function readPolicydConfig(environment: Record<string, string | undefined> = process.env): PolicydConfig {
  const problems: string[] = [];
  const demand = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem);
  };
  const text = (name: string, otherwise = '') => environment[name]?.trim() || otherwise;
  const address = (name: string, value: string): ListenAddress => {
    const found = parseListenAddress(value);
    demand(found !== null, `${name}: must be host:port or unix:/path`);
    return found ?? { path: '' };
  };
  const optional = (name: string, otherwise: string) => {
    const value = text(name, otherwise);
    return value === 'off' ? null : address(name, value);
  };
  const config: PolicydConfig = {
    url: text('MAILSTEAD_URL'),
    token: text('POLICY_TOKEN'),
    policyListen: text('POLICY_LISTEN', '127.0.0.1:10040')
      .split(',')
      .map((value) => address('POLICY_LISTEN', value.trim())),
    milterListen: address('MILTER_LISTEN', text('MILTER_LISTEN', '127.0.0.1:10041')),
    fail: text('POLICY_FAIL', 'closed') as PolicydConfig['fail'],
    dataDir: text('POLICYD_DATA_DIR', './policyd-data'),
    mta: text('POLICY_MTA', hostname()),
    metricsListen: optional('METRICS_LISTEN', 'off'),
    logLevel: text('LOG_LEVEL', 'info'),
  };
  demand(URL.canParse(config.url) && /^https?:/.test(config.url), 'MAILSTEAD_URL: must be the URL of the API');
  demand(/^[A-Za-z0-9._~+=-]{16,255}$/.test(config.token), 'POLICY_TOKEN: must be an operator token of scope policy');
  demand(['closed', 'open'].includes(config.fail), 'POLICY_FAIL: must be closed or open');
  demand(/^[A-Za-z0-9._-]{1,64}$/.test(config.mta), 'POLICY_MTA: must have 1 to 64 of A-Z a-z 0-9 . _ -');
  demand(LOG_LEVELS.includes(config.logLevel), `LOG_LEVEL: must be one of ${LOG_LEVELS.join(', ')}`);
  if (problems.length > 0) throw new PolicydConfigError(problems);
  return config;
}

function parseListenAddress(value: string): ListenAddress | null {
  const path = /^unix:(\/.+)$/.exec(value)?.[1];
  if (path !== undefined) return { path };
  const [, host, port] = /^(?:\[?([^[\]]+)\]?:)(\d{1,5})$/.exec(value) ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535) return null;
  return { host, port: Number(port) };
}
