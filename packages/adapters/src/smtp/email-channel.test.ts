import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Notification } from '@mailstead/core/notifications/notification-channel';
import { SMTPServer } from 'smtp-server';
import { EmailChannel } from './email-channel.js';
import { checkSmtpUrl } from './smtp-url.js';

const notification: Notification = {
  id: 'b7c5b7a2-0001-4000-8000-000000000001',
  type: 'domain.limit_reached',
  at: new Date('2026-03-15T11:59:58.000Z'),
  data: { domain: 'example.com', partner_ref: null, limit: 'daily_limit', percent: 80, note: 'a\r\nBcc: x@y.example' },
};

interface ReceivedMail {
  from: string;
  to: string[];
  headers: string;
  text: string;
}

describe('notifications by e-mail', () => {
  let server: SMTPServer;
  let received: ReceivedMail[];
  let refuse: string | null;

  beforeEach(async () => {
    received = [];
    refuse = null;
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo({ address }, _session, done) {
        done(refuse === address ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : undefined);
      },
      onData(stream, { envelope }, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const message = Buffer.concat(chunks).toString();
          const end = message.indexOf('\r\n\r\n');
          received.push({
            from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
            to: envelope.rcptTo.map(({ address }) => address),
            headers: message.slice(0, end),
            text: message.slice(end + 4),
          });
          done();
        });
      },
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
  });
  afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const aChannel = () => {
    const { port } = server.server.address() as AddressInfo;
    return new EmailChannel({
      url: `smtp://127.0.0.1:${port}`,
      from: 'Mailstead <noreply@ops.example>',
      to: 'one@ops.example, two@ops.example',
      timeoutMs: 5_000,
    });
  };

  test('describe the event, and are marked as automatic messages', async () => {
    expect(await aChannel().deliver(notification)).toBe('delivered');
    const [mail] = received;
    expect(mail).toMatchObject({ from: 'noreply@ops.example', to: ['one@ops.example', 'two@ops.example'] });
    expect(mail?.headers).toContain('Subject: [Mailstead] example.com reached a sending limit');
    expect(mail?.headers).toContain('Auto-Submitted: auto-generated');
    expect(mail?.headers).toContain('Date: Sun, 15 Mar 2026 11:59:58 +0000');
    expect(mail?.headers).not.toContain('Bcc');
    expect(mail?.text).toContain('percent: 80');
    expect(mail?.text).toContain(`id: ${notification.id}`);
  });

  test('log in with the password that the URL has percent-encoded, also at an IPv6 address', async () => {
    const logins: unknown[] = [];
    const relay = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth({ username, password }, _session, done) {
        logins.push([username, password]);
        done(null, { user: username });
      },
    });
    relay.listen(0, '::1');
    await once(relay.server, 'listening');
    const { port } = relay.server.address() as AddressInfo;
    const url = `smtp://AKIA%40:p%2Fw%2B%25:x@[::1]:${port}`;
    checkSmtpUrl(url);
    const channel = new EmailChannel({ url, from: 'noreply@ops.example', to: 'one@ops.example' });
    expect(await channel.deliver(notification)).toBe('delivered');
    expect(logins).toEqual([['AKIA@', 'p/w+%:x']]);
    await new Promise<void>((resolve) => relay.close(() => resolve()));
  });

  test('have the same id and date when they are sent again', async () => {
    const channel = aChannel();
    await channel.deliver(notification);
    await channel.deliver(notification);
    const [first, second] = received;
    expect(first?.headers).toContain(`Message-ID: <${notification.id}@ops.example>`);
    expect(second).toEqual(first);
  });

  test('are delivered when one of the recipients is refused, and fail when all are', async () => {
    refuse = 'one@ops.example';
    expect(await aChannel().deliver(notification)).toBe('delivered');
    const lonely = new EmailChannel({
      url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
      from: 'noreply@ops.example',
      to: 'one@ops.example',
    });
    await expect(lonely.deliver(notification)).rejects.toThrow('The mail server did not take the notification');
  });

  test('fail when the server does not respond', async () => {
    const connections: Socket[] = [];
    const silent = createServer((connection) => connections.push(connection));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const channel = new EmailChannel({
      url: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      from: 'noreply@ops.example',
      to: 'one@ops.example',
      timeoutMs: 100,
    });
    await expect(channel.deliver(notification)).rejects.toThrow('The mail server did not take the notification');
    for (const connection of connections) connection.destroy();
    silent.close();
    await once(silent, 'close');
    await expect(channel.deliver(notification)).rejects.toThrow('The mail server did not take the notification');
  });
});
