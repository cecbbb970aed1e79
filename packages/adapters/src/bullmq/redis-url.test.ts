import { wrongPartIn } from '../server-url.js';
import { redisOptionsOf } from './redis-url.js';

const SENTINEL = { host: 's1', port: 26_379 };

describe('REDIS_URL', () => {
  it.each([
    ['redis://h', { host: 'h', port: 6_379, db: 0 }],
    ['redis://u:p%40@h:7000/3', { host: 'h', port: 7_000, db: 3, username: 'u', password: 'p@' }],
    ['redis://:p@[::1]:7000/?db=4&family=6', { host: '::1', port: 7_000, db: 4, password: 'p', family: 6 }],
    ['rediss://h/', { host: 'h', port: 6_379, db: 0, tls: {} }],
    ['redis+sentinel://s1/mymaster', { sentinels: [SENTINEL], name: 'mymaster', db: 0 }],
    [
      'redis+sentinel://u:p%2F@s1,s2:5000,[::1]:5001/my-master?db=2&sentinel_user=su&sentinel_password=s%26p+x',
      {
        sentinels: [SENTINEL, { host: 's2', port: 5_000 }, { host: '::1', port: 5_001 }],
        name: 'my-master',
        username: 'u',
        password: 'p/',
        db: 2,
        sentinelUsername: 'su',
        sentinelPassword: 's&p+x',
      },
    ],
    ['redis+sentinel://:p@s1/m', { sentinels: [SENTINEL], name: 'm', password: 'p', db: 0 }],
    [
      'rediss+sentinel://s1/m?sentinel_password=x',
      {
        sentinels: [SENTINEL],
        name: 'm',
        db: 0,
        sentinelPassword: 'x',
        tls: {},
        sentinelTLS: {},
        enableTLSForSentinelMode: true,
      },
    ],
  ])('%s becomes options of ioredis', (url, options) => {
    expect(redisOptionsOf(url)).toEqual(options);
  });

  it.each([
    ['redis://h:99999', /port must be a number from 1 to 65535/],
    ['redis://h/abc', /database after the host/],
    ['redis://h/?x=1', /only db, family/],
    ['redis+sentinel:///m', /sentinel 1/],
    ['redis+sentinel://s1,,s3/m', /sentinel 2/],
    ['redis+sentinel://s1,s2:0/m', /sentinel 2/],
    ['redis+sentinel://s1:70000/m', /sentinel 1/],
    ['redis+sentinel://s1', /master name/],
    ['redis+sentinel://s1/', /master name/],
    ['redis+sentinel://s1/a/b', /master name/],
    ['redis+sentinel://s1/%zz', /master name/],
    ['redis+sentinel://secret@s1/m', /password before the @/],
    ['redis+sentinel://secret:@s1/m', /password before the @/],
    ['redis+sentinel://u:%zz@s1/m', /password/],
    ['redis+sentinel://s1/m?db=x', /db must be/],
    ['redis+sentinel://s1/m?db=', /db must be/],
    ['redis+sentinel://s1/m?db=1&db=2', /db is given twice/],
    ['redis+sentinel://s1/m?master=x', /only db, sentinel_user, sentinel_password/],
    ['redis+sentinel://s1/m?sentinel_user=u', /sentinel_user needs sentinel_password/],
    ['redis+sentinel://s1/m?sentinel_user=u&sentinel_password=', /needs sentinel_password/],
    ['redis+sentinel://s1/m?sentinel_password=', /must not be empty/],
  ])('%s is refused with the name of the part, and without its text', (url, words) => {
    expect(wrongPartIn(() => redisOptionsOf(url))).toMatch(words);
    expect(wrongPartIn(() => redisOptionsOf(url))).not.toContain('secret');
  });
});
