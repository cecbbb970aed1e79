import type { RedisOptions } from 'ioredis';
import { WrongPart } from '../server-url.js';

const PLAIN = /^rediss?:\/\//;
const SENTINELS =
  /^(?<scheme>rediss?)\+sentinel:\/\/(?:(?<user>[^@]*)@)?(?<hosts>[^/?]*)(?:\/(?<name>[^?]*))?(?:\?(?<query>.*))?$/;
const SENTINEL_PORT = 26_379;
const HOST = /^(?<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)(?::(?<port>\d{1,5}))?$/;
/** The names that Sentinel accepts for a primary. */
const MASTER_NAME = /^[A-Za-z0-9._-]{1,255}$/;
const QUERY_NAMES = ['db', 'sentinel_user', 'sentinel_password'];
const MAX_DATABASE = 65_535;

/**
 * @param url `redis://…`, `rediss://…`, or with sentinels
 * `redis+sentinel://[user:password@]host[:26379],host2/<master name>?db=0&sentinel_user=…&sentinel_password=…`, where
 * `rediss+sentinel://` uses TLS to the sentinels and to Redis
 * @returns ioredis' options of the address
 */
export function redisOptionsOf(url: string): RedisOptions {
  if (PLAIN.test(url)) return plainOptions(url);
  const groups = SENTINELS.exec(url)?.groups;
  if (groups === undefined) throw new WrongPart('the scheme must be redis, rediss, redis+sentinel or rediss+sentinel');
  const { scheme, user, hosts = '', name = '', query = '' } = groups;
  const sentinels = hosts.split(',').map(sentinelOf);
  const master = decoded(name, 'master name');
  if (!MASTER_NAME.test(master)) {
    throw new WrongPart('the master name after the sentinels must be like /mymaster (A-Z a-z 0-9 . _ -)');
  }
  return {
    sentinels,
    name: master,
    ...accountOf(user),
    ...queryOptions(query),
    ...(scheme === 'rediss' ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  };
}

function plainOptions(url: string): RedisOptions {
  if (!URL.canParse(url)) throw new WrongPart('the host or the port is not valid; it must be like redis://host:6379/0');
  const { hostname, port, username, password, pathname, searchParams, protocol } = new URL(url);
  if (hostname === '') throw new WrongPart('the host is missing; it must be like redis://host:6379/0');
  const others = [...searchParams.keys()].filter((name) => name !== 'db' && name !== 'family');
  if (others.length > 0) throw new WrongPart('the query of a URL without sentinels may have only db and family');
  const database = searchParams.get('db') ?? pathname.replace(/^\//, '');
  const family = searchParams.get('family');
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 6_379 : Number(port),
    ...(username === '' ? {} : { username: decoded(username, 'user') }),
    ...(password === '' ? {} : { password: decoded(password, 'password') }),
    db: database === '' ? 0 : databaseOf(database, 'the database after the host'),
    ...(family === null ? {} : { family: familyOf(family) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
}

function familyOf(text: string): number {
  if (text !== '4' && text !== '6') throw new WrongPart('the family must be 4 or 6');
  return Number(text);
}

function sentinelOf(text: string, index: number): { host: string; port: number } {
  const { host, port } = HOST.exec(text)?.groups ?? {};
  const number = port === undefined ? SENTINEL_PORT : Number(port);
  if (host === undefined || number < 1 || number > 65_535) {
    throw new WrongPart(`sentinel ${index + 1} must be a host, or host:port with a port from 1 to 65535`);
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: number };
}

/** The account of Redis itself, `user:password` or `:password`. */
function accountOf(text: string | undefined): RedisOptions {
  if (text === undefined) return {};
  const colon = text.indexOf(':');
  if (colon === -1 || colon === text.length - 1) {
    throw new WrongPart('the password before the @ is missing; it must be like user:password@ or :password@');
  }
  const username = decoded(text.slice(0, colon), 'user');
  return { ...(username === '' ? {} : { username }), password: decoded(text.slice(colon + 1), 'password') };
}

function queryOptions(query: string): RedisOptions {
  const values = new URLSearchParams(query);
  for (const name of values.keys()) {
    if (!QUERY_NAMES.includes(name)) throw new WrongPart(`the query may have only ${QUERY_NAMES.join(', ')}`);
    if (values.getAll(name).length > 1) throw new WrongPart(`${name} is given twice`);
  }
  const [db, user, password] = QUERY_NAMES.map((name) => values.get(name));
  if (user !== null && !password) throw new WrongPart('sentinel_user needs sentinel_password');
  if (user === '' || password === '') throw new WrongPart('sentinel_user and sentinel_password must not be empty');
  return {
    db: typeof db === 'string' ? databaseOf(db, 'db') : 0,
    ...(typeof user === 'string' ? { sentinelUsername: user } : {}),
    ...(typeof password === 'string' ? { sentinelPassword: password } : {}),
  };
}

function databaseOf(text: string, what: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= MAX_DATABASE)) throw new WrongPart(`${what} must be a whole number from 0 to ${MAX_DATABASE}`);
  return number;
}

function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new WrongPart(`the ${what} is not percent-encoded correctly`);
  }
}
