import { configDirectoryOf, postfixInstances, sqlMapSettings, submissionMilters } from '../render/render-postfix.js';
import type { PostfixInstance } from '../render/sql-maps.js';
import { sqlMaps } from '../render/sql-maps.js';
import { type ListenAddress, postfixEndpoint } from '../settings/endpoint.js';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { ask, expectGreetingInTls } from './ask.js';
import { examineMilter, examinePolicy } from './examine-policy.js';
import { type Finding, toFinding } from './finding.js';
import { PROBE_DOMAIN } from './probe.js';
import { run } from './run.js';

/** The maps of an earlier release answer a byte above 127 with an error. */
const STRANGE_ADDRESS = `\u00fc@${PROBE_DOMAIN}`;

/**
 * Checks the configuration and the maps of each Postfix instance, and that its services, the policy daemon and the
 * milters respond.
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
      await examineParameters(settings, instance, directory),
    );
  }
  for (const [name, address] of Object.entries({ mail: postfix.mx, submission: postfix.submission })) {
    if (address !== null) findings.push(await examineSmtp(name, address.host ?? '127.0.0.1', address.port));
  }
  if (postfix.submissions !== null) findings.push(await examineSubmissions(postfix.submissions));
  if (asksUs(settings)) findings.push(await examinePolicy(settings));
  for (const milter of asksUs(settings) ? submissionMilters(settings) : []) findings.push(await examineMilter(milter));
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

/** Keeps the notices that Postfix makes itself on the platform; as `postconf -P` prints it. */
const NOTICES_STAY = [
  ...['bounce', 'defer', 'trace'].flatMap((service) => [
    `${service}/unix/cleanup_service_name = notices`,
    `${service}/unix/internal_mail_filter_classes = bounce`,
  ]),
  'notices/unix/virtual_alias_maps = $notice_alias_maps',
  'notices/unix/header_checks = regexp:{ { /^Auto-Submitted:/ FILTER $virtual_transport } }',
];

/**
 * Checks that the parameters that protect the relay and the counting have their rendered values in main.cf, and are not
 * changed for a service in master.cf.
 */
async function examineParameters(
  settings: MailStackSettings,
  instance: PostfixInstance,
  directory: string,
): Promise<Finding> {
  const expected = expectedParameters(settings, instance);
  return await toFinding(`The configuration in ${directory} is not the rendered one`, async () => {
    const names = Object.keys(expected);
    for (const line of linesOf(await run('postconf', ['-c', directory, '-x', ...names]))) {
      const [name = '', value = ''] = line.split(/ =\s*/, 2);
      if (value !== expected[name]) throw new Error(`${name} is "${value}", and must be "${expected[name]}"`);
    }
    const inMaster = linesOf(await run('postconf', ['-c', directory, '-P']));
    const missing = NOTICES_STAY.find((line) => !inMaster.includes(line));
    if (missing !== undefined) throw new Error(`master.cf lacks "${missing}", so a notice of Postfix could leave`);
    for (const line of inMaster) {
      const [service = '', name = ''] = /^(\S+)\/(\w+) =/.exec(line)?.slice(1) ?? [];
      if (name in expected && `${service}/${name}` !== 'ses/unix/smtp_header_checks')
        throw new Error(`master.cf has another ${name} for ${service}`);
    }
    const clients = linesOf(await run('postconf', ['-c', directory, '-M'])).filter((line) => line.endsWith(' smtp'));
    const [client = ''] = clients.map((line) => line.split(/\s/)[0]).filter((name) => name !== 'direct');
    if (instance === 'mx' && client !== '') {
      throw new Error(`master.cf has the service ${client}, which could reach a relay`);
    }
    return {
      mx: `Mail from strangers leaves by no relay (${directory}).`,
      submission: `Mail of users is counted at its end, and nothing refuses it afterwards (${directory}).`,
    }[instance];
  });
}

/** Without them Postfix asks the maps about bytes above 127, or accepts recipients that are not on the platform. */
const ONLY_OWN_RECIPIENTS = {
  smtputf8_enable: 'no',
  strict_smtputf8: 'yes',
  allow_percent_hack: 'no',
  swap_bangpath: 'no',
  resolve_dequoted_address: 'no',
  address_verify_sender: '',
};

function expectedParameters(settings: MailStackSettings, instance: PostfixInstance): Record<string, string> {
  const milters = submissionMilters(settings).map(postfixEndpoint).join(', ');
  const both = {
    enable_long_queue_ids: 'yes',
    lmtp_header_checks: 'regexp:{ {/^X-SES-/ IGNORE} }',
    smtp_header_checks: 'regexp:{ {/^X-SES-/ IGNORE} }',
    milter_default_action: 'tempfail',
    notify_classes: '',
    relayhost: '',
    relay_domains: '',
    smtpd_end_of_data_restrictions: '',
    ...ONLY_OWN_RECIPIENTS,
  };
  return instance === 'mx'
    ? {
        ...both,
        authorized_submit_users: 'root',
        smtpd_reject_unlisted_recipient: 'yes',
        default_transport:
          settings.forwarding === null ? 'error:5.1.2 This server delivers to its own mailboxes only' : 'direct:',
        smtpd_milters: settings.forwarding === null || settings.milter === null ? '' : postfixEndpoint(settings.milter),
        multi_instance_directories: postfixInstances(settings).includes('submission')
          ? settings.postfix.submissionInstance.configDirectory
          : '',
      }
    : {
        ...both,
        authorized_submit_users: '',
        smtpd_milters: milters,
        smtpd_proxy_filter: '',
        milter_header_checks: '',
      };
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
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
