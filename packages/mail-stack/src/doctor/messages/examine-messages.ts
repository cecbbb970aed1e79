import { randomBytes } from 'node:crypto';
import { configDirectoryOf, postfixInstances } from '../../render/render-postfix.js';
import type { PostfixInstance } from '../../render/sql-maps.js';
import { hostAndPort, type ListenAddress } from '../../settings/endpoint.js';
import type { MailStackSettings } from '../../settings/mail-stack-settings.js';
import { type Finding, reasonOf, toFinding, Warning } from '../finding.js';
import { run } from '../run.js';
import { ProbeListener } from './probe-listener.js';
import { readSecret } from './read-secret.js';
import { sendProbe } from './send-probe.js';
import { type SentCount, sentToday } from './sent-count.js';

const ARRIVES_WITHIN_MS = 60_000;

/** A port that takes messages, and as whom the doctor logs in there. */
interface Way {
  instance: PostfixInstance;
  address: ListenAddress;
  /** TLS from the first byte on. */
  secure: boolean;
  login: { user: string; password: string } | null;
}

/**
 * Sends a message through each port: to a name that cannot exist, whose rendered transport is the port on which the
 * doctor listens meanwhile. Each must arrive. Those of the doctor's mailbox must be counted for its domain.
 *
 * @param arrivesWithinMs how long a message may take.
 */
export async function examineMessages(
  settings: MailStackSettings,
  arrivesWithinMs = ARRIVES_WITHIN_MS,
): Promise<Finding[]> {
  const { host, port } = settings.doctor.address;
  let listener: ProbeListener;
  try {
    listener = await ProbeListener.start(settings.doctor.address);
  } catch (error) {
    const where = hostAndPort(host, port);
    return [
      {
        verdict: 'wrong',
        sentence: `No message was sent through the ports, because the doctor cannot listen at ${where} (is it running twice?): ${reasonOf(error)}`,
      },
    ];
  }
  try {
    const send = async (way: Way): Promise<Finding> => await examineWay(settings, listener, way, arrivesWithinMs);
    const mx: Way = { instance: 'mx', address: settings.postfix.mx, secure: false, login: null };
    const [received, submitted] = await Promise.all([send(mx), examineSubmission(settings, send)]);
    return [received, ...submitted];
  } finally {
    await listener.stop();
  }
}

async function examineSubmission(
  settings: MailStackSettings,
  send: (way: Way) => Promise<Finding>,
): Promise<Finding[]> {
  const { postfix, doctor, api } = settings;
  const { mailbox } = doctor;
  if (!postfixInstances(settings).includes('submission')) return [];
  if (mailbox === null) {
    const sentence =
      'No message was submitted as a user, because the settings name no mailbox for it (doctor.mailbox).';
    return [{ verdict: 'warning', sentence }];
  }
  let password = '';
  const readable = await toFinding(`The password of ${mailbox} cannot be read`, async () => {
    password = (await readSecret(doctor.passwordFile)).trim();
    return `The password of ${mailbox} is in ${doctor.passwordFile}.`;
  });
  if (readable.verdict !== 'ok') return [readable];

  const count = async (): Promise<SentCount> => await sentToday(api.url, mailbox, doctor.tokenFile);
  const before = await count().catch(reasonOf);
  const login = { user: mailbox, password };
  const findings: Finding[] = [];
  for (const [address, secure] of [[postfix.submission, false] as const, [postfix.submissions, true] as const]) {
    if (address !== null) findings.push(await send({ instance: 'submission', address, secure, login }));
  }
  const arrived = findings.filter(({ verdict }) => verdict === 'ok').length;
  const after = await count().catch(reasonOf);
  return [...findings, ...(arrived === 0 ? [] : [await compareCounts(mailbox, arrived, before, after)])];
}

/** @param before and `after`: what was sent, or why that is not known. */
async function compareCounts(
  mailbox: string,
  arrived: number,
  before: SentCount | string,
  after: SentCount | string,
): Promise<Finding> {
  return await toFinding('Mail leaves without being counted, so no limit stops a sender', async () => {
    for (const each of [before, after]) {
      if (typeof each === 'string') {
        throw new Warning(`Whether the messages of ${mailbox} were counted is not known: ${each}`);
      }
    }
    const [was, is] = [before as SentCount, after as SentCount];
    if (was.day !== is.day) throw new Warning(`The day of the counts ended meanwhile (UTC); run the doctor again.`);
    const counted = is.sent - was.sent;
    if (counted < arrived) throw new Error(`${arrived} messages of ${mailbox} arrived, and ${counted} were counted`);
    return `The messages of ${mailbox} were counted.`;
  });
}

async function examineWay(
  settings: MailStackSettings,
  listener: ProbeListener,
  { instance, address, secure, login }: Way,
  arrivesWithinMs: number,
): Promise<Finding> {
  const { port } = address;
  const whose = login === null ? '' : ` of ${login.user}`;
  const message = `A message${whose} through port ${port}`;
  const lost = login === null ? 'mail from outside' : 'what users send';
  return await toFinding(`${message} does not arrive, so ${lost} is refused, waits or is lost`, async () => {
    const name = randomBytes(12).toString('hex');
    const host = address.host ?? (settings.ipVersions === 'ipv6' ? '::1' : '127.0.0.1');
    const queueId = await sendProbe({ host, port, secure, login, recipient: listener.expect(name) });
    if (await listener.arrives(name, arrivesWithinMs)) return `${message} arrived.`;
    // Nothing of the doctor stays in the queue.
    const directory = configDirectoryOf(settings, instance);
    await run('postsuper', ['-c', directory, '-d', queueId]).catch(() => undefined);
    const seconds = Math.round(arrivesWithinMs / 1000);
    throw new Error(`Postfix took it and did not deliver it within ${seconds} s; its log says why (${queueId})`);
  });
}
