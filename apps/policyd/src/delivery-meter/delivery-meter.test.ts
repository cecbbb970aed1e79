import { appendFile, copyFile, mkdtemp, readFile, rename, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@mailstead/core/testing/until';
import { openFilesIn } from '../testing/open-files.js';
import { DeliveryMeter } from './delivery-meter.js';
import { StoredPosition } from './log-position.js';
import { CountedTransfer } from './testing/counted-transfer.js';

let session = 0;

/** Returns the log line of a delivery of this size. */
function delivery(bytes: number): string {
  session += 1;
  return `Nov 21 07:07:20 lmtp(alice@acme.test)<75><s${session}>: Info: msgid=<1@b.test>, size=${bytes}, saved mail to INBOX\n`;
}

describe('the delivery meter', () => {
  let folder: string;
  let log: string;
  let counted: CountedTransfer;
  let stopMeter: (() => Promise<void>) | null;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'delivery-meter-'));
    log = join(folder, 'dovecot.log');
    await writeFile(log, delivery(1));
    counted = new CountedTransfer();
    stopMeter = null;
  });

  afterEach(async () => {
    await stopMeter?.();
    expect(await openFilesIn(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  /** Starts a meter like a new process: it has only the files of the previous meter. */
  async function start({ countsDownloads = false } = {}): Promise<void> {
    const abort = new AbortController();
    const position = new StoredPosition(join(folder, 'state.json'));
    const meter = new DeliveryMeter(position, counted, { log, countsDownloads, pollMs: 5, maxPauseMs: 5 });
    const running = meter.run(abort.signal);
    stopMeter = async () => {
      stopMeter = null;
      abort.abort();
      await running;
    };
    await until('the first position', async () => (await position.load()) !== null);
  }

  async function counts(...bytes: number[]): Promise<void> {
    await until('every delivery', () => counted.bytes.length >= bytes.length);
    expect(counted.bytes).toEqual(bytes);
  }

  it('counts each delivery after its first start, and no older ones', async () => {
    await start();
    await appendFile(log, `${delivery(2)}another line\n${delivery(3)}`);
    await counts(2, 3);
  });

  it('counts a delivery when its line is complete', async () => {
    await start();
    const line = delivery(2);
    await appendFile(log, line.slice(0, 40));
    await appendFile(log, line.slice(40) + delivery(3));
    await counts(2, 3);
  });

  it('continues at the same position after a stop', async () => {
    await start();
    await appendFile(log, delivery(2));
    await counts(2);
    await stopMeter?.();
    await appendFile(log, delivery(3));
    await start();
    await counts(2, 3);
  });

  it('counts a delivery once when it is reported again after a lost response or after a stop before the position was saved', async () => {
    await start();
    const state = await readFile(join(folder, 'state.json'));
    counted.fault = 'lose';
    await appendFile(log, delivery(2) + delivery(3));
    await until('two failures', () => counted.failures >= 2);
    counted.fault = null;
    await until('the saved position', async () => !state.equals(await readFile(join(folder, 'state.json'))));
    await stopMeter?.();
    await writeFile(join(folder, 'state.json'), state);
    await start();
    await appendFile(log, delivery(4));
    await counts(2, 3, 4);
  });

  it('waits while the API is unavailable, and then reports all deliveries in batches of at most 1,000', async () => {
    await start();
    counted.fault = 'refuse';
    await appendFile(log, Array.from({ length: 2_500 }, (_, index) => delivery(index)).join(''));
    await until('two failures', () => counted.failures >= 2);
    expect(counted.bytes).toEqual([]);
    counted.fault = null;
    await until('every delivery', () => counted.bytes.length === 2_500);
    expect(Math.max(...counted.batches)).toBe(1_000);
  });

  it('follows a rotation by renaming, and reads what is written to the old file until the new file is used', async () => {
    await start();
    await rename(log, `${log}.1`);
    await appendFile(`${log}.1`, delivery(2));
    await writeFile(log, '');
    await appendFile(`${log}.1`, delivery(3));
    await counts(2, 3);
    await appendFile(log, delivery(4));
    await counts(2, 3, 4);
  });

  it('reads all files of several rotations that happened while it was stopped', async () => {
    await start();
    await stopMeter?.();
    await appendFile(log, delivery(2));
    for (const bytes of [3, 4]) {
      await rename(`${log}.1`, `${log}.2`).catch(() => undefined);
      await rename(log, `${log}.1`);
      // The files are sorted by modification time, which has a limited resolution.
      await delay(20);
      await writeFile(log, delivery(bytes));
    }
    await start();
    await counts(2, 3, 4);
  });

  it('follows a rotation by copying and truncating', async () => {
    await start();
    await appendFile(log, delivery(2) + delivery(3));
    await counts(2, 3);
    await copyFile(log, `${log}-20261121`);
    await truncate(log);
    await appendFile(log, delivery(4));
    await counts(2, 3, 4);
  });

  it('reads a file from its start when it has the inode of a removed file', async () => {
    await start();
    await stopMeter?.();
    const state = JSON.parse(await readFile(join(folder, 'state.json'), 'utf8')) as { head: string };
    await writeFile(
      join(folder, 'state.json'),
      JSON.stringify({ ...state, head: Buffer.from('another').toString('base64') }),
    );
    await start();
    await counts(1);
  });

  it('skips an unfinished line that is longer than any delivery', async () => {
    await start();
    await appendFile(log, `${'x'.repeat(600_000)}\n${delivery(2)}`);
    await counts(2);
  });

  it('reads a log from its beginning when the log is created after the start of the meter', async () => {
    await unlink(log);
    const running = start();
    await delay(20);
    await writeFile(log, delivery(2));
    await running;
    await counts(2);
  });

  it('reads all of a log that was created and rotated while the meter was stopped, after its first start without a log', async () => {
    await unlink(log);
    await start();
    await stopMeter?.();
    await writeFile(`${log}.1`, delivery(2));
    await delay(20);
    await writeFile(log, delivery(3));
    await start();
    await counts(2, 3);
  });

  it('counts ended sessions only when it is set', async () => {
    session += 1;
    const ended = `Nov 21 07:07:20 imap(a@acme.test)<75><s${session}>: Info: Disconnected: Logged out in=1 out=7\n`;
    await start();
    await appendFile(log, ended + delivery(2));
    await counts(2);
    await stopMeter?.();
    await start({ countsDownloads: true });
    await appendFile(log, ended + delivery(3));
    await counts(2, 7, 3);
  });

  it('fails when it cannot read the saved position', async () => {
    await writeFile(join(folder, 'state.json'), '{"inode": "x"}');
    const meter = new DeliveryMeter(new StoredPosition(join(folder, 'state.json')), counted, { log });
    await expect(meter.run(new AbortController().signal)).rejects.toThrow('does not hold a position');
  });
});
