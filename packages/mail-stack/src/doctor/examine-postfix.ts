import { execFile } from 'node:child_process';
import { SQL_MAPS } from '../render/sql-maps.js';
import { type ListenAddress, postfixEndpoint } from '../settings/endpoint.js';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { ask, expectGreetingInTls } from './ask.js';
import { type Finding, look } from './finding.js';

/** A domain that no registry gives away: no answer about it can be found, and none can do harm. */
export const PROBE_DOMAIN = 'mailstead-doctor.invalid';
const PROBE_ADDRESS = `probe@${PROBE_DOMAIN}`;

/** Postfix's configuration is sound, every map answers, and its services, the policy daemon and the milter answer. */
export async function examinePostfix(settings: MailStackSettings): Promise<Finding[]> {
  const { postfix } = settings;
  const findings = [
    await look('Postfix does not accept its configuration', async () => {
      await run('postfix', ['-c', postfix.configDirectory, 'check']);
      return `Postfix accepts its configuration in ${postfix.configDirectory}.`;
    }),
    await examineMaps(postfix.configDirectory),
  ];
  for (const [name, address] of Object.entries({ mail: postfix.mx, submission: postfix.submission })) {
    if (address !== null) {
      findings.push(await examineSmtp(name, address.host ?? '127.0.0.1', address.port));
    }
  }
  if (postfix.submissions !== null) {
    findings.push(await examineSubmissions(postfix.submissions));
  }
  findings.push(...(await examinePolicy(settings)));
  if (settings.milter !== null) {
    findings.push(await examineMilter(settings));
  }
  return findings;
}

async function examineMaps(configDirectory: string): Promise<Finding> {
  return await look('A map of Postfix does not answer', async () => {
    for (const { name, query } of SQL_MAPS) {
      const key = query.includes("WHERE domain = '%s'") ? PROBE_DOMAIN : PROBE_ADDRESS;
      await run('postmap', ['-c', configDirectory, '-q', key, `mysql:${configDirectory}/sql/${name}.cf`], [0, 1]);
    }
    return `All ${SQL_MAPS.length} maps of Postfix answer.`;
  });
}

async function examineSmtp(name: string, host: string, port: number): Promise<Finding> {
  return await look(`Postfix does not take ${name} on port ${port}`, async () => {
    const greeting = await ask({ kind: 'inet', host, port }, '', (answer) => answer.includes('\n'));
    if (!greeting.toString('latin1').startsWith('220 ')) {
      throw new Error(`it greets with ${greeting.toString('latin1').trim()}`);
    }
    const capabilities = await ask(
      { kind: 'inet', host, port },
      `EHLO ${PROBE_DOMAIN}\r\n`,
      (answer) => /^250 /m.test(answer.toString('latin1')),
      { greets: true },
    );
    if (!/^250[ -]STARTTLS/m.test(capabilities.toString('latin1'))) {
      throw new Error('it does not offer STARTTLS; its log says what is wrong with the certificate');
    }
    return `Postfix takes ${name} on port ${port}, with STARTTLS.`;
  });
}

async function examineSubmissions(address: ListenAddress): Promise<Finding> {
  return await look(`Postfix does not take submission on port ${address.port}`, async () => {
    await expectGreetingInTls(address, '220 ');
    return `Postfix takes submission on port ${address.port}, in TLS.`;
  });
}

async function examinePolicy({ policyd, hostname }: MailStackSettings): Promise<Finding[]> {
  const states = ['RCPT', 'END-OF-MESSAGE'];
  const where = postfixEndpoint(policyd);
  const instance = `doctor.${process.pid}.${Date.now()}`;
  const findings: Finding[] = [];
  for (const state of states) {
    findings.push(
      await look(`The policy daemon at ${where} cannot decide at ${state}`, async () => {
        const answer = await ask(policyd, policyRequest(state, instance, hostname), (text) => text.includes('\n\n'));
        const action = /^action=(.*)$/m.exec(answer.toString('latin1'))?.[1];
        if (action === undefined) {
          throw new Error(`its answer is not one Postfix understands: ${answer.toString('latin1').trim()}`);
        }
        // The probe's domain does not exist, so that a permanent answer is right and a temporary one means that nobody decided.
        if (/^(4\d\d|DEFER)/i.test(action)) {
          throw new Error(
            `it answers "${action}"; its log says whether it reaches the API and whether its token is right`,
          );
        }
        return `The policy daemon answers at ${state}: ${action}`;
      }),
    );
  }
  return findings;
}

function policyRequest(state: string, instance: string, hostname: string): string {
  const attributes = {
    request: 'smtpd_access_policy',
    protocol_state: state,
    protocol_name: 'ESMTP',
    client_address: '127.0.0.1',
    sender: PROBE_ADDRESS,
    recipient: `nobody@${PROBE_DOMAIN}`,
    recipient_count: state === 'RCPT' ? '0' : '1',
    instance,
    size: '1',
    sasl_method: 'PLAIN',
    sasl_username: PROBE_ADDRESS,
    policy_context: hostname,
  };
  return `${Object.entries(attributes)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')}\n`;
}

/** Offers the milter what Postfix offers (version 6, all actions and steps); its answer starts with the same letter O. */
async function examineMilter({ milter }: MailStackSettings): Promise<Finding> {
  const where = milter === null ? '' : postfixEndpoint(milter);
  return await look(`The milter at ${where} does not answer, so submission is put off`, async () => {
    const offer = Buffer.alloc(17);
    offer.writeUInt32BE(13, 0);
    offer.write('O', 4, 'latin1');
    offer.writeUInt32BE(6, 5);
    offer.writeUInt32BE(0x1ff, 9);
    offer.writeUInt32BE(0x1f_ffff, 13);
    const answer = milter === null ? Buffer.alloc(0) : await ask(milter, offer, (bytes) => bytes.length >= 5);
    if (answer[4] !== 'O'.charCodeAt(0)) {
      throw new Error('what listens there does not speak the milter protocol');
    }
    return `The milter at ${where} answers.`;
  });
}

async function run(program: string, args: readonly string[], goodCodes: readonly number[] = [0]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    execFile(program, args, { timeout: 30_000 }, (error, _stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      const said = stderr.trim().split('\n').at(-1) ?? '';
      const good = typeof code === 'number' && goodCodes.includes(code) && (code === 0 || said === '');
      if (good) {
        resolve();
      } else {
        reject(new Error(said || error?.message || `${program} failed`));
      }
    });
  });
}
