import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DnsServer } from '@mailstead/adapters/dns/testing/dns-server';
import { DoveadmServer } from '@mailstead/adapters/dovecot/testing/doveadm-server';
import { type SesEmulator, startSesEmulator } from '@mailstead/adapters/ses/testing/ses-emulator';
import { sesSettings } from '@mailstead/adapters/ses/testing/ses-settings';

const DOVEADM_KEY = 'key-of-doveadm-0123456789';

/** The systems outside of an installation, on loopback. Each counts what reaches it. */
export class Outside {
  private constructor(
    readonly ses: SesEmulator,
    private readonly dns: DnsServer,
    private readonly doveadm: DoveadmServer,
    private readonly receiver: Server,
    private readonly posted: string[],
  ) {}

  static async start(): Promise<Outside> {
    const posted: string[] = [];
    const receiver = createServer((request, response) => {
      posted.push(request.url ?? '');
      request.resume();
      response.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const [ses, dns, doveadm] = [
      await startSesEmulator(),
      await DnsServer.start(),
      await DoveadmServer.start(DOVEADM_KEY),
    ];
    return new Outside(ses, dns, doveadm, receiver, posted);
  }

  /** The settings of a process that uses them. */
  get settings(): Record<string, string> {
    return {
      ...sesSettings(this.ses),
      DNS_SERVERS: this.dns.address,
      MX_HOSTS: 'mx.operator.example',
      MAIL_STORE: 'dovecot',
      DOVEADM_URL: this.doveadm.url,
      DOVEADM_API_KEY: DOVEADM_KEY,
      NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${(this.receiver.address() as AddressInfo).port}/`,
      NOTIFY_WEBHOOK_SECRET: `whsec_${Buffer.from('secret-of-the-notifications-01234').toString('base64')}`,
      NOTIFY_ALLOW_PRIVATE: 'true',
    };
  }

  /** What reached each system since the last call of `forget`. */
  get calls() {
    return {
      ses: this.ses.requests.length,
      dns: this.dns.questions.length,
      doveadm: this.doveadm.commands.length,
      webhook: this.posted.length,
    };
  }

  forget(): void {
    for (const list of [this.ses.requests, this.dns.questions, this.doveadm.commands, this.posted]) list.length = 0;
  }

  async close(): Promise<void> {
    this.receiver.closeAllConnections();
    this.receiver.close();
    await Promise.all([this.ses.close(), this.dns.close(), this.doveadm.close()]);
  }
}
