import { parseEnv } from 'node:util';
import { fetchPlainly } from '../fetch-plainly.js';
import { readSecret } from './read-secret.js';

/** How many outside recipients the domain of a mailbox had, and on which day (UTC). */
export interface SentCount {
  sent: number;
  day: string;
}

/**
 * Asks the API with the policy daemon's token.
 *
 * @param tokenFile has the line `POLICY_TOKEN=`.
 * @throws Error with a reason without secrets.
 */
export async function sentToday(apiUrl: string, mailbox: string, tokenFile: string): Promise<SentCount> {
  const { POLICY_TOKEN: token } = parseEnv(await readSecret(tokenFile));
  if (token === undefined) throw new Error(`${tokenFile} has no POLICY_TOKEN`);
  const domain = mailbox.slice(mailbox.lastIndexOf('@') + 1);
  const url = `${apiUrl.replace(/\/$/, '')}/domains/${domain}/outbound`;
  const response = await fetchPlainly(url, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`the API answers ${response.status}`);
  const { sent_today: sent } = (await response.json()) as { sent_today: number };
  return { sent, day: new Date().toISOString().slice(0, 10) };
}
