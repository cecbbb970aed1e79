import { parseEnv } from 'node:util';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { compareClock } from './examine-database.js';
import { fetchPlainly } from './fetch-plainly.js';
import { type Finding, reasonOf, toFinding, Warning } from './finding.js';
import { readSecret } from './messages/read-secret.js';
import { readZonedTime } from './read-zoned-time.js';

interface HealthWarning {
  name: string;
  detail: string;
}

/** What follows from a warning of `/health/ready`, by its name; those of the relay's account begin with `relay_`. */
const CONSEQUENCES: readonly (readonly [name: RegExp, consequence: string])[] = [
  [/^worker$/, 'nothing is verified, purged, reset or notified until a worker runs'],
  [/^schedules$/, 'what it does for all domains each day or hour was not done'],
  [/^notifications$/, 'those who should act on an event do not know of it'],
  [/^dns_looks$/, 'nobody is told which domains lack MX or SPF records until this is mended or released'],
  [/^purge_brake$/, 'mail of these domains stays longer than their retention until somebody releases them'],
  [/^(future_periods|clock)$/, 'schedules may be passed over'],
  [/^trust_proxy$/, 'the limits for an address count all clients of that proxy as one'],
  [/^relay_/, 'mail that leaves may be delayed or refused by the relay provider, or its bounces not be known'],
  [/^trail_silent$/, 'what became of messages of a mail server is not known'],
  [/^mail_sessions$/, 'who lost the right to it still reads mail'],
  [/^mail_store_missing$/, 'no mail is removed although domains have a retention'],
];

/**
 * Checks that the API is ready, that its schedules ran, and that its clock agrees with this machine's. Without the
 * token for it the API says only whether it is ready.
 */
export async function examineApi({ api, doctor: { tokenFile } }: MailStackSettings): Promise<Finding[]> {
  const warnings: HealthWarning[] = [];
  let date: { theirs: number; before: number; after: number } | null = null;
  const ready = await toFinding(`Mailstead at ${api.url} has a problem`, async () => {
    const { token, missing } = await metricsToken(tokenFile);
    const before = Date.now();
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    const response = await fetchPlainly(`${api.url.replace(/\/$/, '')}/health/ready`, { headers });
    const text = await response.text();
    date = { theirs: readZonedTime(response.headers.get('date') ?? ''), before, after: Date.now() };
    if (response.status === 401) throw new Error(`its METRICS_TOKEN is not that of ${tokenFile}`);
    if (!response.ok) throw new Error(`it is not ready, and answers ${response.status} ${text}`);
    const body = JSON.parse(text) as { warnings?: HealthWarning[] };
    if (token === null && body.warnings === undefined) {
      throw new Warning(`Mailstead at ${api.url} is ready. What it warns of is not known: ${missing}.`);
    }
    if (body.warnings === undefined) {
      throw new Error('it is of another release than this doctor; was it restarted after the update?');
    }
    warnings.push(...body.warnings);
    return warnings.length === 0
      ? `Mailstead at ${api.url} is ready; a worker runs, and its schedules ran.`
      : `Mailstead at ${api.url} is ready.`;
  });
  if (date === null) return [ready];
  const { theirs, before, after } = date as { theirs: number; before: number; after: number };
  return [
    ready,
    ...warnings.map(({ name, detail }): Finding => {
      const sentence = `Mailstead at ${api.url} serves, and warns: ${detail}; ${consequenceOf(name)}.`;
      return { verdict: 'wrong', sentence };
    }),
    await toFinding('The clocks do not agree', async () => compareClock('the API', theirs, before, after)),
  ];
}

/** @param tokenFile has the line `METRICS_TOKEN=`. @returns the token, or why there is none */
async function metricsToken(tokenFile: string): Promise<{ token: string | null; missing: string }> {
  try {
    const { METRICS_TOKEN: token = null } = parseEnv(await readSecret(tokenFile));
    return { token, missing: `${tokenFile} has no METRICS_TOKEN` };
  } catch (error) {
    return { token: null, missing: reasonOf(error) };
  }
}

function consequenceOf(warning: string): string {
  return CONSEQUENCES.find(([names]) => names.test(warning))?.[1] ?? 'see its log and `docs/operations.md`';
}
