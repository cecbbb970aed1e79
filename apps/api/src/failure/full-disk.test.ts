import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const NO_LIMIT = 1_000_000;

describe('the API on an embedded database whose disk is full', () => {
  let api: TestApi;

  beforeEach(async () => {
    api = await startTestApi('sqlite');
    await api.as(MASTER).post('/domains/', { name: 'home.example' }).expect(201);
  });
  afterEach(() => api.close());

  const pragma = async (name: string): Promise<number> => {
    const rows = (await api.database.writer.query(`PRAGMA ${name}`)) as Record<string, number>[];
    return Object.values(rows[0] ?? {}).at(0) ?? 0;
  };
  const leaveRoom = async (pages: number) => pragma(`max_page_count = ${(await pragma('page_count')) + pages}`);
  const makeRoom = () => pragma(`max_page_count = ${NO_LIMIT}`);
  const ready = () => api.as(MASTER).get('/health/ready');
  const create = (index: number) =>
    api.as(MASTER).post('/users/', { email: `u${index}@home.example`, password_hash: HASH });
  /** The longest id and sender, so that few of them fill a page. */
  const increment = (id: string) =>
    api.as(MASTER).post('/domains/home.example/outbound/increment', {
      id: id.padEnd(64, '-'),
      record: true,
      sender: `${id.padEnd(64, '-')}@home.example`,
    });

  /** Sends creations and increments in parallel until each kind was refused ten times. */
  async function untilFull(): Promise<{ made: string[]; counted: number; statuses: Set<number>; codes: Set<string> }> {
    const made: string[] = [];
    const statuses = new Set<number>();
    const codes = new Set<string>();
    const refused = { creations: 0, increments: 0 };
    let counted = 0;
    for (let round = 0; refused.creations < 10 || refused.increments < 10; round += 1) {
      await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const number = round * 8 + index;
          const [mailbox, count] = await Promise.all([
            refused.creations < 10 ? create(number) : null,
            refused.increments < 10 ? increment(`i${number}`) : null,
          ]);
          if (mailbox?.status === 201) made.push((mailbox.body as { email: string }).email);
          else if (mailbox !== null) refused.creations += 1;
          if (count?.status === 200) counted += 1;
          else if (count !== null) refused.increments += 1;
          for (const answer of [mailbox, count]) {
            if (answer === null) continue;
            statuses.add(answer.status);
            if (answer.status !== 503) continue;
            codes.add((answer.body as { code: string }).code);
            expect(answer.headers['retry-after']).toBe('5');
          }
        }),
      );
    }
    return { made, counted, statuses, codes };
  }

  it('keeps everything that it acknowledged, refuses other requests with 503, and recovers without a restart', async () => {
    await leaveRoom(4);
    const { made, counted, statuses, codes } = await untilFull();
    expect(statuses).toEqual(new Set([200, 201, 503]));
    expect([...codes]).toEqual(['disk_full']);
    await api.as(MASTER).get('/domains/home.example').expect(200);
    const during = await ready().expect(503);
    expect(during.headers['retry-after']).toBe('5');
    expect((during.body as { checks: object[] }).checks).toContainEqual(
      expect.objectContaining({ name: 'database_writes', detail: expect.stringContaining('full') }),
    );
    await makeRoom();
    await create(1_000_000).expect(201);
    await increment('after').expect(200);
    const mailboxes = (await api.as(MASTER).get('/users/?domain=home.example').expect(200)).body as {
      email: string;
    }[];
    expect(new Set(mailboxes.map(({ email }) => email))).toEqual(new Set([...made, 'u1000000@home.example']));
    const outbound = (await api.as(MASTER).get('/domains/home.example/outbound').expect(200)).body as {
      sent_today: number;
    };
    expect(outbound.sent_today).toBe(counted + 1);
    expect(api.log.defects).toEqual([]);
  });

  it('accepts a refused creation again with the same idempotency key', async () => {
    const post = (index: number) =>
      api
        .as(MASTER)
        .post('/domains/', { name: `d${index}.example` })
        .set('Idempotency-Key', `key-${index}`);
    await leaveRoom(0);
    let index = 0;
    while ((await post(index)).status === 201) index += 1;
    await post(index).expect(503);
    await makeRoom();
    // If the database also refused to release the key, its lease must expire first.
    api.clock.advance(61_000);
    await post(index).expect(201);
    expect((await post(index).expect(201)).headers['idempotent-replayed']).toBe('true');
  });

  it('is ready when there are only warnings', async () => {
    expect((await ready().expect(200)).body).toMatchObject({ status: 'ok', warnings: [] });
  });
});
