import type { UsageRow } from './shapes.js';
import { UsageSums } from './usage-sums.js';

const ROW: UsageRow = {
  partner_ref: 'acme',
  domain: 'a.example',
  external_ref: null,
  billing_ref: null,
  plan: 'starter',
  from: '2026-03-01',
  to: '2026-03-02',
  days: 2,
  mailboxes_max: 3,
  mailbox_days: 5,
  storage_mb_max: 10,
  storage_mb_days: 20,
  sent: 100,
  bytes: 1_000,
  bytes_in: 600,
  bytes_out: 400,
  bounces: 1,
};

describe('the sums of a month', () => {
  it('are those of each plan and of all rows; what is not known adds nothing', () => {
    const sums = new UsageSums();
    sums.add(ROW);
    sums.add({ ...ROW, domain: 'b.example', storage_mb_max: null, storage_mb_days: null });
    sums.add({ ...ROW, plan: null, storage_mb_max: null, storage_mb_days: null, sent: 7 });
    const starter = {
      rows: 2,
      days: 4,
      mailbox_days: 10,
      storage_mb_days: 20,
      sent: 200,
      bytes: 2_000,
      bytes_in: 1_200,
      bytes_out: 800,
      bounces: 2,
      hasStorage: true,
    };
    const none = {
      rows: 1,
      days: 2,
      mailbox_days: 5,
      storage_mb_days: 0,
      sent: 7,
      bytes: 1_000,
      bytes_in: 600,
      bytes_out: 400,
      bounces: 1,
      hasStorage: false,
    };
    expect(sums.byPlan).toEqual([
      { plan: null, sum: none },
      { plan: 'starter', sum: starter },
    ]);
    expect(sums.total).toMatchObject({ rows: 3, days: 6, mailbox_days: 15, sent: 207, bytes: 3_000, bounces: 3 });
  });
});
