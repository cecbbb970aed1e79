import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { RequestLogger } from '../http/request-logger.js';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const NAME = 'deferred.example';
const ANNA = `anna@${NAME}`;
const SECRET = 'live-Key.0123456789~abc+def=';

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
    const acme = await api.key('acme');
    const { body } = await api.as(acme).post('/domains/', { name: NAME }).expect(201);
    await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [body.id]);
    await api
      .as(acme)
      .post('/users/', { email: ANNA, password: 'correct horse battery', outbound_daily_limit: 2 })
      .expect(201);
    await api.as(MASTER).put(`/domains/${NAME}/outbound`, { daily_limit: 9 }).expect(200);
  });
  afterAll(() => api.close());

  const added = () => api.log.lines.at(-1)?.added;
  const increments = (items: object[]) => api.as(POLICY).post('/outbound/increments', { items }).expect(200);

  it('the log line of an increment has its verdict, its reason and what limited it', async () => {
    await api.as(POLICY).post(`/domains/${NAME}/outbound/increment`, { sender: ANNA, count: 2 }).expect(200);
    expect(added()).toEqual({ domain: NAME, action: 'accept', reason: null });
    await api.as(POLICY).post(`/domains/${NAME}/outbound/increment`, { sender: ANNA.toUpperCase() }).expect(200);
    expect(added()).toEqual({ domain: NAME, sender: ANNA, action: 'defer', reason: 'mailbox_limit' });
  });

  it.each(['/outbound/increments', '/outbound/looks'])('the log line of %s has each reason', async (path) => {
    const items = [
      { domain: NAME },
      { domain: NAME, sender: ANNA },
      { domain: 'absent.example', sender: ANNA },
      { domain: SECRET, sender: SECRET },
    ];
    await api.as(POLICY).post(path, { items }).expect(200);
    expect(added()).toEqual({
      verdicts: { accept: 1, 'defer mailbox_limit': 1, 'reject domain_not_found': 2 },
      refused: [
        { domain: NAME, sender: ANNA, action: 'defer', reason: 'mailbox_limit' },
        { domain: 'absent.example', sender: ANNA, action: 'reject', reason: 'domain_not_found' },
        { domain: null, sender: null, action: 'reject', reason: 'domain_not_found' },
      ],
    });
  });

  it('the fields are written beside those of the request', async () => {
    await increments([{ domain: NAME }]);
    const written: unknown[] = [];
    const logger = new RequestLogger({ info: (_: string, line: object) => written.push(line) } as never);
    for (const line of api.log.lines.slice(-1)) logger.request(line);
    expect(written).toEqual([
      expect.objectContaining({ path: '/outbound/increments', status: 200, verdicts: { accept: 1 } }),
    ]);
  });

  it('the log line of many refused items is bounded, and counts all of them', async () => {
    await increments(Array.from({ length: 1_000 }, () => ({ domain: NAME, sender: ANNA })));
    expect(added()).toMatchObject({ verdicts: { 'defer mailbox_limit': 1_000 } });
    expect(added()?.refused).toHaveLength(20);
  });
});
