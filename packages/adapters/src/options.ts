import { setTimeout as delay } from 'node:timers/promises';
import { AliasOptions } from '@mailstead/core/aliases/alias-destinations';
import { Clock, DAY_MS, HOUR_MS, SECOND_MS } from '@mailstead/core/clock';
import { DomainOptions } from '@mailstead/core/domains/domain-options';
import { ReservedNames } from '@mailstead/core/domains/reserved-names';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { RecordsOptions } from '@mailstead/core/jobs/purge-records';
import { KnownTokens } from '@mailstead/core/limits/known-tokens';
import { RateLimits } from '@mailstead/core/limits/rate-limits';
import { WrongTokens } from '@mailstead/core/limits/wrong-tokens';
import { MailSessions, NoMailSessions } from '@mailstead/core/mail-sessions/mail-sessions';
import { MailboxUsage, UnknownUsage } from '@mailstead/core/mailboxes/mailbox-usage';
import { PasswordHasher } from '@mailstead/core/mailboxes/password-hasher';
import { StorageQuotaRule } from '@mailstead/core/mailboxes/storage-quota-rule';
import { Meters } from '@mailstead/core/meters';
import { type NotificationChannel, NotificationChannels } from '@mailstead/core/notifications/notification-channel';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { IdempotencyStore } from '@mailstead/core/operators/idempotency-store';
import { BounceRuleOptions } from '@mailstead/core/outbound/bounce-rule';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { ListenerOptions } from '@mailstead/core/relay/check-account';
import { DnsExpectations, expectedHosts } from '@mailstead/core/relay/dns-expectations';
import { DnsResolver } from '@mailstead/core/relay/dns-resolver';
import { ObservedRelayProvider } from '@mailstead/core/relay/observed-relay-provider';
import { RelayCalls } from '@mailstead/core/relay/relay-calls';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { RelayWebhook } from '@mailstead/core/relay-events/relay-webhook';
import { MailStore, NoMailStore } from '@mailstead/core/retention/mail-store';
import { CsrfTokens } from '@mailstead/core/sessions/csrf-tokens';
import { SessionLifetime } from '@mailstead/core/sessions/session-lifetime';
import { SUPPRESSION_OPTIONS, SuppressionOptions } from '@mailstead/core/suppressions/suppression';
import { TrailOptions } from '@mailstead/core/trail/trail-options';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { StorageOptions } from '@mailstead/core/usage/measure-storage';
import { WebhookSecrets } from '@mailstead/core/webhooks/webhook-secrets';
import { WebhookSender } from '@mailstead/core/webhooks/webhook-sender';
import { Registry } from 'prom-client';
import { BcryptPasswordHasher } from './bcrypt/bcrypt-password-hasher.js';
import type { Bindings } from './bindings.js';
import type { Config } from './config.js';
import { listOf, operatorTokensOf } from './config-lists.js';
import type { Parts } from './container.js';
import { OperatorTokens } from './crypto/operator-tokens.js';
import { Database } from './database/driver/database.js';
import { DatabaseWriters } from './database/health/database-writers.js';
import { readInstallationId } from './database/installation/installation.js';
import { InstallationLease } from './database/installation/installation-lease.js';
import { TypeormNotifier } from './database/notifications/notification-outbox.js';
import { TypeormIdempotencyStore } from './database/operators/idempotency-store.js';
import { SqlCertificateStore } from './database/relay/certificate-store.js';
import { InventedDns } from './demo/invented-dns.js';
import { InventedRelay } from './demo/invented-relay.js';
import { NodeDnsResolver } from './dns/node-dns-resolver.js';
import { nameServersOf } from './dns/server-settings.js';
import { DovecotSessions } from './dovecot/dovecot-sessions.js';
import { DovecotStore } from './dovecot/dovecot-store.js';
import { DovecotUsage } from './dovecot/dovecot-usage.js';
import { exampleExpectations } from './example-values.js';
import { MaildirStore } from './maildir/maildir-store.js';
import { MetricsRegistry } from './metrics/metrics-registry.js';
import { SharedMetricsOptions } from './metrics/shared-metrics.js';
import { RequestOrigins } from './network/request-origins.js';
import { processLabel } from './process-label.js';
import {
  GatedDns,
  GatedMailSessions,
  GatedMailStore,
  GatedUsage,
  GatedWebhookSender,
} from './recovery/gated-systems.js';
import { createRelayProvider, createRelayWebhook, type RelayParts } from './relay/providers.js';
import { reservedNamesOf } from './reserved-names-of.js';
import { EmailChannel } from './smtp/email-channel.js';
import { GuardedWebhookSender } from './webhooks/guarded-webhook-sender.js';
import { isPublicAddress, isPublicOutside } from './webhooks/public-address.js';
import { SealedWebhookSecrets } from './webhooks/sealed-webhook-secrets.js';
import { WebhookChannel } from './webhooks/webhook-channel.js';

/** Longer than two scrapes at Prometheus's usual interval of a minute. */
const METRICS_LEASE_MS = 150 * SECOND_MS;

/** On SQLite a row of a trail takes the time of other writes. */
const EMBEDDED_TRAIL_ROWS_PER_SECOND = 50;

/** Binds the options, and the ports whose adapter has settings or depends on them. */
export function bindOptions(bindings: Bindings, config: Readonly<Config>, parts: Parts): void {
  bindings.value(AliasOptions, config);
  bindings.value(BounceRuleOptions, config);
  bindings.value(RecordsOptions, config);
  const isEmbedded = config.databaseUrl === null;
  bindings.value(TrailOptions, { ...config, rowsPerSecond: isEmbedded ? EMBEDDED_TRAIL_ROWS_PER_SECOND : null });
  bindings.value(DomainOptions, {
    ...config,
    pendingDomainMs: config.pendingDomainDays * DAY_MS,
    retentionGraceMs: config.retentionGraceHours * HOUR_MS,
    planRetentionGraceMs: config.planRetentionGraceDays * DAY_MS,
  });
  bindings.value(ReservedNames, reservedNamesOf(config));
  bindings.value(RequestOrigins, new RequestOrigins(listOf(config.trustProxy)));
  bindings.value(SuppressionOptions, SUPPRESSION_OPTIONS);
  bindings.value(StorageOptions, { wait: delay });
  bindings.value(StorageQuotaRule, new StorageQuotaRule(config));
  bindings.made(MailboxUsage, [RestoreGate], (gate) => new GatedUsage(mailboxUsageOf(config), gate));
  bindings.made(MailSessions, [RestoreGate], (gate) => new GatedMailSessions(mailSessionsOf(config), gate));
  bindings.made(MailStore, [RestoreGate], (gate) => new GatedMailStore(mailStoreOf(config), gate));
  bindings.value(PasswordHasher, new BcryptPasswordHasher(config.bcryptCost));
  bindCallers(bindings, config);
  bindMetrics(bindings, config, parts);
  bindNotifications(bindings, config, parts);
  bindRelay(bindings, config, parts);
}

function bindCallers(bindings: Bindings, config: Readonly<Config>): void {
  bindings.value(OperatorTokens, new OperatorTokens(operatorTokensOf(config)));
  bindings.value(CsrfTokens, new CsrfTokens(config.secretKey));
  bindings.made(
    IdempotencyStore,
    [Database, UnitOfWork],
    (database, unitOfWork) => new TypeormIdempotencyStore(database, unitOfWork, config.secretKey),
  );
  bindings.made(SessionLifetime, [Clock], (clock) => new SessionLifetime(clock, config.sessionIdleHours * HOUR_MS));
  bindings.made(RateLimits, [Clock], (clock) => new RateLimits(config.rateLimit, clock));
  bindings.made(
    WrongTokens,
    [KnownTokens, Clock],
    (known, clock) => new WrongTokens(config.authFailuresPerMinute, known, clock),
  );
}

function bindMetrics(bindings: Bindings, config: Readonly<Config>, { name, database, clock }: Parts): void {
  const { schedules, redisUrl, databasePoolSize: poolSize } = config;
  const { isCluster } = database.nodes;
  bindings.value(MetricsRegistry, new Registry());
  bindings.value(InstallationLease, new InstallationLease(database, clock, 'metrics_publisher', METRICS_LEASE_MS));
  bindings.value(SharedMetricsOptions, { schedules, workers: redisUrl !== null, isCluster });
  bindings.made(
    DatabaseWriters,
    [Database, UnitOfWork, Notifier, Clock],
    (...made) => new DatabaseWriters(...made, { process: processLabel(name), poolSize }),
  );
}

function bindNotifications(bindings: Bindings, config: Readonly<Config>, { clock }: Parts): void {
  const channels = channelsOf(config, clock);
  const names = channels.map(({ name }) => name);
  bindings.value(NotificationChannels, channels);
  bindings.value(WebhookSecrets, new SealedWebhookSecrets(config.secretKey));
  const sender = new GuardedWebhookSender({
    allow: isPublicOutside(listOf(config.webhookDeny)),
    dnsServers: nameServersOf(config.dnsServers) ?? [],
  });
  bindings.made(WebhookSender, [RestoreGate], (gate) => new GatedWebhookSender(sender, gate));
  bindings.made(Notifier, [Database, JobQueue], (database, jobs) => new TypeormNotifier(database, jobs, { names }));
}

function bindRelay(bindings: Bindings, config: Readonly<Config>, parts: Parts): void {
  const { share, createRateLimiter, database, outside = null } = parts;
  const installationId = () => readInstallationId(database);
  const partsOf = (clock: Clock, meters: Meters): RelayParts => ({
    installationId,
    share,
    createRateLimiter,
    clock,
    meters,
  });
  const mxHosts = listOf(config.mxHosts);
  bindings.made(RelayProvider, [Clock, Meters, RelayCalls, RestoreGate], (clock, meters, calls, gate) => {
    const provider =
      outside === null
        ? createRelayProvider(config, partsOf(clock, meters))
        : new InventedRelay({ verifyAfterSeconds: config.sandboxVerifyAfter }, clock, outside.fates);
    return new ObservedRelayProvider(provider, calls, clock, gate);
  });
  bindings.made(RelayWebhook, [Clock, RestoreGate, SqlCertificateStore], (clock, gate, certificates) =>
    createRelayWebhook(config, { clock, gate, certificates }),
  );
  bindings.value(ListenerOptions, { provider: config.relayProvider, topics: listOf(config.snsTopicArns) });
  const { spfInclude } = config;
  const resolver =
    outside === null
      ? new NodeDnsResolver({ servers: nameServersOf(config.dnsServers) ?? [] })
      : new InventedDns(outside, expectedHosts({ mxHosts, spfInclude }));
  bindings.made(DnsResolver, [RestoreGate], (gate) => new GatedDns(resolver, gate));
  bindings.value(DnsExpectations, { mxHosts, spfInclude, examples: exampleExpectations(config) });
}

function mailSessionsOf({ doveadmUrl: servers, doveadmApiKey: apiKey }: Readonly<Config>): MailSessions {
  return servers !== null && apiKey !== null ? new DovecotSessions({ servers, apiKey }) : new NoMailSessions();
}

function mailboxUsageOf({ doveadmUrl, doveadmApiKey: apiKey }: Readonly<Config>): MailboxUsage {
  const [url] = doveadmUrl ?? [];
  return url !== undefined && apiKey !== null ? new DovecotUsage({ url, apiKey }) : new UnknownUsage();
}

function mailStoreOf(config: Readonly<Config>): MailStore {
  const { mailStore, maildirRoot: root } = config;
  if (mailStore === 'dovecot') {
    const url = config.doveadmUrl?.[0] ?? '';
    const apiKey = config.doveadmApiKey ?? '';
    return new DovecotStore({ url, apiKey, ...(root === null ? {} : { root }) });
  }
  return mailStore === 'maildir' && root !== null ? new MaildirStore({ root }) : new NoMailStore();
}

function channelsOf(config: Readonly<Config>, clock: Clock): NotificationChannels {
  const { notifyWebhookUrl, notifyWebhookSecret, notifySmtpUrl, notifyEmailFrom, notifyEmailTo } = config;
  const found: NotificationChannel[] = [];
  if (notifyWebhookUrl !== null && notifyWebhookSecret !== null) {
    const allow = config.notifyAllowPrivate ? () => true : isPublicAddress;
    found.push(new WebhookChannel({ url: notifyWebhookUrl, secret: notifyWebhookSecret, allow }, clock));
  }
  if (notifySmtpUrl !== null && notifyEmailFrom !== null && notifyEmailTo !== null) {
    found.push(new EmailChannel({ url: notifySmtpUrl, from: notifyEmailFrom, to: notifyEmailTo }));
  }
  return found;
}
