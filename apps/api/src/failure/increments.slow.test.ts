import { TestPlatform } from '../testing/platform.js';

const DOMAINS = ['a.example', 'b.example', 'c.example'];

describe('increments by two processes during resets and freezes', () => {
  let platform: TestPlatform;

  beforeAll(async () => {
    platform = await TestPlatform.start({ SANDBOX_VERIFY_AFTER: '0' });
    for (const name of DOMAINS) await platform.sendingDomain(name);
  });
  afterAll(() => platform.stop());

  /** Returns the sum of all counts: of the frozen periods and of the current one. */
  async function counted(): Promise<number> {
    const [frozen] = await platform.sql<{ sent: string }>(
      'SELECT COALESCE(SUM(sent), 0) AS sent FROM outbound_history',
    );
    const [live] = await platform.sql<{ sent: string }>(
      'SELECT COALESCE(SUM(sent_month), 0) AS sent FROM outbound_counter',
    );
    return Number(frozen?.sent) + Number(live?.sent);
  }

  it('are each counted once: history and live counters have exactly the acknowledged increments', async () => {
    const total = 1_500;
    const acknowledged = new Set<number>();
    const unanswered = new Set<number>();
    const increment = async (index: number): Promise<void> => {
      const api = platform.apis[index % 2] ?? platform.api;
      const path = `/domains/${DOMAINS[index % DOMAINS.length]}/outbound/increment`;
      const answer = await api.call('POST', path, { id: `message-${index}`, bytes: 10 }).catch(() => null);
      if (answer?.status === 200) acknowledged.add(index);
      else unanswered.add(index);
    };
    const sending = { next: 0 };
    const sender = async (): Promise<void> => {
      while (sending.next < total) {
        const index = sending.next;
        sending.next += 1;
        await increment(index);
        if (index === 700) void platform.apis[1].end('SIGKILL');
      }
    };
    const resetter = async (path: string): Promise<void> => {
      while (sending.next < total) await platform.apis[0].call('POST', path);
    };
    await Promise.all([
      ...Array.from({ length: 24 }, sender),
      resetter('/outbound/reset-monthly'),
      resetter('/outbound/reset-monthly'),
      resetter('/outbound/reset-daily'),
    ]);
    expect(acknowledged.size).toBeGreaterThan(700);
    expect(unanswered.size).toBeGreaterThan(0);
    const before = await counted();
    expect(before).toBeGreaterThanOrEqual(acknowledged.size);
    expect(before).toBeLessThanOrEqual(acknowledged.size + unanswered.size);
    await platform.replaceApi(1);
    // Increments without a response are sent again with the same id.
    await Promise.all([...unanswered].map(increment));
    expect(await counted()).toBe(total);
    const [rows] = await platform.sql<{ frozen: string }>('SELECT COUNT(*) AS frozen FROM outbound_history');
    expect(Number(rows?.frozen)).toBeGreaterThan(DOMAINS.length);
  });

  it('are frozen completely although the freezing worker is killed in between', async () => {
    await platform.sql(
      `INSERT INTO outbound_counter (domain_id, day, day_epoch, sent_today, month, month_epoch, period_start, sent_month, bytes_month, bounces_month, complaints_month)
       SELECT 1000000 + seq, '2020-01-31', 0, 1, '2020-01', 0, 0, seq, 0, 0, 0 FROM seq_1_to_60000`,
    );
    const expected = (60_000 * 60_001) / 2;
    const frozen = async () => {
      const [row] = await platform.sql<{ sent: string; rows_: string }>(
        'SELECT COALESCE(SUM(sent), 0) AS sent, COUNT(*) AS rows_ FROM outbound_history WHERE domain_id > 1000000',
      );
      return { sent: Number(row?.sent), rows: Number(row?.rows_) };
    };
    const [worker, other] = platform.workers;
    await other.end('SIGKILL');
    await platform.api.call('POST', '/jobs/outbound.reset-monthly/run');
    await worker.pauseWhen('the first frozen rows', async () => (await frozen()).rows > 0);
    await worker.end('SIGKILL');
    const left = await frozen();
    expect(left.rows).toBeLessThan(60_000);
    await platform.replaceWorker(0);
    // Lets the lease of the killed worker expire.
    await platform.sql('UPDATE job SET leased_until = 0 WHERE leased_until IS NOT NULL');
    await platform.api.until(async () => (await frozen()).rows === 60_000);
    expect(await frozen()).toEqual({ sent: expected, rows: 60_000 });
    await platform.replaceWorker(1);
  });

  it('are frozen completely by a worker although the API process that started to freeze them is killed', async () => {
    await platform.sql(
      `INSERT INTO outbound_counter (domain_id, day, day_epoch, sent_today, month, month_epoch, period_start, sent_month, bytes_month, bounces_month, complaints_month)
       SELECT 2000000 + seq, '', 0, 0, ?, (SELECT month_epoch FROM outbound_epoch), 0, seq, 0, 0, 0 FROM seq_1_to_60000`,
      [new Date().toISOString().slice(0, 7)],
    );
    const frozen = async () => {
      const [row] = await platform.sql<{ sent: string; rows_: string }>(
        'SELECT COALESCE(SUM(sent), 0) AS sent, COUNT(*) AS rows_ FROM outbound_history WHERE domain_id > 2000000',
      );
      return { sent: Number(row?.sent), rows: Number(row?.rows_) };
    };
    const reset = platform.apis[0].call('POST', '/outbound/reset-monthly').catch(() => null);
    await platform.apis[0].pauseWhen('the first frozen rows', async () => (await frozen()).rows > 0);
    await platform.apis[0].end('SIGKILL');
    expect(await reset).toBeNull();
    expect((await frozen()).rows).toBeLessThan(60_000);
    // Moves the time of the run back by the minute after which a worker continues it.
    await platform.sql("UPDATE job SET run_at = 0 WHERE name = 'schedule.run'");
    await platform.api.until(async () => (await frozen()).rows === 60_000);
    expect(await frozen()).toEqual({ sent: (60_000 * 60_001) / 2, rows: 60_000 });
  });
});
