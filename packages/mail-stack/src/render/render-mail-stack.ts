import { readFileSync } from 'node:fs';
import { type Endpoint, hostAndPort, type ListenAddress } from '../settings/endpoint.js';
import type { DovecotVersion, MailStackSettings } from '../settings/mail-stack-settings.js';
import { dovecotVersionOf } from './dovecot-version.js';
import { fillTemplate, type TemplateValues } from './fill-template.js';
import { renderGrants } from './render-grants.js';
import { renderLogs } from './render-logs.js';
import { configDirectoryOf, hasSes, postfixInstances, renderPostfix } from './render-postfix.js';
import { sessionLimits } from './session-limits.js';

/** The readers of a rendered file: all users, root and the group `postfix`, or only root. */
export type Readers = 'everyone' | 'postfix' | 'root';

export interface RenderedFile {
  /** Relative to the output folder. */
  path: string;
  content: string;
  readers: Readers;
}

const TEMPLATES = new URL('../../templates/', import.meta.url);
const SCRIPT = 'mailstead.sieve';
const TLS_FILE = 'dovecot-database-tls.conf.ext';
/** `LimitNOFILE` of Debian's unit of Dovecot, which is never lowered. */
const FILES_OF_DEBIAN = 65_535;

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
    ...renderDovecot(settings),
    file('grants.sql', 'root', ['database/grants.sql'], {
      database: database.name,
      statements: renderGrants(settings),
    }),
    file('mailstead.env', 'root', ['mailstead.env'], {
      hostname: settings.hostname,
      doveadmUrl: `http://${hostAndPort(doveadm.host, doveadm.port)}/doveadm/v1`,
      doveadmApiKey: settings.dovecot.doveadm.apiKey,
      mailRoot: settings.mail.root,
      frames: framesOf(settings),
    }),
    ...logRotation(settings),
    ...renderLogs(settings, file),
    ...renderLimits(settings),
    file('policyd.env', 'root', ['policyd.env'], {
      hasSes: hasSes(settings),
      trustedNetworks: settings.dovecot.trustedNetworks.join(','),
      mxDirectory: configDirectoryOf(settings, 'mx'),
      submissionDirectory: postfixInstances(settings).includes('submission')
        ? configDirectoryOf(settings, 'submission')
        : null,
      dovecotDirectory: settings.dovecot.configDirectory,
      logFile: settings.dovecot.logFile,
      hostname: settings.hostname,
      postfixLog: settings.postfix.logFile,
      srsDomain: settings.forwarding && settings.forwarding.srsDomain,
      countDownloads: settings.dovecot.countDownloads,
      instanceName: settings.dovecot.instanceName,
      sessions: settings.dovecot.sessions,
      frames: framesOf(settings),
    }),
  ];
}

/** The address for frames as Mailstead's processes read it; null when the API is on another machine. */
function framesOf({ api }: MailStackSettings): string | null {
  const { hostname } = new URL(api.url);
  if (api.frames === null || !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return null;
  return api.frames.kind === 'unix' ? `unix:${api.frames.path}` : hostAndPort(api.frames.host, api.frames.port);
}

/** Without a file of its own, Postfix's log is the journal's or syslog's, which have their own rotation. */
function logRotation(settings: MailStackSettings): RenderedFile[] {
  const { logFile, configDirectory, submissionInstance } = settings.postfix;
  if (logFile === null) return [];
  const submits = postfixInstances(settings).includes('submission');
  const submissionDirectory = submits ? submissionInstance.configDirectory : null;
  const template = 'logrotate/mailstead-postfix';
  return [file(template, 'everyone', [template], { logFile, configDirectory, submissionDirectory })];
}

/** Renders what systemd and the kernel must allow for the sessions of Dovecot. */
function renderLimits(settings: MailStackSettings): RenderedFile[] {
  const limits = sessionLimits(settings);
  const values = { ...limits, openFiles: Math.max(limits.openFiles, FILES_OF_DEBIAN) };
  return [
    file('sysctl.d/60-mailstead.conf', 'everyone', ['limits/sysctl.conf'], values),
    file('systemd/dovecot.service.d/mailstead.conf', 'everyone', ['limits/dovecot.service'], values),
  ];
}

/** Renders the part of a version of Dovecot and the part of both. Only 2.3 has its queries in a file of their own. */
function renderDovecot(settings: MailStackSettings): RenderedFile[] {
  const version = dovecotVersionOf(settings);
  const values = dovecotValues(settings, version);
  const templates = [`dovecot-${version}`, `sieve-${version}`, 'sessions', 'dovecot', 'downloads'].map(
    (name) => `dovecot/${name}.conf`,
  );
  return [
    file('dovecot/dovecot.conf', 'root', templates, values),
    ...(version === '2.3'
      ? [file('dovecot/dovecot-sql.conf.ext', 'root', ['dovecot/dovecot-sql.conf.ext'], values)]
      : []),
    // It has no secret: the processes that connect are not root.
    ...(settings.database.tls === null
      ? []
      : [file(`dovecot/${TLS_FILE}`, 'everyone', [`dovecot/${TLS_FILE}`], values)]),
    file(`dovecot/${SCRIPT}`, 'everyone', ['dovecot/mailstead.sieve'], values),
  ];
}

function dovecotValues(settings: MailStackSettings, version: DovecotVersion): TemplateValues {
  const { dovecot, postfix, mail, tls, ipVersions, database } = settings;
  const port = (address: ListenAddress | null): string | null => address && lines(4, listenLines(address, version));
  const listener = (name: string, endpoint: Endpoint): string => dovecotListener(name, endpoint, version);
  return {
    instanceName: dovecot.instanceName,
    baseDirectory: dovecot.baseDirectory,
    stateDirectory: dovecot.stateDirectory,
    logFile: dovecot.logFile,
    listen: { all: '*, ::', ipv4: '*', ipv6: '::' }[ipVersions],
    tlsCertificateFile: tls.certificateFile,
    tlsKeyFile: tls.keyFile,
    logins: settings.logins && hostAndPort(settings.logins.host ?? '127.0.0.1', settings.logins.port),
    trustedNetworks: dovecot.trustedNetworks.join(' '),
    fastFailures: settings.test.fastFailures,
    sqlFile: `${dovecot.configDirectory}/dovecot-sql.conf.ext`,
    databaseHost: database.host,
    databasePort: database.port,
    database: database.name,
    databaseUser: database.dovecot.user,
    databasePassword: database.dovecot.password,
    databaseTlsFile: `${dovecot.configDirectory}/${TLS_FILE}`,
    databaseCaFile: database.tls && database.tls.caFile,
    // A megabyte more than Postfix accepts, for the fields that servers add to the header.
    largestStored: (postfix.messageSizeMb + 1) * 1_048_576,
    mailRoot: mail.root,
    mailUid: mail.uid,
    mailGid: mail.gid,
    imap: port(dovecot.imap),
    imaps: port(dovecot.imaps),
    pop3s: port(dovecot.pop3s),
    lmtpListener: listener('lmtp', dovecot.lmtp),
    authListener: listener('postfix', dovecot.sasl),
    quotaStatusListener: listener('policy', dovecot.quotaStatus),
    doveadmListener: port(dovecot.doveadm.address),
    doveadmApiKey: dovecot.doveadm.apiKey,
    countDownloads: dovecot.countDownloads,
    ...sessionLimits(settings),
    loginRequests: version === '2.3' ? 'service_count = 0' : 'restart_request_count = unlimited',
    hostname: settings.hostname,
    junk: dovecot.junk,
    script: `${dovecot.configDirectory}/${SCRIPT}`,
    userScripts: `${dovecot.configDirectory}/no-scripts-of-users`,
    extra: dovecot.extra.join('\n'),
  };
}

/** Returns a listener of a Dovecot service. Only Postfix may use a unix socket. */
function dovecotListener(name: string, endpoint: Endpoint, version: DovecotVersion): string {
  if (endpoint.kind === 'unix') {
    return lines(2, [
      `unix_listener ${endpoint.path} {`,
      '  user = postfix',
      '  group = postfix',
      '  mode = 0600',
      '}',
    ]);
  }
  const inside = listenLines(endpoint, version).map((line) => `  ${line}`);
  return lines(2, [`inet_listener ${name} {`, ...inside, '}']);
}

function listenLines({ host, port }: ListenAddress, version: DovecotVersion): string[] {
  const name = version === '2.3' ? 'address' : 'listen';
  return [...(host === null ? [] : [`${name} = ${host}`]), `port = ${port}`];
}

function lines(indent: number, texts: string[]): string {
  return texts.map((text) => ' '.repeat(indent) + text).join('\n');
}
