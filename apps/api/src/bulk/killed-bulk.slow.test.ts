import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { CHILD_MASTER, ChildService } from '../testing/child-service.js';
import { TestPlatform } from '../testing/platform.js';

const ITEMS = 500;
const DOMAIN = 'killed.example';
const HASH = `$2b$10$${'a'.repeat(53)}`;
const items = Array.from({ length: ITEMS }, (_, index) => ({ email: `m${index}@${DOMAIN}`, password_hash: HASH }));

interface Outcome {
  status: number;
  replayed?: true;
}

async function bulk({ url }: ChildService): Promise<Outcome[]> {
  const response = await fetch(`${url}/users/bulk`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${CHILD_MASTER}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'import',
    },
    body: JSON.stringify({ items }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Outcome[];
}

async function stored(api: ChildService): Promise<string[]> {
  const { body } = await api.call('GET', `/users/?domain=${DOMAIN}`);
  return (body as unknown as { email: string }[]).map(({ email }) => email);
}

/** Reads the embedded database beside the process that has it. */
async function storedIn(dataDir: string): Promise<number> {
  const database = await openDatabase({ url: null, dataDir, poolSize: 1 });
  const [row] = await database.read('SELECT COUNT(*) AS count FROM mailbox');
  await database.close();
  return Number(row?.count);
}

/** The repeat creates exactly what is missing, and says which items the first request created. */
async function expectCompleted(api: ChildService, before: string[]): Promise<void> {
  expect(before.length).toBeGreaterThan(0);
  expect(before.length).toBeLessThan(ITEMS);
  const outcomes = await bulk(api);
  expect(outcomes.every(({ status }) => status === 201)).toBe(true);
  const replayed = items.filter((_, index) => outcomes[index]?.replayed === true).map(({ email }) => email);
  expect(replayed).toEqual(before);
  expect(await stored(api)).toEqual(items.map(({ email }) => email));
  expect((await api.call('GET', `/domains/${DOMAIN}`)).body.mailboxes).toBe(ITEMS);
  expect((await bulk(api)).every(({ replayed: isReplayed }) => isReplayed === true)).toBe(true);
}

describe('a process that is killed in the middle of a bulk', () => {
  it('leaves whole items behind, which a repeat on another process completes (MariaDB)', async () => {
    const platform = await TestPlatform.start();
    try {
      await platform.api.call('POST', '/domains/', { name: DOMAIN });
      const [victim, other] = platform.apis;
      const lost = bulk(victim).catch(() => null);
      await victim.pauseWhen('the first items', async () => (await stored(other)).length >= 50);
      await victim.end('SIGKILL');
      expect(await lost).toBeNull();
      const before = await stored(other);
      await expectCompleted(other, before);
    } finally {
      await platform.stop();
    }
  });

  it('leaves whole items behind, which a repeat after the restart completes (SQLite)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mailstead-killed-'));
    let api = await ChildService.start({ DATA_DIR: folder });
    try {
      await api.call('POST', '/domains/', { name: DOMAIN });
      const lost = bulk(api).catch(() => null);
      await api.pauseWhen('the first items', async () => (await storedIn(folder)) >= 50);
      await api.end('SIGKILL');
      expect(await lost).toBeNull();
      api = await ChildService.start({ DATA_DIR: folder });
      await expectCompleted(api, await stored(api));
    } finally {
      await api.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
