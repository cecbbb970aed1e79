import { readFile } from 'node:fs/promises';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import { reasonOf } from '@mailstead/core/errors';
import { until } from '@mailstead/core/testing/until';
import { freePort } from '../../../../scripts/free-port.mjs';
import { type RunningRedis, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { failingFast, refusalIn, waiting } from './redis.js';

const ignore = (): void => undefined;

it.each([
  ["ERR ACL failure in script: User u has no permissions to run the 'set' command", 'Valkey 8'],
  ["ERR The user executing the script can't run this command or subcommand", 'Redis 7.0'],
])('a refusal is told as "%s" without the place in the script (%s)', (words) => {
  const place = ' script: ea83ff7eb8b40129a881c78774e933ceaddcd65d, on @user_script:1.';
  const error = Object.assign(new Error(words + place), { name: 'ReplyError' });
  expect(refusalIn(error)).toBe(words);
});

it('sentinels that are all away are tried again, and told in the same words each time', async () => {
  const ports = [await freePort(), await freePort()];
  const texts: string[] = [];
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const redis = failingFast(`redis+sentinel://${hosts}/mymaster`, (error) => texts.push(reasonOf(error)));
  try {
    await until('three rounds', () => texts.filter((text) => text.startsWith('All sentinels')).length >= 3);
    const words = [...ports.map((port) => `A sentinel: .*ECONNREFUSED 127.0.0.1:${port}$`), '^All sentinels are'];
    const expected = words.map((each) => expect.stringMatching(each));
    expect([...new Set(texts)]).toEqual(expected);
  } finally {
    redis.disconnect();
  }
});

describe('a connection with Redis', () => {
  let services: RunningRedis & Stoppable;

  beforeAll(async () => {
    scaleDeadlines(1);
    services = await startServices({ redis: true });
  });
  afterAll(() => services.stop());

  it.each([
    ['of the producer', failingFast],
    ['of a worker', waiting],
  ])('%s that is idle is kept alive by the kernel after 30 s', async (_, open) => {
    const redis = open(services.redisUrl, ignore);
    try {
      await until('the connection', () => redis.status === 'ready');
      await until('an idle connection', async () => (await timerOf(redis.stream.localPort)).kind === KEEP_ALIVE);
      expect((await timerOf(redis.stream.localPort)).ms).toBeLessThanOrEqual(30_000);
    } finally {
      redis.disconnect();
    }
  });
});

/** The kernel's number of the timer that waits for the keep-alive of an idle connection. */
const KEEP_ALIVE = 2;

/** The timer of a TCP connection: its kind, and when it ends. */
async function timerOf(localPort: number | undefined): Promise<{ kind: number; ms: number }> {
  const port = (localPort ?? 0).toString(16).toUpperCase().padStart(4, '0');
  for (const line of (await readFile('/proc/net/tcp', 'utf8')).split('\n')) {
    const [, local = '', , , , timer = ''] = line.trim().split(/\s+/);
    if (!local.endsWith(`:${port}`)) continue;
    const [kind = '', ticks = ''] = timer.split(':');
    return { kind: Number.parseInt(kind, 16), ms: Number.parseInt(ticks, 16) * 10 };
  }
  throw new Error(`No connection has the port ${localPort}`);
}
