import { hostname } from 'node:os';
import type { ListenAddress } from '@mailstead/core/settings/listen-address';
import { type Environment, readSettings } from '@mailstead/core/settings/read-settings';
import {
  ApiUrl,
  Choice,
  Folder,
  Listen,
  ListenOnAll,
  ListenOrOff,
  LocalAddresses,
  Switch,
  Text,
  Whole,
} from '@mailstead/core/settings/rules';
import { Hosts } from './logins/trusted-hosts.js';

/** All settings of the policy daemon. */
export class PolicydConfig {
  @ApiUrl() mailsteadUrl = '';

  @Text(/^[A-Za-z0-9._~+=-]{16,255}$/, 'must be an operator token of scope policy') policyToken = '';

  /**
   * The `POLICY_API_LISTEN` of each API of `mailsteadUrl`, in the same order; null with `off`: that API gets previews
   * and counts by HTTP, as all APIs after the last entry.
   */
  @LocalAddresses() policyApi: (ListenAddress | null)[] = [null];

  /** The addresses for Postfix's policy requests, separated by commas. */
  @ListenOnAll() policyListen: ListenAddress[] = [{ host: '127.0.0.1', port: 10_040 }];

  /** The address for Postfix's milter requests, which check and count messages. The milter cannot be switched off. */
  @Listen() milterListen: ListenAddress = { host: '127.0.0.1', port: 10_041 };

  /** The address for Dovecot's requests before and after it checks a password; null with `off`. */
  @ListenOrOff() loginsListen: ListenAddress | null = { host: '127.0.0.1', port: 10_042 };

  /** The hosts that Dovecot trusts to name the address of the client behind them; their address bounds no logins. */
  @Hosts() loginsTrusted: string[] = [];

  /** While the API is unavailable: `closed` defers mail, `open` lets it pass and counts it later. */
  @Choice('closed', 'open') policyFail: 'closed' | 'open' = 'closed';

  /** The folder for the messages that passed while the API was unavailable and are not counted yet. */
  @Folder() policydDataDir = './policyd-data';

  /** The mail server's name in message ids; used when Postfix does not send its name. */
  @Text(/^[A-Za-z0-9._-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 . _ -') policyMta = hostname();

  /** `ses`: messages get the header fields that SES reads. Null: none. */
  @Choice('ses') policyRelay: 'ses' | null = null;

  /** The address of `/metrics` and `/health`; null with `off`. */
  @ListenOrOff() metricsListen: ListenAddress | null = null;

  @Choice('error', 'warn', 'info', 'debug') logLevel = 'info';

  /** Multiplies the deadlines of the daemon, for a slow machine. */
  @Whole(1, 20) deadlineFactor = 1;

  /** Dovecot's log, which the delivery meter reads; null turns the meter off. */
  @Text(/^\//, 'must be an absolute path') meterLog: string | null = null;

  /** The file that stores the log position up to which deliveries are reported; null: `meter` in `policydDataDir`. */
  @Text(/^\//, 'must be an absolute path') meterState: string | null = null;

  /** Postfix's log, from which the trails of messages are reported; null: none are. */
  @Text(/^\//, 'must be an absolute path') trailLog: string | null = null;

  /** The domain of the senders that are rewritten when mail is forwarded (SRS); null: none are. */
  @Text(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host name of at least two labels, in lower case')
  trailSrsDomain: string | null = null;

  /** Whether the meter also counts what IMAP and POP3 send to clients. */
  @Switch() meterDownloads = false;
}

/**
 * Reads and checks all settings.
 *
 * @throws SettingsError that lists every invalid variable.
 */
export function readPolicydConfig(environment: Environment = process.env): Readonly<PolicydConfig> {
  return readSettings(PolicydConfig, environment, ({ meterLog, meterState, policyApi, mailsteadUrl }) => [
    ...(meterLog === null && meterState !== null ? ['METER_STATE: needs METER_LOG'] : []),
    ...(policyApi.length > mailsteadUrl.split(',').length ? ['POLICY_API: has more entries than MAILSTEAD_URL'] : []),
  ]);
}
