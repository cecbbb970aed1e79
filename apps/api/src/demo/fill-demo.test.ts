import { readFile, stat } from 'node:fs/promises';
import { Config } from '@mailstead/adapters/config';
import { DemoMark } from '@mailstead/adapters/database/installation/demo-mark';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { FillDemo, partnerKeysFile } from './fill-demo.js';

interface Row {
  name: string;
  sent_today: number;
}

describe('the data of a demo', () => {
  let api: TestApi;

  beforeEach(async () => {
    api = await startTestApi('sqlite');
  });
  afterEach(() => api.close());

  const fill = () => api.container.get(FillDemo).execute();
  const keysFile = () => partnerKeysFile(api.container.get(Config).dataDir);
  const read = async <Result>(path: string, token = MASTER): Promise<Result> =>
    (await api.as(token).get(path).expect(200)).body;
  const sentOf = async ({ name }: Row) => (await read<Row>(`/domains/${name}/outbound`)).sent_today;

  it('is several partners with domains, mailboxes and aliases, all below .example', async () => {
    await fill();
    const partners = await read<{ domains_used: number; mailboxes: number; aliases: number }[]>('/partners');
    expect(partners.length).toBeGreaterThan(1);
    for (const partner of partners) {
      for (const count of [partner.domains_used, partner.mailboxes, partner.aliases]) expect(count).toBeGreaterThan(1);
    }
    const domains = await read<Row[]>('/domains/');
    for (const { name } of domains) expect(name).toMatch(/\.example$/);
    expect((await Promise.all(domains.map(sentOf))).filter((sent) => sent > 0).length).toBeGreaterThan(5);
  });

  it('has 30 days of sending of all partners, and today some bounces that each list shows', async () => {
    await fill();
    const days = await read<{ sent: number; bounces: number }[]>('/outbound/days');
    expect(days).toHaveLength(30);
    for (const { sent } of days) expect(sent).toBeGreaterThan(100);
    expect(days.map(({ bounces }) => bounces)).toEqual([...Array(29).fill(0), 3]);
    expect(await read('/domains/riverbank-books.example/bounces')).toHaveLength(2);
    const history = await read<unknown[]>('/domains/riverbank-books.example/outbound/history');
    expect(history.length).toBeGreaterThan(0);
  });

  it('has a random key for each partner, in a file that only the owner reads', async () => {
    await fill();
    const lines = (await readFile(keysFile(), 'utf8')).trim().split('\n');
    expect((await stat(keysFile())).mode & 0o777).toBe(0o600);
    for (const line of lines) {
      const [ref, token = ''] = line.split(' ');
      expect(token).toMatch(/^ms_[A-Za-z0-9_-]{43}$/);
      expect(await read('/me', token)).toMatchObject({ partner_ref: ref, scope: 'manage' });
    }
    expect(new Set(lines.map((line) => line.split(' ')[1])).size).toBe(lines.length);
  });

  it('has something that needs somebody: what is blocked, suspended and near its limit', async () => {
    await fill();
    const rows = await read<{ attention: string[] }[]>('/domains/?attention=true&view=full');
    expect(rows.flatMap(({ attention }) => attention).sort()).toEqual(['blocked', 'daily_limit', 'suspended']);
  });

  it('is not created twice, and what a killed process left undone is done by the next one', async () => {
    await fill();
    const domains = await read<Row[]>('/domains/');
    const sent = await Promise.all(domains.map(sentOf));
    const days = await read('/outbound/days');
    await api.container.get(DemoMark).write('unfinished');
    await fill();
    await fill();
    expect(await read('/domains/')).toEqual(domains);
    expect(await Promise.all(domains.map(sentOf))).toEqual(sent);
    expect(await read('/outbound/days')).toEqual(days);
    expect(await api.container.get(DemoMark).read()).toBe('finished');
  });

  it('never gets into a database that has other data', async () => {
    await api.as(MASTER).post('/domains/', { name: 'real.example' }).expect(201);
    await expect(fill()).rejects.toThrow("is not a demo's");
    expect(await read<Row[]>('/domains/')).toHaveLength(1);
    expect(await api.container.get(DemoMark).read()).toBeNull();
  });
});
