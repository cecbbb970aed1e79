import { appendFile, copyFile, mkdtemp, readFile, rename, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DeliveryMeter } from './delivery-meter.js';
import { StoredPosition } from './log-position.js';
import { CountedTransfer } from './testing/counted-transfer.js';

let session = 0;

/** A delivery of so many bytes, as Dovecot writes it. */
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
    await rm(folder, { recursive: true });
  });

  /** Starts a meter as a process would, with nothing but the files of the last one. */
  async function start(): Promise<void> {
    const abort = new AbortController();
    const position = new StoredPosition(join(folder, 'state.json'));
    const meter = new DeliveryMeter(position, counted, { log, pollMs: 5, maxPauseMs: 5 });
    const running = meter.run(abort.signal);
    stopMeter = async () => {
      stopMeter = null;
      abort.abort();
      await running;
    };
    await until(async () => (await position.load()) !== null);
  }

  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 10_000;
    while (!(await holds())) {
      if (Date.now() > deadline) throw new Error(`Waited in vain; counted so far: ${counted.bytes.join(' ')}`);
      await delay(5);
    }
  }

  async function counts(...bytes: number[]): Promise<void> {
    await until(() => counted.bytes.length >= bytes.length);
    expect(counted.bytes).toEqual(bytes);
  }

  it('counts each delivery from its first start on, and nothing that is older', async () => {
    await start();
    await appendFile(log, `${delivery(2)}another line\n${delivery(3)}`);
    await counts(2, 3);
  });

  it('counts a delivery when its line is whole', async () => {
    await start();
    const line = delivery(2);
    await appendFile(log, line.slice(0, 40));
    await appendFile(log, line.slice(40) + delivery(3));
    await counts(2, 3);
  });

  it('goes on where it stood after a stop', async () => {
    await start();
    await appendFile(log, delivery(2));
    await counts(2);
    await stopMeter?.();
    await appendFile(log, delivery(3));
    await start();
    await counts(2, 3);
  });

  it('counts once what it reports again, because the answer was lost or it was ended before it saved its place', async () => {
    await start();
    const state = await readFile(join(folder, 'state.json'));
    counted.fault = 'lose';
    await appendFile(log, delivery(2) + delivery(3));
    await until(() => counted.failures >= 2);
    counted.fault = null;
    await until(async () => !state.equals(await readFile(join(folder, 'state.json'))));
    await stopMeter?.();
    await writeFile(join(folder, 'state.json'), state);
    await start();
    await appendFile(log, delivery(4));
    await counts(2, 3, 4);
  });

  it('holds back while Mailstead is away, and then reports all in batches of at most 1,000', async () => {
    await start();
    counted.fault = 'refuse';
    await appendFile(log, Array.from({ length: 2_500 }, (_, index) => delivery(index)).join(''));
    await until(() => counted.failures >= 2);
    expect(counted.bytes).toEqual([]);
    counted.fault = null;
    await until(() => counted.bytes.length === 2_500);
    expect(Math.max(...counted.batches)).toBe(1_000);
  });

  it('follows a rotation by renaming, with what is written to the old file until the new one is used', async () => {
    await start();
    await rename(log, `${log}.1`);
    await appendFile(`${log}.1`, delivery(2));
    await writeFile(log, '');
    await appendFile(`${log}.1`, delivery(3));
    await counts(2, 3);
    await appendFile(log, delivery(4));
    await counts(2, 3, 4);
  });

  it('catches up over several rotations that happened while it was stopped', async () => {
    await start();
    await stopMeter?.();
    await appendFile(log, delivery(2));
    for (const bytes of [3, 4]) {
      await rename(`${log}.1`, `${log}.2`).catch(() => undefined);
      await rename(log, `${log}.1`);
      // The order of the files is that of their times, which have a resolution.
      await delay(20);
      await writeFile(log, delivery(bytes));
    }
    await start();
    await counts(2, 3, 4);
  });

  it('follows a rotation by copying and cutting', async () => {
    await start();
    await appendFile(log, delivery(2) + delivery(3));
    await counts(2, 3);
    await copyFile(log, `${log}-20261121`);
    await truncate(log);
    await appendFile(log, delivery(4));
    await counts(2, 3, 4);
  });

  it('begins a file anew that got the inode of one that is gone', async () => {
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

  it('passes over a line without an end that is longer than any delivery', async () => {
    await start();
    await appendFile(log, `${'x'.repeat(600_000)}\n${delivery(2)}`);
    await counts(2);
  });

  it('counts a log from its beginning that appears after the start', async () => {
    await unlink(log);
    const running = start();
    await delay(20);
    await writeFile(log, delivery(2));
    await running;
    await counts(2);
  });

  it('refuses a saved place that it cannot read', async () => {
    await writeFile(join(folder, 'state.json'), '{"inode": "x"}');
    const meter = new DeliveryMeter(new StoredPosition(join(folder, 'state.json')), counted, { log });
    await expect(meter.run(new AbortController().signal)).rejects.toThrow('does not hold a position');
  });
});
