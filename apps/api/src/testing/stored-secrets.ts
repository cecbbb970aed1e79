import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { describeSchema } from '@mailstead/adapters/database/testing/described-schema';
import { Browser } from './browser.js';
import { CHILD_MASTER, type ChildService } from './child-service.js';

const SECRET_KEY = 'secret-key-of-the-stored-secrets-0123456789';
const whsec = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;
/** Settings that are secret, or have a secret in them. */
const SETTINGS = {
  SECRET_KEY,
  METRICS_TOKEN: 'metrics-token-of-the-stored-secrets-01234',
  OPERATOR_TOKENS: 'shop:billing:billing-token-of-the-stored-secrets-0123',
  RELAY_WEBHOOK_SECRET: whsec('the secret of relay events'),
  NOTIFY_WEBHOOK_SECRET: whsec('the secret of notifications'),
};
const URL_SECRET = 'capability-of-the-notifications';
const SMTP_PASSWORD = 'password-of-the-notifications';
const MAILBOX_PASSWORD = 'correct horse battery staple 7';

/** Settings of a process, each with a secret. @param closed a port on which nobody listens */
export function secretSettings(closed: number): Record<string, string> {
  return {
    ...SETTINGS,
    MASTER_TOKEN: CHILD_MASTER,
    LOG_LEVEL: 'debug',
    NOTIFY_ALLOW_PRIVATE: 'true',
    NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${closed}/${URL_SECRET}`,
    NOTIFY_SMTP_URL: `smtp://mailer:${SMTP_PASSWORD}@127.0.0.1:${closed}`,
    NOTIFY_EMAIL_FROM: 'mailstead@stored.example',
    NOTIFY_EMAIL_TO: 'operator@stored.example',
  };
}

/** @returns each secret without its kind: nothing that is stored or logged may have one in it */
export async function useSecrets(api: ChildService): Promise<Record<string, string>> {
  const make = async (path: string, body: object, token = CHILD_MASTER) => {
    const answer = await api.call('POST', path, body, token);
    expect([path, answer.status]).toEqual([path, 201]);
    return answer.body;
  };
  const key = 'key-of-a-partner-0123456789-abcdef';
  await make('/api-keys/', { token: key, partner_ref: 'acme' });
  await make('/domains/', { name: 'stored.example' }, key);
  await make('/users/', { email: 'jane@stored.example', password: MAILBOX_PASSWORD }, key);
  const browser = new Browser(api.url);
  expect((await browser.enter(key)).status).toBe(201);
  const link = await make('/portal-links', { domain: 'stored.example', scope: 'manage' }, key);
  const endpoint = await make('/webhook-endpoints', { url: 'https://hooks.stored.example/hook' }, key);
  const own = await make('/me/keys', {}, key);
  await api.call('GET', `/api-keys/${key}`);
  await api.call('GET', '/domains/', undefined, 'a-wrong-token-that-somebody-tries-0123456789');
  // Notified, which fails.
  await api.call('PUT', '/domains/stored.example/outbound', { outbound_status: 'blocked' });
  await api.said('"job":"notifications.deliver"');
  return {
    ...Object.fromEntries(Object.entries(SETTINGS).map(([name, text]) => [name, text.replace('whsec_', '')])),
    OPERATOR_TOKENS: 'billing-token-of-the-stored-secrets-0123',
    MASTER_TOKEN: CHILD_MASTER,
    URL_SECRET,
    SMTP_PASSWORD,
    MAILBOX_PASSWORD,
    key,
    cookie: browser.cookie?.split('=')[1] ?? '',
    csrf: browser.csrf ?? '',
    link: String(link.url).split(/[#/=]/).at(-1) ?? '',
    endpoint: String(endpoint.secret).replace('whsec_', ''),
    own: String(own.token),
    wrong: 'a-wrong-token-that-somebody-tries-0123456789',
  };
}

/** All rows as text, and the bytes of each file in the data folder. */
export async function whatIsStored(url: string | null, dataDir: string): Promise<string> {
  const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const bytes = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
  const database = await openDatabase({ url, dataDir, poolSize: 2 });
  try {
    return JSON.stringify([...(await describeSchema(database)).rows]) + bytes.join('\n');
  } finally {
    await database.close();
  }
}
