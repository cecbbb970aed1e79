import { readFileSync } from 'node:fs';
import { type Endpoint, hostAndPort, type ListenAddress } from '../settings/endpoint.js';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { fillTemplate, type TemplateValues } from './fill-template.js';
import { renderGrants } from './render-grants.js';
import { hasSes, renderPostfix } from './render-postfix.js';

/** The readers of a rendered file: all users, root and the group `postfix`, or only root. */
export type Readers = 'everyone' | 'postfix' | 'root';

export interface RenderedFile {
  /** Relative to the output folder. */
  path: string;
  content: string;
  readers: Readers;
}

const TEMPLATES = new URL('../../templates/', import.meta.url);

/** Renders one file from one or several templates, in order. */
export type FillFile = (
  path: string,
  readers: Readers,
  templates: readonly string[],
  values: TemplateValues,
) => RenderedFile;

const file: FillFile = (path, readers, templates, values) => {
  const texts = templates.map((template) => readFileSync(new URL(template, TEMPLATES), 'utf8'));
  return { path, readers, content: texts.map((text) => fillTemplate(text, values)).join('') };
};

/** Renders all files of the mail servers from valid settings. Writes nothing. */
export function renderMailStack(settings: MailStackSettings): RenderedFile[] {
  const { database } = settings;
  const doveadm = settings.dovecot.doveadm.address;
  return [
    ...renderPostfix(settings, file),
    file('dovecot/dovecot.conf', 'root', ['dovecot/dovecot.conf'], dovecotValues(settings)),
    file('dovecot/dovecot-sql.conf.ext', 'root', ['dovecot/dovecot-sql.conf.ext'], {
      databaseHost: database.host,
      databasePort: database.port,
      database: database.name,
      user: database.dovecot.user,
      password: database.dovecot.password,
      mailRoot: settings.mail.root,
    }),
    file('grants.sql', 'root', ['database/grants.sql'], {
      database: database.name,
      statements: renderGrants(settings),
    }),
    file('mailstead.env', 'root', ['mailstead.env'], {
      hostname: settings.hostname,
      doveadmUrl: `http://${hostAndPort(doveadm.host, doveadm.port)}/doveadm/v1`,
      doveadmApiKey: settings.dovecot.doveadm.apiKey,
      mailRoot: settings.mail.root,
    }),
    file('policyd.env', 'root', ['policyd.env'], { hasSes: hasSes(settings) }),
  ];
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
    logins: settings.logins && hostAndPort(settings.logins.host ?? '127.0.0.1', settings.logins.port),
    fastFailures: settings.test.fastFailures,
    sqlFile: `${dovecot.configDirectory}/dovecot-sql.conf.ext`,
    mailUid: mail.uid,
    mailGid: mail.gid,
    imap: port(dovecot.imap),
    imaps: port(dovecot.imaps),
    pop3s: port(dovecot.pop3s),
    lmtpListener: dovecotListener('lmtp', dovecot.lmtp),
    authListener: dovecotListener('postfix', dovecot.sasl),
    quotaStatusListener: dovecotListener('policy', dovecot.quotaStatus),
    doveadmListener: port(dovecot.doveadm.address),
    doveadmApiKey: dovecot.doveadm.apiKey,
    extra: dovecot.extra.join('\n'),
  };
}

/** Returns a listener of a Dovecot service. Only Postfix may use a unix socket. */
function dovecotListener(name: string, endpoint: Endpoint): string {
  return endpoint.kind === 'unix'
    ? lines(2, [`unix_listener ${endpoint.path} {`, '  user = postfix', '  group = postfix', '  mode = 0600', '}'])
    : lines(2, [`inet_listener ${name} {`, `  address = ${endpoint.host}`, `  port = ${endpoint.port}`, '}']);
}

function lines(indent: number, texts: string[]): string {
  return texts.map((text) => ' '.repeat(indent) + text).join('\n');
}
