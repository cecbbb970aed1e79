import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { compareClock } from './examine-database.js';
import { fetchPlainly } from './fetch-plainly.js';
import { type Finding, toFinding } from './finding.js';

/** Checks that the API is ready, that its schedules ran, and that its clock agrees with this machine's. */
export async function examineApi({ api }: MailStackSettings): Promise<Finding[]> {
  let date: { theirs: number; before: number; after: number } | null = null;
  const ready = await toFinding(`Mailstead at ${api.url} has a problem`, async () => {
    const before = Date.now();
    const response = await fetchPlainly(`${api.url.replace(/\/$/, '')}/health/ready`);
    const text = await response.text();
    date = { theirs: Date.parse(response.headers.get('date') ?? ''), before, after: Date.now() };
    if (!response.ok) throw new Error(`it is not ready, and answers ${response.status} ${text}`);
    const { warnings } = JSON.parse(text) as { warnings?: { detail: string }[] };
    if (warnings === undefined) {
      throw new Error('it is of another release than this doctor; was it restarted after the update?');
    }
    if (warnings.length > 0) {
      throw new Error(`it serves, and warns: ${warnings.map(({ detail }) => detail).join('; ')}`);
    }
    return `Mailstead at ${api.url} is ready; its schedules ran.`;
  });
  if (date === null) return [ready];
  const { theirs, before, after } = date as { theirs: number; before: number; after: number };
  return [
    ready,
    await toFinding('The clocks do not agree', async () => compareClock('the API', theirs, before, after)),
  ];
}
