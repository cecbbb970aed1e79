import { configDirectoryOf, postfixInstances, sqlMapSettings, submissionMilters } from '../render/render-postfix.js';
import type { PostfixInstance } from '../render/sql-maps.js';
import { sqlMaps } from '../render/sql-maps.js';
import type { ListenAddress } from '../settings/endpoint.js';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { ask, expectGreetingInTls } from './ask.js';
import { examineFilter, examineMilter, examinePolicy } from './examine-policy.js';
import { type Finding, toFinding } from './finding.js';
import { PROBE_DOMAIN } from './probe.js';
import { run } from './run.js';

/** The maps of an earlier release answer a byte above 127 with an error. */
const STRANGE_ADDRESS = `\u00fc@${PROBE_DOMAIN}`;

/**
 * Checks that Postfix accepts its configuration, that the maps of each instance answer, and that its services, the
 * policy daemon and the milters respond.
 */
export async function examinePostfix(settings: MailStackSettings): Promise<Finding[]> {
  const { postfix } = settings;
  const findings: Finding[] = [];
  for (const instance of postfixInstances(settings)) {
    const directory = configDirectoryOf(settings, instance);
    findings.push(
      await toFinding(`Postfix does not accept its configuration in ${directory}`, async () => {
        await run('postfix', ['-c', directory, 'check']);
        return `Postfix accepts its configuration in ${directory}.`;
      }),
      await examineMaps(settings, instance, directory),
    );
  }
  for (const [name, address] of Object.entries({ mail: postfix.mx, submission: postfix.submission })) {
    if (address !== null) findings.push(await examineSmtp(name, address.host ?? '127.0.0.1', address.port));
  }
  if (postfix.submissions !== null) findings.push(await examineSubmissions(postfix.submissions));
  if (asksUs(settings)) findings.push(await examinePolicy(settings));
  for (const milter of asksUs(settings) ? submissionMilters(settings) : []) findings.push(await examineMilter(milter));
  for (const filter of settings.inboundMilters) findings.push(await examineFilter(filter));
  return findings;
}

/** Returns true when mail may leave the platform, so that Postfix uses the policy daemon and the milter. */
function asksUs(settings: MailStackSettings): boolean {
  return postfixInstances(settings).includes('submission') || settings.forwarding !== null;
}

async function examineMaps(
  settings: MailStackSettings,
  instance: PostfixInstance,
  directory: string,
): Promise<Finding> {
  const maps = sqlMaps(instance, sqlMapSettings(settings));
  return await toFinding(`A map of Postfix in ${directory} does not answer`, async () => {
    for (const { name } of maps) {
      await run('postmap', ['-c', directory, '-q', STRANGE_ADDRESS, `mysql:${directory}/sql/${name}.cf`], [0, 1]);
    }
    return `All ${maps.length} maps of Postfix in ${directory} answer.`;
  });
}

async function examineSmtp(name: string, host: string, port: number): Promise<Finding> {
  return await toFinding(`Postfix does not take ${name} on port ${port}`, async () => {
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
  return await toFinding(`Postfix does not take submission on port ${address.port}`, async () => {
    await expectGreetingInTls(address, '220 ');
    return `Postfix takes submission on port ${address.port}, in TLS.`;
  });
}
