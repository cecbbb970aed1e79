import type { RedisOptions } from 'ioredis';
import { decoded, hostOf, isPort, parseQuery, parseServerUrl, WrongPart } from '../server-url.js';

const EXAMPLE = 'redis://user:password@host:6379/0';
const PLAIN = /^rediss?:\/\//;
const SENTINELS =
  /^(?<scheme>rediss?)\+sentinel:\/\/(?:(?<user>[^@]*)@)?(?<hosts>[^/?]*)(?:\/(?<name>[^?]*))?(?:\?(?<query>.*))?$/;
const SENTINEL_PORT = 26_379;
/** The names that Sentinel accepts for a primary. */
const MASTER_NAME = /^[A-Za-z0-9._-]{1,255}$/;
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
  const { scheme, account, host, port, rest } = parseServerUrl(url, ['redis', 'rediss'], EXAMPLE);
  const [after, path, query = null] = /^(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(rest) ?? [];
  if (after === undefined)
    throw new WrongPart(`must be like ${EXAMPLE}: after the database nothing may follow but a query`);
  const values = parseQuery(query, ['db', 'family']);
  const database = path === '' ? undefined : path;
  const db = values.get('db') ?? database ?? '0';
  if (database !== undefined && values.has('db')) throw new WrongPart('the database is given twice');
  const family = values.get('family');
  return {
    host,
    port: port ?? 6_379,
    ...(account === null || account.user === '' ? {} : { username: account.user }),
    ...(account === null || account.password === '' ? {} : { password: account.password }),
    db: databaseOf(db, 'the database after the host'),
    ...(family === undefined ? {} : { family: familyOf(family) }),
    ...(scheme === 'rediss' ? { tls: {} } : {}),
  };
}

function familyOf(text: string): number {
  if (text !== '4' && text !== '6') throw new WrongPart('the family must be 4 or 6');
  return Number(text);
}

function sentinelOf(text: string, index: number): { host: string; port: number } {
  const [, name = '', port = String(SENTINEL_PORT)] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text) ?? [];
  const host = hostOf(name);
  if (host === null || !isPort(port)) {
    throw new WrongPart(`sentinel ${index + 1} must be a host, or host:port with a port from 1 to 65535`);
  }
  return { host, port: Number(port) };
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
  const values = parseQuery(query, ['db', 'sentinel_user', 'sentinel_password']);
  const [db, user, password] = [values.get('db'), values.get('sentinel_user'), values.get('sentinel_password')];
  if (user !== undefined && !password) throw new WrongPart('sentinel_user needs sentinel_password');
  if (user === '' || password === '') throw new WrongPart('sentinel_user and sentinel_password must not be empty');
  return {
    db: db === undefined ? 0 : databaseOf(db, 'db'),
    ...(user === undefined ? {} : { sentinelUsername: user }),
    ...(password === undefined ? {} : { sentinelPassword: password }),
  };
}

function databaseOf(text: string, what: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= MAX_DATABASE)) throw new WrongPart(`${what} must be a whole number from 0 to ${MAX_DATABASE}`);
  return number;
}
