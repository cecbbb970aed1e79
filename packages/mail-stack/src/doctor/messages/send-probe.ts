import { PROBE_DOMAIN } from '../probe.js';

const TIMEOUT_MS = 15_000;

interface Probe {
  host: string;
  port: number;
  secure: boolean;
  /** Null on port 25, where the message has no sender, so that nobody gets a notice about it. */
  login: { user: string; password: string } | null;
  recipient: string;
}

/**
 * Sends a message by SMTP. With a login only in TLS.
 *
 * @returns the name of the message in Postfix's queue.
 * @throws Error with the reply when Postfix refuses it.
 */
export async function sendProbe({ host, port, secure, login, recipient }: Probe): Promise<string> {
  const { createTransport } = await import('nodemailer');
  const sender = login === null ? '' : login.user;
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: login !== null,
    name: PROBE_DOMAIN,
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    // The certificate contains the public host name, not the address used here.
    tls: { rejectUnauthorized: false },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    const { response } = await transport.sendMail({
      envelope: { from: sender, to: [recipient] },
      from: sender === '' ? recipient : sender,
      to: recipient,
      subject: 'Message of the doctor of the mail stack',
      text: 'The doctor sent this message to itself.',
    });
    const queueId = /queued as ([0-9A-Za-z]+)/.exec(response)?.[1];
    if (queueId === undefined) throw new Error(`Postfix answers ${response}`);
    return queueId;
  } finally {
    transport.close();
  }
}
