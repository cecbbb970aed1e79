import { type Endpoint, postfixEndpoint } from '../settings/endpoint.js';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { ask } from './ask.js';
import { type Finding, toFinding } from './finding.js';
import { PROBE_ADDRESS, PROBE_DOMAIN } from './probe.js';

/** Sends the policy daemon a request like Postfix at RCPT, for a domain that cannot exist. */
export async function examinePolicy({ policyd, hostname }: MailStackSettings): Promise<Finding> {
  return await toFinding(`The policy daemon at ${postfixEndpoint(policyd)} cannot decide`, async () => {
    const answer = await ask(policyd, policyRequest(hostname), (text) => text.includes('\n\n'));
    const action = /^action=(.*)$/m.exec(answer.toString('latin1'))?.[1];
    if (action === undefined) {
      throw new Error(`its answer is not one Postfix understands: ${answer.toString('latin1').trim()}`);
    }
    // The domain does not exist, so the correct reply is permanent. A temporary reply means that no verdict was made.
    if (/^(4\d\d|DEFER)/i.test(action)) {
      throw new Error(`it answers "${action}"; its log says whether it reaches the API and whether its token is right`);
    }
    return `The policy daemon answers: ${action}`;
  });
}

function policyRequest(hostname: string): string {
  const attributes = {
    request: 'smtpd_access_policy',
    protocol_state: 'RCPT',
    protocol_name: 'ESMTP',
    client_address: '127.0.0.1',
    sender: PROBE_ADDRESS,
    recipient: `nobody@${PROBE_DOMAIN}`,
    recipient_count: '0',
    instance: `doctor.${process.pid}.${Date.now()}`,
    size: '1',
    sasl_method: 'PLAIN',
    sasl_username: PROBE_ADDRESS,
    policy_context: hostname,
  };
  return `${Object.entries(attributes)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')}\n`;
}

/** A filter of port 25 that does not answer is passed over, so this is no more than a warning. */
export async function examineFilter(filter: Endpoint): Promise<Finding> {
  const { verdict, sentence } = await examineMilter(filter, 'mail from outside is accepted without it');
  return { verdict: verdict === 'wrong' ? 'warning' : verdict, sentence };
}

/** Sends a milter the same offer as Postfix (version 6, all actions and steps). A milter replies with the letter O. */
export async function examineMilter(milter: Endpoint, consequence = 'submitted mail is deferred'): Promise<Finding> {
  const where = postfixEndpoint(milter);
  return await toFinding(`The milter at ${where} does not answer, so ${consequence}`, async () => {
    const offer = Buffer.alloc(17);
    offer.writeUInt32BE(13, 0);
    offer.write('O', 4, 'latin1');
    offer.writeUInt32BE(6, 5);
    offer.writeUInt32BE(0x1ff, 9);
    offer.writeUInt32BE(0x1f_ffff, 13);
    const answer = await ask(milter, offer, (bytes) => bytes.length >= 5);
    if (answer[4] !== 'O'.charCodeAt(0)) throw new Error('what listens there does not speak the milter protocol');
    return `The milter at ${where} answers.`;
  });
}
