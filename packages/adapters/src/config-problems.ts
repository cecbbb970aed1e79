import { isIP } from 'node:net';
import { OPERATOR_SCOPES } from '@mailstead/core/operators/caller';
import { variableOf } from '@mailstead/core/settings/read-settings';
import type { Config } from './config.js';
import { listOf, operatorTokensOf } from './config-lists.js';
import { MAIL_SERVER_RULE, parseMailServer } from './mail-settings.js';
import { parseNetwork } from './network/ip-address.js';
import { missingSettings } from './relay/provider-settings.js';
import { listedNames } from './reserved-names-of.js';
import { operatorEntry, secretProblems } from './secret-problems.js';
import { isPublicAddress } from './webhooks/public-address.js';

const RESERVED_NAME = /^([a-z0-9-]{1,63}\.)+([a-z0-9-]{1,63}|\*)$/;
const TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/;

/** @returns a sentence for each setting that does not fit to another one or has a wrong form */
export function problemsBetween(config: Readonly<Config>): string[] {
  const problems: string[] = [];
  const demand = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem);
  };
  const masters = listOf(config.masterToken);
  if (config.databaseUrl !== null) {
    demand(masters.length > 0, 'MASTER_TOKEN: is required with DATABASE_URL');
    demand(config.secretKey !== '', 'SECRET_KEY: is required with DATABASE_URL, the same on every replica');
  }
  demand(
    config.redisUrl === null || config.databaseUrl !== null,
    'REDIS_URL: needs DATABASE_URL, since a worker cannot share the embedded database',
  );
  problems.push(...secretProblems(config));
  problems.push(...operatorProblems(config));
  problems.push(...relayProblems(config));
  demand(
    listOf(config.snsTopicArns).every((arn) => TOPIC_ARN.test(arn)),
    'SNS_TOPIC_ARNS: each must be like arn:aws:sns:eu-west-1:123456789012:topic',
  );
  demand(
    config.reservedNames === null || listedNames(config.reservedNames).every((name) => RESERVED_NAME.test(name)),
    'RESERVED_NAMES: each must be a name of letters, digits and hyphens like gmail.com or yahoo.*; or none for no names',
  );
  demand(
    config.notifyWebhookUrl === null || config.notifyWebhookSecret !== null,
    'NOTIFY_WEBHOOK_SECRET: is required with NOTIFY_WEBHOOK_URL',
  );
  demand(
    config.notifyAllowPrivate || config.notifyWebhookUrl === null || !hasPrivateHost(config.notifyWebhookUrl),
    'NOTIFY_WEBHOOK_URL: has an address that is not public, which needs NOTIFY_ALLOW_PRIVATE=true',
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
  demand(
    listOf(config.trustProxy).every((network) => parseNetwork(network) !== null),
    'TRUST_PROXY: each must be an IP address or a network like 192.0.2.0/24',
  );
  demand(
    listOf(config.webhookDeny).every((network) => parseNetwork(network) !== null),
    'WEBHOOK_DENY: each must be an IP address or a network like 192.0.2.0/24',
  );
  for (const setting of ['mailImap', 'mailPop3', 'mailSubmission'] as const) {
    const text = config[setting];
    demand(text === null || parseMailServer(text) !== null, `${variableOf(setting)}: ${MAIL_SERVER_RULE}`);
  }
  return problems;
}

/** Whether the host is an address that is not public. What a name leads to is known at each delivery. */
function hasPrivateHost(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
  return isIP(host) !== 0 && !isPublicAddress(host);
}

/** @returns a sentence for each setting that the relay provider requires and that is not set */
export function relayProblems(config: Readonly<Config>): string[] {
  return missingSettings(config).map(
    (setting) => `${variableOf(setting)}: is required with RELAY_PROVIDER=${config.relayProvider}`,
  );
}

function operatorProblems(config: Readonly<Config>): string[] {
  const problems: string[] = [];
  const operators = operatorTokensOf(config).flatMap(({ caller }) => (caller.kind === 'operator' ? [caller] : []));
  for (const [index, caller] of operators.entries()) {
    const label = operatorEntry(index);
    if (!/^[A-Za-z0-9._-]{1,64}$/.test(caller.name))
      problems.push(`${label}: the name must have 1 to 64 of A-Z a-z 0-9 . _ -`);
    if (!OPERATOR_SCOPES.includes(caller.scope))
      problems.push(`${label}: the scope must be one of ${OPERATOR_SCOPES.join(', ')}`);
  }
  const entries = operatorTokensOf(config);
  if (new Set(entries.map(({ token }) => token)).size < entries.length)
    problems.push('OPERATOR_TOKENS: every token, master ones included, must differ');
  if (new Set(entries.map(({ caller }) => caller.name)).size < entries.length)
    problems.push('OPERATOR_TOKENS: every name must differ');
  return problems;
}
