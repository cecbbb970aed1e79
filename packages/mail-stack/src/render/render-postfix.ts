import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { PROBE_ADDRESS, PROBE_DOMAIN } from '../doctor/probe.js';
import { type Endpoint, hostAndPort, type ListenAddress, postfixEndpoint } from '../settings/endpoint.js';
import type { MailStackSettings, RelaySettings } from '../settings/mail-stack-settings.js';
import type { TemplateValues } from './fill-template.js';
import { withoutOverridden } from './main-cf.js';
import type { FillFile, RenderedFile } from './render-mail-stack.js';
import { type PostfixInstance, type Relay, type SqlMapSettings, sqlMaps } from './sql-maps.js';

/**
 * The name of the second instance for postmulti, in its log lines, and in systemd (`postfix@postfix-submission`).
 * Postfix requires the prefix `postfix-`.
 */
const SUBMISSION_NAME = 'postfix-submission';

/** Returns the instances for these settings: `submission` only when there is a submission service. */
export function postfixInstances({ postfix }: MailStackSettings): PostfixInstance[] {
  return postfix.submission === null && postfix.submissions === null ? ['mx'] : ['mx', 'submission'];
}

/** Returns the configuration directory of an instance on the mail server. */
export function configDirectoryOf(settings: MailStackSettings, instance: PostfixInstance): string {
  return instance === 'mx' ? settings.postfix.configDirectory : settings.postfix.submissionInstance.configDirectory;
}

/** Returns the folder of an instance among the rendered files. */
export function postfixFolder(instance: PostfixInstance): string {
  return instance === 'mx' ? 'postfix' : SUBMISSION_NAME;
}

/**
 * Renders the files of all Postfix instances. Each main.cf and master.cf has a shared part and the instance's own part.
 */
export function renderPostfix(settings: MailStackSettings, file: FillFile): RenderedFile[] {
  return postfixInstances(settings).flatMap((instance) => {
    const folder = postfixFolder(instance);
    const main = file(
      `${folder}/main.cf`,
      'everyone',
      ['postfix/main.cf', `postfix/${instance}-main.cf`, 'postfix/extra-main.cf'],
      mainCfValues(settings, instance),
    );
    return [
      // The operator's own lines come last, so they stay.
      { ...main, content: withoutOverridden(main.content) },
      file(
        `${folder}/master.cf`,
        'everyone',
        [`postfix/${instance}-master.cf`, 'postfix/master.cf'],
        masterCfValues(settings),
      ),
      ...renderMaps(settings, instance, folder, file),
      ...(instance === 'mx' ? [] : [renderRelayPasswords(settings, folder, file)]),
    ];
  });
}

function renderMaps(
  settings: MailStackSettings,
  instance: PostfixInstance,
  folder: string,
  file: FillFile,
): RenderedFile[] {
  const { database } = settings;
  return sqlMaps(instance, sqlMapSettings(settings)).map(({ name, purpose, query }) =>
    file(`${folder}/sql/${name}.cf`, 'postfix', ['postfix/sql-map.cf'], {
      purpose,
      query,
      hosts: databaseHosts(database),
      user: database.postfix.user,
      password: database.postfix.password,
      database: database.name,
      databaseCaFile: database.tls && database.tls.caFile,
    }),
  );
}

/** Returns the settings that the queries of the maps contain. */
export function sqlMapSettings({ postmaster, relays }: MailStackSettings): SqlMapSettings {
  return { postmaster, relays: relays.map((relay) => ({ nextHop: relayHost(relay), service: serviceOf(relay) })) };
}

function renderRelayPasswords({ relays }: MailStackSettings, folder: string, file: FillFile): RenderedFile {
  const relayPasswords = relays.map((relay) => `${relayHost(relay)} ${relay.username}:${relay.password}`).join('\n');
  return file(`${folder}/relay-passwords`, 'root', ['postfix/relay-passwords'], { relayPasswords });
}

function mainCfValues(settings: MailStackSettings, instance: PostfixInstance): TemplateValues {
  const { postfix, dovecot, forwarding } = settings;
  const place = instance === 'mx' ? postfix : postfix.submissionInstance;
  return {
    hostname: settings.hostname,
    hostnamePattern: settings.hostname.replaceAll('.', '\\.'),
    postmaster: settings.postmaster,
    inetProtocols: settings.ipVersions,
    queueDirectory: place.queueDirectory,
    dataDirectory: place.dataDirectory,
    submissionName: SUBMISSION_NAME,
    submissionDirectory: postfixInstances(settings).includes('submission')
      ? postfix.submissionInstance.configDirectory
      : null,
    logFile: postfix.logFile,
    logFolder: postfix.logFile === null ? null : dirname(postfix.logFile),
    messageSizeLimit: postfix.messageSizeMb * 1_048_576,
    lmtp: postfixEndpoint(dovecot.lmtp),
    // Postfix expects a SASL socket as a path without "unix:".
    sasl: dovecot.sasl.kind === 'unix' ? dovecot.sasl.path : postfixEndpoint(dovecot.sasl),
    quotaStatus: postfixEndpoint(dovecot.quotaStatus),
    asksPolicy: instance === 'submission' || forwarding !== null,
    policyd: postfixEndpoint(settings.policyd),
    inbound: inboundMilters(settings),
    cleansInbound: settings.inboundMilters.length > 0 || dovecot.junk,
    hostnameLetters: lettersOf(settings.hostname),
    milters: submissionMilters(settings).map(postfixEndpoint).join(', '),
    defaultTransport: defaultTransport(settings),
    relayTls: settings.relayTls.level,
    relayCaFile: settings.relayTls.caFile,
    tlsCertificateFile: settings.tls.certificateFile,
    tlsKeyFile: settings.tls.keyFile,
    forwarding: forwarding !== null,
    srsDomain: forwarding && forwarding.srsDomain,
    srsSenderMap: forwarding && forwarding.senderMap,
    srsRecipientMap: forwarding && forwarding.recipientMap,
    probeDomain: PROBE_DOMAIN,
    probeAddress: PROBE_ADDRESS,
    doctor: `inet:${hostAndPort(settings.doctor.address.host, settings.doctor.address.port)}`,
    doctorMailbox: settings.doctor.mailbox,
    trustedHosts: dovecot.trustedNetworks.map((host) => (isIP(host) === 6 ? `[${host}]` : host)).join(' '),
    mxAddress: postfix.mx.host !== null && isIP(postfix.mx.host) !== 0 ? postfix.mx.host : null,
    fastFailures: settings.test.fastFailures,
    extra: postfix.extra.join('\n'),
  };
}

/**
 * An expression for a host name, also with a backslash before its characters, which a quoted name may have (RFC 5322
 * section 3.2.4).
 */
function lettersOf(hostname: string): string {
  return Array.from(hostname, (letter) => (letter === '.' ? '\\.' : letter)).join('\\\\?');
}

/** A filter that does not answer is passed over; Mailstead's milter, which counts what is forwarded, is not. */
function inboundMilters({ inboundMilters: filters, forwarding, milter }: MailStackSettings): string {
  return [
    ...filters.map((filter) => `{ ${postfixEndpoint(filter)}, default_action=accept }`),
    ...(forwarding === null || milter === null ? [] : [postfixEndpoint(milter)]),
  ].join(', ');
}

/** Mailstead's milter is the last one, because no later milter may refuse a counted message. */
export function submissionMilters({ otherMilters, milter }: MailStackSettings): Endpoint[] {
  return [...otherMilters, ...(milter === null ? [] : [milter])];
}

function masterCfValues(settings: MailStackSettings): TemplateValues {
  const { postfix, test } = settings;
  const service = (address: ListenAddress | null): string | null => address && hostAndPort(address.host, address.port);
  return {
    mx: service(postfix.mx),
    submission: service(postfix.submission),
    submissions: service(postfix.submissions),
    hasSes: hasSes(settings),
    maxUse: test.smtpdMaxUse === 0 ? null : test.smtpdMaxUse,
  };
}

/** Whether a relay is SES, which reads `X-SES-` fields. */
export function hasSes({ relays }: MailStackSettings): boolean {
  return relays.some(({ kind }) => kind === 'ses');
}

function serviceOf({ kind }: RelaySettings): Relay['service'] {
  return kind === 'ses' ? 'ses' : 'smtp';
}

/** Returns the transport of the default relay; null without submission. */
function defaultTransport(settings: MailStackSettings): string | null {
  const [relay] = sqlMapSettings(settings).relays;
  return relay === undefined ? null : `${relay.service}:${relay.nextHop}`;
}

/** The brackets turn off the MX look-up for the relay. */
function relayHost(relay: RelaySettings): string {
  return `[${relay.host}]:${relay.port}`;
}

function databaseHosts({ host, port, socket }: MailStackSettings['database']): string {
  const inet = `inet:${host}:${port}`;
  return `${inet} ${socket === null ? inet : `unix:${socket}`}`;
}
