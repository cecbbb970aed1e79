import type { ListenAddress } from '@mailstead/core/settings/listen-address';
import { type Environment, readSettings } from '@mailstead/core/settings/read-settings';
import {
  ApiUrl,
  Choice,
  Days,
  Folder,
  ListenOrOff,
  Minutes,
  Port,
  Seconds,
  Text,
} from '@mailstead/core/settings/rules';
import { type Field, Refusal, Setting } from '@mailstead/core/settings/setting';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** All settings of the billing process. */
export class BillingConfig {
  /** A restricted key that may read subscriptions, prices and invoices is enough: the process only reads. */
  @Text(/^[rs]k_[A-Za-z0-9_]{8,250}$/, 'must be a secret or restricted key of Stripe (sk_… or rk_…)')
  stripeApiKey = '';

  @Text(/^whsec_[A-Za-z0-9+/=_-]{8,250}$/, 'must be the signing secret of the webhook endpoint (whsec_…)')
  stripeWebhookSecret = '';

  @StripeBase()
  stripeApiBase = 'https://api.stripe.com';

  @ApiUrl() mailsteadUrl = '';

  @Text(/^[A-Za-z0-9._~+/=-]{16,512}$/, 'must be an operator token of scope billing') billingToken = '';

  /** The address of the webhook's port. */
  @Text(/^[A-Za-z0-9.:_-]{1,255}$/, 'must be an IP address or a host name') host = '127.0.0.1';

  /** The port of the webhook and of `/health`. */
  @Port() billingPort = 8090;

  /** As that of the API: seconds for which the webhook's port keeps a connection without a request open. */
  @Seconds(1, 7_200) keepAliveSeconds = 65;

  /** The folder of `state.json` and of the locks. Sockets in it have paths of at most 107 bytes. */
  @Folder(60) billingDataDir = './billing-data';

  /** The age of the latest invoice, in days, from which a subscription that is past due suspends its domain. */
  @Days(0, 365) billingGraceDays = 7;

  /** Minutes from the end of one comparison of all subscriptions to the next. */
  @Minutes(1, 1_440) billingReconcileMinutes = 60;

  /** The address of `/metrics` and of the `/health` that lists the alarms; null with `off`. */
  @ListenOrOff() metricsListen: ListenAddress | null = null;

  @Choice('error', 'warn', 'info', 'debug') logLevel = 'info';
}

/**
 * Reads and checks all settings.
 *
 * @throws SettingsError that lists every invalid variable.
 */
export function readBillingConfig(environment: Environment = process.env): Readonly<BillingConfig> {
  return readSettings(BillingConfig, environment, ({ metricsListen: metrics, billingPort }) =>
    metrics !== null && 'port' in metrics && metrics.port !== 0 && metrics.port === billingPort
      ? ['METRICS_LISTEN: must have another port than BILLING_PORT, which Stripe reaches']
      : [],
  );
}

/** Stripe's key must not leave the machine unencrypted. */
function StripeBase(): Field<string> {
  return Setting((given) =>
    typeof given === 'string' && URL.canParse(given) && isStripeBase(new URL(given))
      ? given
      : new Refusal('must be an https URL, or an http URL of this machine, without a path'),
  );
}

function isStripeBase({ protocol, hostname, pathname, search, hash, username }: URL): boolean {
  const isPlain = pathname === '/' && search === '' && hash === '' && username === '';
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)));
}
