import { readFile } from 'node:fs/promises';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { type Finding, toFinding, Warning } from './finding.js';
import { readZonedTime } from './read-zoned-time.js';

/** A pass each minute takes seconds. One over very long queues may take some minutes. */
const LATE_MS = 10 * 60_000;

/** Checks that the program that holds queued mail of suspended domains ended a whole pass lately. */
export async function examineHolds(
  { doctor }: Pick<MailStackSettings, 'doctor'>,
  now = Date.now(),
): Promise<Finding[]> {
  const lost = 'Queued mail of suspended domains is not held, so it bounces after five days';
  return [
    await toFinding(lost, async () => {
      if (doctor.holdsStamp === null) {
        throw new Warning('Whether queued mail of suspended domains is held is not known (doctor.holdsStamp is null).');
      }
      const text = await readFile(doctor.holdsStamp, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (text === null) throw new Error(`no pass of mailstead-holds ended yet; does mailstead-holds.timer run?`);
      const at = readZonedTime(text.trim());
      if (Number.isNaN(at)) throw new Error(`${doctor.holdsStamp} has no time`);
      if (now - at > LATE_MS) {
        throw new Error(
          `the last whole pass of mailstead-holds ended at ${text.trim()}; does mailstead-holds.timer run, and what does its log say?`,
        );
      }
      return 'Queued mail of suspended domains is held: a pass ended within the last minutes.';
    }),
  ];
}
