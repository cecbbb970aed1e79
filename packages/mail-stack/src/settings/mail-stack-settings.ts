import {
  ENDPOINT,
  type Endpoint,
  FILE_PATH,
  LISTEN_ADDRESS,
  type ListenAddress,
  parseEndpoint,
  parseListenAddress,
} from './endpoint.js';
import { SettingReader } from './setting-reader.js';

/** A relay that takes our outbound mail, and what we log in with. */
export interface RelaySettings {
  host: string;
  port: number;
  username: string;
  password: string;
}

export interface DatabaseLogin {
  user: string;
  password: string;
}

/** Everything that the files of the mail servers depend on. `settings.example.json` shows the required part. */
export interface MailStackSettings {
  /** The public name of this mail server, and the first half of the ids that the policy daemon counts under. */
  hostname: string;
  /** Who gets the mail to postmaster, abuse and root of this host. */
  postmaster: string;
  ipVersions: 'all' | 'ipv4' | 'ipv6';
  tls: { certificateFile: string; keyFile: string };
  /** The owner of the stored mail; no entry in /etc/passwd is needed. */
  mail: { root: string; uid: number; gid: number };
  postfix: {
    configDirectory: string;
    /** Null: as the package has it. */
    queueDirectory: string | null;
    dataDirectory: string | null;
    /** The second instance, which alone has the relays; used when there is a submission service. */
    submissionInstance: { configDirectory: string; queueDirectory: string; dataDirectory: string };
    /** Of both instances. Null: syslog. */
    logFile: string | null;
    mx: ListenAddress;
    submission: ListenAddress | null;
    submissions: ListenAddress | null;
    messageSizeMb: number;
  };
  dovecot: {
    configDirectory: string;
    baseDirectory: string;
    stateDirectory: string;
    logFile: string | null;
    instanceName: string;
    imap: ListenAddress | null;
    imaps: ListenAddress | null;
    lmtp: Endpoint;
    sasl: Endpoint;
    quotaStatus: Endpoint;
    doveadm: ListenAddress & { host: string; apiKey: string };
  };
  database: {
    host: string;
    port: number;
    /** The server's unix socket, when it runs on this machine: the second way for Postfix to reach it. */
    socket: string | null;
    name: string;
    /** From where the read-only users may connect, as MariaDB sees it. */
    clients: string[];
    postfix: DatabaseLogin;
    dovecot: DatabaseLogin;
  };
  /** The first one takes the mail of every sender that `mta_relay` does not name. Empty only where nobody submits. */
  relays: RelaySettings[];
  relayTls: { level: 'secure' | 'encrypt'; caFile: string };
  /** How bounces of submitted mail leave: `direct` to the recipient's server, or through the relay. All others leave directly. */
  bounces: 'direct' | 'relay';
  /** Null: aliases to outside addresses are not used. */
  forwarding: { srsDomain: string; senderMap: string; recipientMap: string } | null;
  policyd: Endpoint;
  /** Checks the header and counts what passed. Null only where nothing leaves: without relays and forwarding. */
  milter: Endpoint | null;
  /** Asked before ours on submission. */
  otherMilters: Endpoint[];
  api: { url: string };
  /** What only tests switch on. */
  test: { smtpdMaxUse: number | null; fastFailures: boolean };
}

/** The settings file does not fit; the message lists every problem, one a line. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings of the mail stack are not right:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

const HOST_NAME = {
  pattern: /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/,
  expects: 'a host name of at least two labels, in lower case',
};
const ADDRESS = { pattern: /^[a-z0-9._=~&+-]+@[a-z0-9.-]+\.[a-z0-9-]+$/, expects: 'a mail address in lower case' };
const SERVER = { pattern: /^[A-Za-z0-9.:-]+$/, expects: 'a host name or an IP address' };
const DATABASE_HOST = {
  pattern: /^(?!localhost$)[A-Za-z0-9.-]+$/,
  expects: 'a host name or an IPv4 address (not localhost, which means the socket)',
};
const DATABASE_WORD = { pattern: /^[A-Za-z0-9_]{1,64}$/, expects: 'of letters, digits and _' };
const DATABASE_CLIENT = { pattern: /^[A-Za-z0-9.:%_-]{1,255}$/, expects: 'a host as MariaDB writes it' };
const INSTANCE_NAME = { pattern: /^[A-Za-z0-9_-]{1,64}$/, expects: 'of letters, digits, _ and -' };
const SECRET = {
  pattern: /^(?!change-me)[A-Za-z0-9._~+/=-]{16,128}$/,
  expects: "16 to 128 letters, digits and ._~+/=-, and not the example's",
};
const RELAY_USER = {
  pattern: /^(?!change-me)[!-9;-~]{1,128}$/,
  expects: "printable ASCII without blanks and colons, and not the example's",
};
const RELAY_PASSWORD = {
  pattern: /^(?!change-me)[!-~]{1,256}$/,
  expects: "printable ASCII without blanks, and not the example's",
};
const LOOKUP_TABLE = {
  pattern: /^(tcp:[A-Za-z0-9.-]+:\d+|socketmap:[A-Za-z0-9:/._-]+)$/,
  expects: 'a Postfix table such as tcp:127.0.0.1:10001',
};
const HTTP_URL = {
  pattern: /^https?:\/\/[A-Za-z0-9.:[\]-]+(\/[A-Za-z0-9._/-]*)?$/,
  expects: 'an http or https address',
};

/** Reads the parsed JSON of a settings file. Throws SettingsError with every problem at once. */
export function parseMailStackSettings(source: unknown): MailStackSettings {
  const problems: string[] = [];
  const readers: SettingReader[] = [];
  const watched = <T extends SettingReader | null>(reader: T): T => {
    if (reader !== null) {
      readers.push(reader);
    }
    return reader;
  };
  const root = watched(new SettingReader(source, '', problems));
  const tls = watched(root.section('tls'));
  const mail = watched(root.section('mail'));
  const relays = root.sections('relays').map(watched).map(readRelay);
  const relayTls = watched(root.section('relayTls'));
  const forwarding = watched(root.optionalSection('forwarding'));
  const test = watched(root.section('test'));
  const settings: MailStackSettings = {
    hostname: root.text('hostname', HOST_NAME),
    postmaster: root.text('postmaster', ADDRESS),
    ipVersions: root.choice('ipVersions', ['all', 'ipv4', 'ipv6'], 'all'),
    tls: { certificateFile: tls.text('certificateFile', FILE_PATH), keyFile: tls.text('keyFile', FILE_PATH) },
    mail: {
      root: mail.text('root', FILE_PATH, '/var/vmail'),
      uid: mail.integer('uid', 1, 65_533, 5000),
      gid: mail.integer('gid', 1, 65_533, 5000),
    },
    postfix: readPostfix(watched(root.section('postfix')), watched),
    dovecot: readDovecot(watched(root.section('dovecot')), watched),
    database: readDatabase(watched(root.section('database')), watched),
    relays,
    relayTls: {
      level: relayTls.choice('level', ['secure', 'encrypt'], 'secure'),
      caFile: relayTls.text('caFile', FILE_PATH, '/etc/ssl/certs/ca-certificates.crt'),
    },
    bounces: root.choice('bounces', ['direct', 'relay'], 'direct'),
    forwarding: forwarding && {
      srsDomain: forwarding.text('srsDomain', HOST_NAME),
      senderMap: forwarding.text('senderMap', LOOKUP_TABLE, 'tcp:127.0.0.1:10001'),
      recipientMap: forwarding.text('recipientMap', LOOKUP_TABLE, 'tcp:127.0.0.1:10002'),
    },
    policyd: endpoint(root, 'policyd', '127.0.0.1:10040'),
    milter: optional(root.optionalText('milter', ENDPOINT, '127.0.0.1:10041'), parseEndpoint),
    otherMilters: root.texts('otherMilters', ENDPOINT, []).map(parseEndpoint),
    api: { url: watched(root.section('api')).text('url', HTTP_URL, 'http://127.0.0.1:8080') },
    test: {
      smtpdMaxUse: test.integer('smtpdMaxUse', 0, 1000, 0) || null,
      fastFailures: test.flag('fastFailures', false),
    },
  };
  refuseUncounted(root, settings);
  for (const reader of readers) {
    reader.refuseUnknown();
  }
  if (problems.length > 0) {
    throw new SettingsError(problems);
  }
  return settings;
}

/** Whatever leaves is counted by the milter, and whoever may submit needs a relay. */
function refuseUncounted(root: SettingReader, { postfix, relays, forwarding, milter }: MailStackSettings): void {
  const submits = postfix.submission !== null || postfix.submissions !== null;
  if (submits && relays.length === 0) {
    root.problem(
      'relays',
      'must be a list with at least one entry, as postfix.submission or postfix.submissions is on',
    );
  }
  if (milter === null && (relays.length > 0 || forwarding !== null)) {
    root.problem('milter', 'must not be null while there are relays or forwarding: it counts what leaves');
  }
}

function readPostfix(
  reader: SettingReader,
  watched: (reader: SettingReader) => SettingReader,
): MailStackSettings['postfix'] {
  const submission = watched(reader.section('submissionInstance'));
  return {
    configDirectory: reader.text('configDirectory', FILE_PATH, '/etc/postfix'),
    queueDirectory: reader.optionalText('queueDirectory', FILE_PATH, null),
    dataDirectory: reader.optionalText('dataDirectory', FILE_PATH, null),
    submissionInstance: {
      configDirectory: submission.text('configDirectory', FILE_PATH, '/etc/postfix-submission'),
      queueDirectory: submission.text('queueDirectory', FILE_PATH, '/var/spool/postfix-submission'),
      dataDirectory: submission.text('dataDirectory', FILE_PATH, '/var/lib/postfix-submission'),
    },
    logFile: reader.optionalText('logFile', FILE_PATH, null),
    mx: listen(reader, 'mx', '25'),
    submission: optional(reader.optionalText('submission', LISTEN_ADDRESS, '587'), parseListenAddress),
    submissions: optional(reader.optionalText('submissions', LISTEN_ADDRESS, '465'), parseListenAddress),
    messageSizeMb: reader.integer('messageSizeMb', 1, 1024, 40),
  };
}

function readDovecot(
  reader: SettingReader,
  watched: (reader: SettingReader) => SettingReader,
): MailStackSettings['dovecot'] {
  const doveadm = watched(reader.section('doveadm'));
  const address = listen(doveadm, 'address', '127.0.0.1:2180');
  return {
    configDirectory: reader.text('configDirectory', FILE_PATH, '/etc/dovecot'),
    baseDirectory: reader.text('baseDirectory', FILE_PATH, '/run/dovecot'),
    stateDirectory: reader.text('stateDirectory', FILE_PATH, '/var/lib/dovecot'),
    logFile: reader.optionalText('logFile', FILE_PATH, null),
    instanceName: reader.text('instanceName', INSTANCE_NAME, 'mailstead'),
    imap: optional(reader.optionalText('imap', LISTEN_ADDRESS, '143'), parseListenAddress),
    imaps: optional(reader.optionalText('imaps', LISTEN_ADDRESS, '993'), parseListenAddress),
    lmtp: endpoint(reader, 'lmtp', '/var/spool/postfix/private/dovecot-lmtp'),
    sasl: endpoint(reader, 'sasl', '/var/spool/postfix/private/dovecot-auth'),
    quotaStatus: endpoint(reader, 'quotaStatus', '/var/spool/postfix/private/dovecot-quota'),
    doveadm: { host: address.host ?? '127.0.0.1', port: address.port, apiKey: doveadm.text('apiKey', SECRET) },
  };
}

function readDatabase(
  reader: SettingReader,
  watched: (reader: SettingReader) => SettingReader,
): MailStackSettings['database'] {
  const login = (name: string): DatabaseLogin => {
    const section = watched(reader.section(name));
    return {
      user: section.text('user', DATABASE_WORD, `mailstead_${name}`),
      password: section.text('password', SECRET),
    };
  };
  return {
    host: reader.text('host', DATABASE_HOST, '127.0.0.1'),
    port: reader.integer('port', 1, 65_535, 3306),
    socket: reader.optionalText('socket', FILE_PATH, '/run/mysqld/mysqld.sock'),
    name: reader.text('name', DATABASE_WORD, 'mailstead'),
    clients: reader.texts('clients', DATABASE_CLIENT, ['localhost', '127.0.0.1']),
    postfix: login('postfix'),
    dovecot: login('dovecot'),
  };
}

function readRelay(reader: SettingReader): RelaySettings {
  return {
    host: reader.text('host', SERVER),
    port: reader.integer('port', 1, 65_535, 587),
    username: reader.text('username', RELAY_USER),
    password: reader.text('password', RELAY_PASSWORD),
  };
}

function endpoint(reader: SettingReader, name: string, fallback: string): Endpoint {
  return parseEndpoint(reader.text(name, ENDPOINT, fallback));
}

function listen(reader: SettingReader, name: string, fallback: string): ListenAddress {
  return parseListenAddress(reader.text(name, LISTEN_ADDRESS, fallback));
}

function optional<T>(text: string | null, parse: (text: string) => T): T | null {
  return text === null ? null : parse(text);
}
