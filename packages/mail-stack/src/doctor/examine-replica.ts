import type { Connection, RowDataPacket } from 'mysql2/promise';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { fetchPlainly } from './fetch-plainly.js';
import { type Finding, toFinding, Warning } from './finding.js';

/** How often a process of Mailstead stores its heartbeat. */
const BEAT_EVERY_MS = 15_000;
/** A lag that an operator should know about. */
const LAG_MS = 10_000;
/** Without a change for this time while the API runs, replication has stopped. */
const STOPPED_AFTER_MS = 120_000;
const LOOK_EVERY_MS = 500;

/**
 * Checks how far what this database has is behind what Mailstead writes: the mail servers may read a replica. It needs
 * no privilege: `mta_forwarding.changed_at` is the time of the newest heartbeat, and grows every 15 seconds.
 */
export async function examineReplica(
  connection: Connection,
  {
    database,
    api,
  }: { database: Pick<MailStackSettings['database'], 'host' | 'port'>; api: Pick<MailStackSettings['api'], 'url'> },
): Promise<Finding> {
  const where = `${database.host}:${database.port}`;
  return await toFinding(`The database at ${where} does not get what Mailstead writes`, async () => {
    const behind = await lagOf(async () => {
      const [rows] = await connection.query<RowDataPacket[]>('SELECT changed_at FROM mta_forwarding');
      return Number(rows[0]?.changed_at);
    });
    if (behind <= LAG_MS) return `The database at ${where} has what Mailstead writes.`;
    const seconds = Math.round(behind / 1000);
    if (!(await answers(api.url))) {
      throw new Warning(
        `The database at ${where} got nothing new for ${seconds} s. The API does not run, so the doctor cannot tell whether replication stopped.`,
      );
    }
    if (behind > STOPPED_AFTER_MS) {
      throw new Error(
        `nothing for ${seconds} s. It is a replica that stopped, or another database: a suspension, a new password or a deleted mailbox is not noticed by the mail servers`,
      );
    }
    throw new Warning(
      `The database at ${where} is ${seconds} s behind what Mailstead writes; the mail servers notice changes so much later.`,
    );
  });
}

/**
 * A heartbeat that is older than the permitted lag may only be the last one before the next, so it waits for that.
 *
 * @returns milliseconds; at most what a heartbeat can be older than the lag.
 */
async function lagOf(changedAt: () => Promise<number>): Promise<number> {
  const first = await changedAt();
  for (;;) {
    const newest = await changedAt();
    const age = Date.now() - newest;
    if (newest !== first || age <= LAG_MS || age > LAG_MS + BEAT_EVERY_MS) return age;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function answers(url: string): Promise<boolean> {
  return await fetchPlainly(`${url.replace(/\/$/, '')}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}
