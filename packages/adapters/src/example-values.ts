import type { DnsExpectations } from '@mailstead/core/relay/dns-expectations';
import { variableOf } from '@mailstead/core/settings/read-settings';
import type { Config } from './config.js';
import type { MailSettings } from './mail-settings.js';

const MAIL_SERVERS = ['mailImap', 'mailPop3', 'mailSubmission'] as const;

/** What a service on trial shows in place of the operator's mail servers. */
const EXAMPLES = {
  mxHosts: ['mx1.mailstead.example', 'mx2.mailstead.example'],
  spfInclude: 'spf.mailstead.example',
  mailSettings: {
    imap: { host: 'mail.mailstead.example', port: 993, security: 'tls' },
    pop3: { host: 'mail.mailstead.example', port: 995, security: 'tls' },
    submission: { host: 'mail.mailstead.example', port: 465, security: 'tls' },
  },
} as const satisfies {
  mxHosts: readonly string[];
  spfInclude: string;
  mailSettings: MailSettings;
};

/**
 * The mail servers to show while an embedded service with the sandbox has none of these settings; otherwise null. Only
 * what is shown may use them: they are no settings.
 */
export function examplesOf(config: Readonly<Config>): typeof EXAMPLES | null {
  const isOnTrial = config.databaseUrl === null && config.relayProvider === 'sandbox';
  const isAnySet =
    config.mxHosts !== '' || config.spfInclude !== null || MAIL_SERVERS.some((name) => config[name] !== null);
  return isOnTrial && !isAnySet ? EXAMPLES : null;
}

/** The same for the check of DNS records. */
export function exampleExpectations(config: Readonly<Config>): DnsExpectations['examples'] {
  const examples = examplesOf(config);
  return examples === null ? null : { mxHosts: [...examples.mxHosts], spfInclude: examples.spfInclude };
}

/**
 * The variables of the mail servers that are still to be set. A service may offer some of the servers for mail programs
 * only, so these count as set when one of them is.
 */
export function unsetMailServers(config: Readonly<Config>): string[] {
  const settings: (keyof Config)[] = [];
  if (config.mxHosts === '') settings.push('mxHosts');
  if (config.spfInclude === null) settings.push('spfInclude');
  if (MAIL_SERVERS.every((name) => config[name] === null)) settings.push(...MAIL_SERVERS);
  return settings.map(variableOf);
}
