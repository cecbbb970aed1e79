import { readdir, readFile } from 'node:fs/promises';
import { RESTORE_MARK, restoreMarkOf } from '@mailstead/adapters/database/recovery/restore-mark';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import type { Manifest } from '@mailstead/adapters/recovery/manifest';
import { until } from '@mailstead/core/testing/until';
import { RehearsalWorld } from './testing/rehearsal-world.js';

const VERIFIED = ['acme.example', 'b.example', 'c.example'];
const NONE = { ses: 0, dns: 0, doveadm: 0, webhook: 0 };
const KINDS = ['keys', 'passwords', 'links', 'suspensions', 'blocks', 'deleted'];
const CALLERS = 4;
const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onEachDatabase((kind) => {
  const world = new RehearsalWorld(kind);
  const master = (method: string, path: string, body?: unknown) => world.api.call(method, path, body);
  const mailboxes = async () => {
    const database = await world.database();
    const rows = await database.read<{ local_part: string }>('SELECT local_part FROM mailbox');
    await database.close();
    return rows.map(({ local_part }) => local_part);
  };
  /** A process notices within 5 s. The rest is for the looks at all of them, which take longer on a slow machine. */
  const untilAll = async (isClosed: boolean) => {
    const begun = performance.now();
    await world.closed();
    const lookMs = performance.now() - begun;
    await until(`all processes to be ${isClosed ? 'closed' : 'open'}`, async () =>
      (await world.closed()).every((each) => each === isClosed),
    );
    expect(performance.now() - begun).toBeLessThan(5_000 + 10 * Math.max(lookMs, 100));
  };

  beforeAll(async () => {
    await world.open();
    await world.startProcesses();
    for (const name of VERIFIED) {
      expect((await master('POST', '/domains/', { name, partner_ref: 'acme' })).status).toBe(201);
      await until('the identity', async () => world.outside.ses.identity(name) !== undefined);
      world.outside.ses.verify(name);
      await until(
        `${name} to be verified`,
        async () => (await master('GET', `/domains/${name}/relay-status`)).body.verified === true,
      );
    }
    await master('PUT', '/domains/acme.example/retention', { retention_days: 30 });
    const mailbox = { email: 'alice@acme.example', password: 'correct horse battery 7' };
    expect((await master('POST', '/users/', mailbox)).status).toBe(201);
    await master('PUT', '/domains/b.example/suspend');
  });
  afterAll(() => world.close());

  /** Creates mailboxes from several callers until `done`. @returns those that were acknowledged */
  async function load(done: Promise<unknown>): Promise<string[]> {
    const acknowledged: string[] = [];
    const ending = new AbortController();
    let next = 0;
    const caller = async () => {
      while (!ending.signal.aborted) {
        next += 1;
        const name = `load-${next}`;
        const { status } = await master('POST', '/users/', { email: `${name}@c.example`, password_hash: HASH });
        if (status === 201) acknowledged.push(name);
      }
    };
    const callers = Promise.all(Array.from({ length: CALLERS }, caller));
    await until('some load', () => acknowledged.length > 0);
    await done;
    ending.abort();
    await callers;
    return acknowledged;
  }

  it('a backup beside the loaded service comes back closed, touches nothing outside, and opens in all processes', async () => {
    const { file, recipient } = await world.backups.identity();
    const [plain, encrypted] = [world.backups.path('plain'), world.backups.path('encrypted')];

    // A caller that has its answer before the backup begins finds its mailbox in it.
    const before = await mailboxes();
    const commands: { code: number; said: string }[] = [];
    const acknowledged = await load(
      (async () => {
        commands.push(await world.run('backup', '--to', plain));
        commands.push(await world.run('backup', '--to', encrypted, '--encrypt-for', recipient));
      })(),
    );
    expect(commands).toMatchObject([
      { code: 0, said: '' },
      { code: 0, said: '' },
    ]);
    expect(await world.run('backup', '--to', plain)).toMatchObject({
      code: 1,
      said: `--to: ${plain} exists already\n`,
    });
    expect(acknowledged.length).toBeGreaterThan(CALLERS);
    const manifest = JSON.parse(await readFile(`${encrypted}/manifest.json`, 'utf8')) as Manifest;
    expect((await readdir(encrypted)).filter((name) => name.startsWith('database'))).toEqual([
      kind === 'sqlite' ? 'database.sqlite.gz.age' : 'database.sql.gz.age',
    ]);

    // Its job waits in the window, in Redis too.
    await world.worker?.end('SIGTERM');
    await master('POST', '/domains/', { name: 'window.example' });
    await world.endProcesses('SIGTERM');

    await world.moveToEmpty();
    expect(await world.run('restore', '--show')).toMatchObject({ code: 1, printed: '' });
    expect(await world.run('restore', '--from', encrypted)).toMatchObject({
      code: 1,
      said: 'The backup is encrypted: name the file of your age identity by --identity\n',
    });
    world.outside.forget();
    expect(await world.run('restore', '--from', encrypted, '--identity', file)).toMatchObject({ code: 0, said: '' });
    await world.startProcesses();
    await untilAll(true);

    const found = await mailboxes();
    expect(found).toEqual(expect.arrayContaining(before));
    expect(found.length).toBeGreaterThanOrEqual(manifest.counts.mailboxes);
    expect(found.every((name) => before.includes(name) || acknowledged.includes(name))).toBe(true);
    await master('POST', '/domains/acme.example/relay-verify');
    await master('GET', '/domains/acme.example/relay-status');
    await master('GET', '/domains/acme.example/dns-check');
    await master('GET', '/users/alice@acme.example');
    expect((await master('POST', '/domains/acme.example/retention/preview')).status).toBe(503);
    await master('PUT', '/domains/c.example/outbound', { outbound_status: 'blocked' });
    await master('PUT', '/domains/c.example/outbound', { outbound_status: 'active' });
    for (const schedule of ['retention.purge', 'verification.poll', 'relay.account', 'usage.storage']) {
      expect((await master('POST', `/jobs/${schedule}/run`)).status).toBe(202);
    }
    expect((await master('POST', '/domains/', { name: 'made-while-closed.example' })).status).toBe(201);
    const database = await world.database();
    const [tried] = await database.read<{ count: number }>(
      'SELECT COUNT(*) AS count FROM job WHERE attempts > 0 AND created_at >= ?',
      [Date.parse(manifest.taken_at)],
    );
    expect(Number(tried?.count)).toBe(0);
    expect(world.outside.calls).toEqual(NONE);

    const shown = await world.run('restore', '--show');
    expect(shown).toMatchObject({ code: 0, said: '' });
    const [window, ...lines] = shown.printed.trimEnd().split('\n');
    expect(window).toMatch(new RegExp(`^window ${manifest.taken_at} \\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z$`));
    expect(lines.map((line) => /^(\w+) \d+: ./.exec(line)?.[1])).toEqual(KINDS);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^suspensions 1:/),
        expect.stringMatching(new RegExp(`^passwords ${found.length}:`)),
      ]),
    );
    expect(await world.closed()).not.toContain(false);

    const accepted = await world.run('restore', '--accept');
    expect(accepted).toMatchObject({ code: 0, said: '', printed: shown.printed });
    await untilAll(false);
    for (const name of VERIFIED) {
      await until(`the check of ${name}`, async () =>
        world.outside.ses.requests.some((request) => request.startsWith('GET') && request.endsWith(`/${name}`)),
      );
    }
    await until('the mail to be looked at', async () => world.outside.calls.doveadm > 0);
    await until('the notifications', async () => world.outside.calls.webhook > 0);
    expect(world.outside.ses.requests.filter((request) => request.includes('window.example'))).toEqual([]);
    const { body } = await master('GET', '/audit?action=restore.accept');
    expect(JSON.stringify(body)).toContain(`"verified_domains":${VERIFIED.length}`);
    for (const option of ['--show', '--accept']) {
      expect(await world.run('restore', option)).toMatchObject({
        code: 1,
        printed: '',
        said: 'Nothing waits to be accepted\n',
      });
    }

    // A process that ran before the mark was written closes too.
    const mark = restoreMarkOf({ takenAt: new Date(), restoredAt: new Date() });
    await database.write('INSERT INTO installation (name, value) VALUES (?, ?)', [RESTORE_MARK, mark]);
    await untilAll(true);
  });
});
