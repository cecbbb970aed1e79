import { readFile } from 'node:fs/promises';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { type Finding, toFinding, Warning } from './finding.js';
import { readZonedTime } from './read-zoned-time.js';

/** The program looks every two seconds, and writes every fifteen. */
const LATE_MS = 2 * 60_000;

/** Checks that the program that renews the mail servers after an outage of the database runs. */
export async function examineOutages(
  { doctor }: Pick<MailStackSettings, 'doctor'>,
  now = Date.now(),
): Promise<Finding[]> {
  const later = 'After an outage of the database mail is deferred, and logins are refused, for minutes longer';
  return [
    await toFinding(later, async () => {
      if (doctor.outagesState === null) {
        throw new Warning('Whether outages of the database are noticed is not known (doctor.outagesState is null).');
      }
      const text = await readFile(doctor.outagesState, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (text === null) throw new Error('there is no state of it; does mailstead-outages.service run?');
      const [time = '', state] = text.trim().split(' ');
      const at = readZonedTime(time);
      if (Number.isNaN(at)) throw new Error(`${doctor.outagesState} has no time`);
      if (now - at > LATE_MS) throw new Error(`the last look was at ${time}; does mailstead-outages.service run?`);
      if (state !== 'works') {
        throw new Error(
          'mailstead-outages.service sees an outage now, or could not renew a mail server; what does its log say?',
        );
      }
      return 'Outages of the database are noticed: the last look was within two minutes.';
    }),
  ];
}
