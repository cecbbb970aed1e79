import { readFile } from 'node:fs/promises';
import type { MailStackSettings, RelaySettings } from '../settings/mail-stack-settings.js';
import { type Finding, toFinding } from './finding.js';

const TIMEOUT_MS = 10_000;

/** Logs in at each relay as Postfix does, with STARTTLS, and sends nothing. */
export async function examineRelays({ relays, relayTls }: MailStackSettings): Promise<Finding[]> {
  return await Promise.all(relays.map(async (relay) => await examineRelay(relay, relayTls)));
}

async function examineRelay(
  { host, port, username, password }: RelaySettings,
  { level, caFile }: MailStackSettings['relayTls'],
): Promise<Finding> {
  return await toFinding(
    `The relay ${host}:${port} cannot be used, so mail that leaves waits in the queue`,
    async () => {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        host,
        port,
        secure: false,
        requireTLS: true,
        auth: { user: username, pass: password },
        tls: { ca: await readFile(caFile, 'utf8'), rejectUnauthorized: level === 'secure' },
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
      });
      await transport.verify().finally(() => transport.close());
      return `The relay ${host}:${port} takes our login, in TLS.`;
    },
  );
}
