import { hostAndPort, type ListenAddress } from '../settings/endpoint.js';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { ask, expectGreetingInTls } from './ask.js';
import { fetchPlainly } from './fetch-plainly.js';
import { type Finding, toFinding } from './finding.js';
import { PROBE_ADDRESS, PROBE_DOMAIN } from './probe.js';

/** doveadm's exit code for an address that is not in the database. It proves that doveadm queried the database. */
const NO_SUCH_USER = 67;
const TEMPORARY = 75;

/**
 * Checks doveadm's key and its database connection, Postfix's three connections to Dovecot, IMAP, POP3, and the turns
 * of logins.
 */
export async function examineDovecot({ dovecot, logins }: MailStackSettings): Promise<Finding[]> {
  const findings = [await examineDoveadm(dovecot.doveadm)];
  for (const [purpose, endpoint] of Object.entries({
    delivery: dovecot.lmtp,
    'login checks of Postfix': dovecot.sasl,
  })) {
    findings.push(
      await toFinding(`Dovecot does not answer for the ${purpose}`, async () => {
        await ask(endpoint, '', (answer) => answer.includes('\n'));
        return `Dovecot answers for the ${purpose}.`;
      }),
    );
  }
  findings.push(
    await toFinding(
      'Dovecot does not answer for the storage quota, so full mailboxes are found out too late',
      async () => {
        const request = `request=smtpd_access_policy\nprotocol_state=RCPT\nrecipient=probe@${PROBE_DOMAIN}\nsize=1\n\n`;
        const answer = (await ask(dovecot.quotaStatus, request, (text) => text.includes('\n\n')))
          .toString('latin1')
          .trim();
        if (!/^action=DUNNO/i.test(answer)) throw new Error(`it answers ${answer}`);
        return 'Dovecot answers for the storage quota.';
      },
    ),
  );
  if (logins !== null) findings.push(await examineLogins(logins, dovecot.trustedNetworks));
  if (dovecot.imap !== null) findings.push(await examineImap(dovecot.imap));
  if (dovecot.imaps !== null) findings.push(await examineInTls('IMAP', dovecot.imaps, '* OK'));
  if (dovecot.pop3s !== null) findings.push(await examineInTls('POP3', dovecot.pop3s, '+OK'));
  return findings;
}

async function examineDoveadm({ address, apiKey }: MailStackSettings['dovecot']['doveadm']): Promise<Finding> {
  const where = hostAndPort(address.host, address.port);
  return await toFinding(
    `doveadm at ${where} cannot be used, so nothing is purged and storage is not known`,
    async () => {
      const response = await fetchPlainly(`http://${where}/doveadm/v1`, {
        method: 'POST',
        headers: {
          authorization: `X-Dovecot-API ${Buffer.from(apiKey).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify([['user', { userMask: [`probe@${PROBE_DOMAIN}`] }, 'doctor']]),
      });
      if (response.status === 401)
        throw new Error('it refuses our key; doveadm_api_key in dovecot.conf is another one');
      const text = await response.text();
      const code = Number(/"exitCode":(\d+)/.exec(text)?.[1]);
      if (code === TEMPORARY) throw new Error('it cannot reach the database');
      if (code !== NO_SUCH_USER) throw new Error(`it answers ${response.status} ${text}`);
      return `doveadm at ${where} takes our key and reaches the database.`;
    },
  );
}

/** Asks like Dovecot whether a password may be checked, and which hosts are trusted. */
async function examineLogins({ host, port }: ListenAddress, trusted: readonly string[]): Promise<Finding> {
  const where = hostAndPort(host ?? '127.0.0.1', port);
  return await toFinding(
    `The policy daemon at ${where} does not answer Dovecot, so many logins to one mailbox delay all others`,
    async () => {
      const ask = async (command: string, peer = ''): Promise<object> => {
        const response = await fetchPlainly(`http://${where}/logins?command=${command}`, {
          method: 'POST',
          body: JSON.stringify({ login: PROBE_ADDRESS, client: '', peer, session: 'doctor', process: '' }),
        });
        if (!response.ok) throw new Error(`it answers ${response.status}`);
        return (await response.json()) as object;
      };
      await ask('allow');
      await ask('report');
      for (const peer of trusted) {
        if (Reflect.get(await ask('trusts', peer), 'status') === 1) continue;
        throw new Error(`the host ${peer} of dovecot.trustedNetworks is not in its LOGINS_TRUSTED; restart it`);
      }
      return `The policy daemon at ${where} decides when passwords are checked.`;
    },
  );
}

async function examineImap({ host, port }: ListenAddress): Promise<Finding> {
  return await toFinding(`Dovecot does not take IMAP on port ${port}`, async () => {
    const greeting = (
      await ask({ kind: 'inet', host: host ?? '127.0.0.1', port }, '', (answer) => answer.includes('\n'))
    ).toString('latin1');
    if (!greeting.startsWith('* OK') || !greeting.includes('STARTTLS')) {
      throw new Error(`it greets with ${greeting.trim()}`);
    }
    return `Dovecot takes IMAP on port ${port}, with STARTTLS.`;
  });
}

async function examineInTls(protocol: string, address: ListenAddress, greeting: string): Promise<Finding> {
  return await toFinding(`Dovecot does not take ${protocol} on port ${address.port}`, async () => {
    await expectGreetingInTls(address, greeting);
    return `Dovecot takes ${protocol} on port ${address.port}, in TLS.`;
  });
}
