import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Endpoint, hostAndPort, type ListenAddress, postfixEndpoint } from '../settings/endpoint.js';
import type { MailStackSettings, RelaySettings } from '../settings/mail-stack-settings.js';
import { fillTemplate, type TemplateValues } from './fill-template.js';
import { renderGrants } from './render-grants.js';
import { SQL_MAPS } from './sql-maps.js';

/** Who may read a rendered file: everybody, Postfix's own processes (root and its group), or root alone. */
export type Readers = 'everyone' | 'postfix' | 'root';

export interface RenderedFile {
  /** Relative to the output folder. */
  path: string;
  content: string;
  readers: Readers;
}

const TEMPLATES = new URL('../../templates/', import.meta.url);

/** Every file of the mail servers, from valid settings. Pure but for reading the templates. */
export function renderMailStack(settings: MailStackSettings): RenderedFile[] {
  const { database } = settings;
  const file = (path: string, readers: Readers, template: string, values: TemplateValues): RenderedFile => ({
    path,
    readers,
    content: fillTemplate(readFileSync(new URL(template, TEMPLATES), 'utf8'), values),
  });
  return [
    file('postfix/main.cf', 'everyone', 'postfix/main.cf', mainCfValues(settings)),
    file('postfix/master.cf', 'everyone', 'postfix/master.cf', masterCfValues(settings)),
    ...SQL_MAPS.map((map) =>
      file(`postfix/sql/${map.name}.cf`, 'postfix', 'postfix/sql-map.cf', {
        purpose: map.purpose,
        query: map.query,
        hosts: databaseHosts(database),
        user: database.postfix.user,
        password: database.postfix.password,
        database: database.name,
      }),
    ),
    file('postfix/relay-passwords', 'root', 'postfix/relay-passwords', {
      relayPasswords: settings.relays
        .map((relay) => `${relayHost(relay)} ${relay.username}:${relay.password}`)
        .join('\n'),
    }),
    file('dovecot/dovecot.conf', 'root', 'dovecot/dovecot.conf', dovecotValues(settings)),
    file('dovecot/dovecot-sql.conf.ext', 'root', 'dovecot/dovecot-sql.conf.ext', {
      databaseHost: database.host,
      databasePort: database.port,
      database: database.name,
      user: database.dovecot.user,
      password: database.dovecot.password,
      mailRoot: settings.mail.root,
    }),
    file('grants.sql', 'root', 'database/grants.sql', { database: database.name, statements: renderGrants(database) }),
    file('mailstead.env', 'root', 'mailstead.env', {
      hostname: settings.hostname,
      doveadmUrl: `http://${hostAndPort(settings.dovecot.doveadm.host, settings.dovecot.doveadm.port)}/doveadm/v1`,
      doveadmApiKey: settings.dovecot.doveadm.apiKey,
      mailRoot: settings.mail.root,
    }),
  ];
}

function mainCfValues(settings: MailStackSettings): TemplateValues {
  const { postfix, dovecot, forwarding } = settings;
  const direct = [
    ...(settings.bounces === 'direct' ? ['<>'] : []),
    ...(forwarding ? [`@${forwarding.srsDomain}`] : []),
  ];
  return {
    hostname: settings.hostname,
    postmaster: settings.postmaster,
    inetProtocols: settings.ipVersions,
    queueDirectory: postfix.queueDirectory,
    dataDirectory: postfix.dataDirectory,
    logFile: postfix.logFile,
    logFolder: postfix.logFile === null ? null : dirname(postfix.logFile),
    messageSizeLimit: postfix.messageSizeMb * 1_048_576,
    lmtp: postfixEndpoint(dovecot.lmtp),
    // For SASL a path stands alone, without "unix:".
    sasl: dovecot.sasl.kind === 'unix' ? dovecot.sasl.path : postfixEndpoint(dovecot.sasl),
    quotaStatus: postfixEndpoint(dovecot.quotaStatus),
    policyd: postfixEndpoint(settings.policyd),
    milter: settings.milter && postfixEndpoint(settings.milter),
    defaultRelay: relayHost(settings.relays[0]),
    relayTls: settings.relayTls.level,
    relayCaFile: settings.relayTls.caFile,
    tlsCertificateFile: settings.tls.certificateFile,
    tlsKeyFile: settings.tls.keyFile,
    bouncesWhy:
      settings.bounces === 'direct'
        ? 'the relay takes only senders that it verified.'
        : 'they go to the default relay.',
    direct: direct.length > 0,
    directTransports: direct.map((sender) => `{ ${sender} = direct: }`).join(' '),
    forwarding: forwarding !== null,
    srsDomain: forwarding && forwarding.srsDomain,
    srsSenderMap: forwarding && forwarding.senderMap,
    srsRecipientMap: forwarding && forwarding.recipientMap,
    fastFailures: settings.test.fastFailures,
  };
}

function masterCfValues({ postfix, test }: MailStackSettings): TemplateValues {
  const service = (address: ListenAddress | null): string | null => address && hostAndPort(address.host, address.port);
  return {
    mx: service(postfix.mx),
    submission: service(postfix.submission),
    submissions: service(postfix.submissions),
    maxUse: test.smtpdMaxUse,
  };
}

function dovecotValues(settings: MailStackSettings): TemplateValues {
  const { dovecot, mail, tls, ipVersions } = settings;
  const port = (address: ListenAddress | null): string | null =>
    address && lines(4, [...(address.host === null ? [] : [`address = ${address.host}`]), `port = ${address.port}`]);
  return {
    instanceName: dovecot.instanceName,
    baseDirectory: dovecot.baseDirectory,
    stateDirectory: dovecot.stateDirectory,
    logFile: dovecot.logFile,
    listen: { all: '*, ::', ipv4: '*', ipv6: '::' }[ipVersions],
    tlsCertificateFile: tls.certificateFile,
    tlsKeyFile: tls.keyFile,
    fastFailures: settings.test.fastFailures,
    sqlFile: `${dovecot.configDirectory}/dovecot-sql.conf.ext`,
    mailUid: mail.uid,
    mailGid: mail.gid,
    imap: port(dovecot.imap),
    imaps: port(dovecot.imaps),
    lmtpListener: dovecotListener('lmtp', dovecot.lmtp),
    authListener: dovecotListener('postfix', dovecot.sasl),
    quotaStatusListener: dovecotListener('policy', dovecot.quotaStatus),
    doveadmListener: port(dovecot.doveadm),
    doveadmApiKey: dovecot.doveadm.apiKey,
  };
}

/** A listener of a Dovecot service; a unix socket is Postfix's alone. */
function dovecotListener(name: string, endpoint: Endpoint): string {
  return endpoint.kind === 'unix'
    ? lines(2, [`unix_listener ${endpoint.path} {`, '  user = postfix', '  group = postfix', '  mode = 0600', '}'])
    : lines(2, [`inet_listener ${name} {`, `  address = ${endpoint.host}`, `  port = ${endpoint.port}`, '}']);
}

function lines(indent: number, texts: string[]): string {
  return texts.map((text) => ' '.repeat(indent) + text).join('\n');
}

/** The brackets keep Postfix from asking DNS for mail exchangers of the relay. */
function relayHost(relay: RelaySettings): string {
  return `[${relay.host}]:${relay.port}`;
}

function databaseHosts({ host, port, socket }: MailStackSettings['database']): string {
  const inet = `inet:${host}:${port}`;
  return `${inet} ${socket === null ? inet : `unix:${socket}`}`;
}
