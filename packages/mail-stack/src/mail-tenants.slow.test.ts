import { type SesEmulator, startSesEmulator } from '@mailstead/adapters/ses/testing/ses-emulator';
import { sesSettings } from '@mailstead/adapters/ses/testing/ses-settings';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import type { RelayedMessage } from './testing/relay-stand-in.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';
const BOB = 'bob@acme.test';
const SET = 'mailstead';
const ZONE = 'x1y2.dkim.emulated.example';

/** The records of every domain are published. */
const resolveCname = async (name: string): Promise<string[]> => [`${name.split('.')[0] ?? ''}.${ZONE}`];

describeStack('mail of partners with tenants at SES, on real mail servers,', () => {
  let emulator: SesEmulator;
  let stack: WholeStack<MailsteadProcess>;
  let sent = 0;
  /** Why SES refused messages. */
  const refusals: string[] = [];

  beforeAll(async () => {
    emulator = await startSesEmulator({ signingHostedZone: ZONE, resolveCname });
    stack = await WholeStack.startWithDaemon({
      ownDatabase: true,
      defaultRelay: 'ses',
      environment: {
        ...sesSettings(emulator),
        SES_TENANTS: 'on',
      },
    });
    // As SES: a message is refused whose identity or set is not in the tenant that it names.
    stack.rig.relays[0].judge = ({ from, text }) => {
      const { tenant, set } = fieldsOf(text);
      try {
        emulator.send(from.slice(from.lastIndexOf('@') + 1), 'BOUNCE', set, tenant);
      } catch (error) {
        refusals.push(String(error));
        throw error;
      }
    };
  });

  afterAll(async () => {
    await stack?.stop();
    await emulator?.close();
  });

  const relay = () => stack.rig.relays[0];
  const tenantOf = async (partner: string): Promise<string | null> =>
    (await stack.platform.master.get(`/partners/${partner}/relay`)).tenant as string | null;
  const submit = async (to: string[] = [OUTSIDE]): Promise<string> => {
    sent += 1;
    const subject = `message ${sent}`;
    expect(await stack.submit(ALICE, { from: ALICE, to, subject })).toMatchObject({ code: 250 });
    return subject;
  };
  const relayed = async (to?: string[]): Promise<RelayedMessage> => {
    const subject = await submit(to);
    return await until(`"${subject}" at SES`, async () => {
      if (refusals.length > 0) throw new Error(`SES refused mail: ${refusals.join('; ')}`);
      return relay().messages.find(({ text }) => text.includes(`Subject: ${subject}\r\n`)) ?? null;
    });
  };
  /** Sends one message after the other until one names the tenant of the partner. @returns what those before named */
  const untilNamed = async (partner: string): Promise<Set<string | undefined>> => {
    const before = new Set<string | undefined>();
    await until(`mail with the tenant of ${partner}`, async () => {
      const named = fieldsOf((await relayed()).text).tenant;
      if (named !== undefined && named === (await tenantOf(partner))) return true;
      before.add(named);
      return false;
    });
    return before;
  };
  const made = (partner: string): Promise<string> => until(`the tenant of ${partner}`, () => tenantOf(partner));

  it('names no tenant until SES has confirmed identity and set in it, then names it, and none is refused before or after', async () => {
    expect([...(await untilNamed('acme'))]).toEqual([undefined]);
    expect(refusals).toEqual([]);
  });

  it('has the tenant and the tag of its queue file at SES, no set when the identity has it, and no field on the platform', async () => {
    const tenant = await made('acme');
    const message = await relayed([OUTSIDE, BOB]);
    const [, queueId = ''] = /by mx\.rig\.test \(Postfix\) with ESMTPSA id (\w+)/.exec(message.text) ?? [];
    expect(fieldsOf(message.text)).toEqual({ tenant, set: undefined, tag: `mailstead=mx_rig_test-${queueId}` });
    const subject = `message ${sent}`;
    await stack.rig.arrival(BOB, subject);
    const copy = await stack.rig.doveadm('fetch', '-u', BOB, 'hdr', 'mailbox', 'INBOX', 'subject', subject);
    expect(copy).toContain(subject);
    expect(copy).not.toMatch(/x-ses-/i);
  });

  it('names the set too while the identity lacks it, and SES takes it', async () => {
    const tenant = await made('acme');
    const identity = emulator.identity('acme.test') ?? raise('There is no identity');
    const store = (set: string): Promise<unknown> =>
      stack.rig.services.database.query(
        `UPDATE verification SET configuration_set = ${set}
          WHERE domain_id = (SELECT id FROM domain WHERE name = 'acme.test')`,
      );
    identity.configurationSet = null;
    await store('NULL');
    expect(fieldsOf((await relayed()).text)).toMatchObject({ tenant, set: SET });
    identity.configurationSet = SET;
    await store(`'${SET}'`);
  });

  it('of a domain that moved while it waited in the queue leaves with the former tenant, and later mail with the next', async () => {
    const former = await made('acme');
    relay().mode = 'throttle';
    const waiting = await submit(['waits@elsewhere.test']);
    await stack.rig.deferral('waits@elsewhere.test', 'Throttling');
    await stack.platform.master.put('/domains/acme.test/partner', { partner_ref: 'beta' });
    relay().mode = 'accept';
    expect([...(await untilNamed('beta'))]).not.toContain(former);
    await until('the queued message', async () => {
      await stack.rig.retryQueue();
      return relay().messages.some(({ text }) => text.includes(`Subject: ${waiting}\r\n`));
    });
    expect(fieldsOf((await relay().arrival(waiting)).text).tenant).toBe(former);
    expect(refusals).toEqual([]);
  });
});

/** The values of the fields for SES. */
function fieldsOf(text: string): { tenant: string | undefined; set: string | undefined; tag: string | undefined } {
  const [header = ''] = text.split('\r\n\r\n');
  const valueOf = (name: string): string | undefined =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(header.replaceAll('\r\n', '\n'))?.[1];
  return {
    tenant: valueOf('X-SES-TENANT'),
    set: valueOf('X-SES-CONFIGURATION-SET'),
    tag: valueOf('X-SES-MESSAGE-TAGS'),
  };
}

function raise(text: string): never {
  throw new Error(text);
}
