import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { examineHolds } from './doctor/examine-holds.js';
import { configDirectoryOf } from './render/render-postfix.js';
import { describeStack } from './testing/describe-stack.js';
import { addAlias, addDomain, addMailboxes } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const SUE = 'sue@susp.test';
const TO_SUE = 'tosue@acme.test';
const MARK = 0o1000;
const DAYS = 86_400;
const NOWHERE = 'http://127.0.0.1:9';

describeStack('queued mail of a suspended domain', () => {
  let stack: WholeStack<PolicyStandIn>;

  beforeAll(async () => {
    stack = await WholeStack.start();
    stack.policy.answer = () => 'DUNNO';
    await addDomain(stack.acme, 'susp.test');
    await addMailboxes(stack.acme, SUE);
    await addAlias(stack.acme, TO_SUE, SUE);
  });

  afterAll(async () => {
    await stack?.stop();
  });

  const submission = (): string => configDirectoryOf(stack.rig.settings, 'submission');
  const queueDirectories = (): string[] => [`${stack.rig.folder}/queue`, `${stack.rig.folder}/queue-submission`];
  const pass = async (): Promise<void> => expect(await stack.platform.holdQueues()).toBe(0);
  const suspend = () => stack.acme.put('/domains/susp.test/suspend');
  const activate = () => stack.acme.put('/domains/susp.test/activate');

  /** Where the message to this recipient is: `deferred`, `hold`, or null without one. */
  const placeOf = async (recipient: string): Promise<string | null> =>
    (await stack.rig.queue()).find(({ recipients }) => recipients.some(({ address }) => address === recipient))
      ?.queue_name ?? null;
  const idOf = async (recipient: string): Promise<string> =>
    (await stack.rig.queue()).find(({ recipients }) => recipients.some(({ address }) => address === recipient))
      ?.queue_id ?? '';
  /** Submits a message that the relay defers. */
  const submitDeferred = async (from: string, ...to: string[]): Promise<void> => {
    stack.rig.relays[0].mode = 'throttle';
    expect(await stack.submit(from, { from, to, subject: `to ${to.join(' ')}` })).toMatchObject({ code: 250 });
    for (const recipient of to.filter((address) => address !== TO_SUE)) {
      await stack.rig.deferral(recipient, 'Throttling');
    }
  };
  const fileOf = async (id: string): Promise<string> =>
    until(`the file of ${id}`, async () => {
      for (const directory of queueDirectories()) {
        const found = (await readdir(directory, { recursive: true })).find(
          (path) => path.endsWith(`/${id}`) && /^(hold|deferred)\//.test(path),
        );
        if (found !== undefined) return join(directory, found);
      }
      return null;
    });
  /** Makes a message that does not move look as if it had come days ago. */
  const age = async (recipient: string, days: number): Promise<void> => {
    const path = await fileOf(await idOf(recipient));
    const earlier = (text: string): string => String(Number(text) - days * DAYS);
    const text = (await readFile(path)).toString('latin1');
    const [, arrived = ''] = /\nT?.{0,2}T.(\d{10}) /s.exec(text) ?? /T.(\d{10}) /s.exec(text) ?? [];
    expect(arrived).toHaveLength(10);
    const aged = text
      .replace(arrived, earlier(arrived))
      .replace(/(?<=create_time=)\d{10}/, (created) => earlier(created));
    await writeFile(path, Buffer.from(aged, 'latin1'));
  };
  const bounces = async (recipient: string): Promise<boolean> =>
    new RegExp(`to=<${recipient}>.*status=(bounced|expired)`).test(await stack.rig.logs()) ||
    (await stack.rig.logs()).includes('status=expired');

  it('is put on hold, from it and to it, and other mail is not, nor what the API does not answer for', async () => {
    await submitDeferred(SUE, 'from-sue@elsewhere.test');
    await submitDeferred(SUE, 'by-hand@elsewhere.test');
    await submitDeferred('carol@beta.test', 'control@elsewhere.test');
    await stack.rig.postfixAt(submission(), 'postsuper', '-h', await idOf('by-hand@elsewhere.test'));
    await suspend();
    expect(await stack.receive({ to: TO_SUE, from: 'carol@beta.test', subject: 'waited' })).toMatchObject({
      code: 250,
    });
    await stack.rig.deferral(SUE, 'suspended');
    await submitDeferred('alice@acme.test', TO_SUE, 'mixed@elsewhere.test');
    await stack.rig.retryQueue();
    const stamp = stack.rig.settings.doctor.holdsStamp ?? '';
    expect(await stack.platform.holdQueues({ url: NOWHERE, stamp })).toBe(1);
    expect((await examineHolds(stack.rig.settings))[0]?.sentence).toContain('no pass of mailstead-holds ended yet');
    expect(await stack.platform.holdQueues({ stamp })).toBe(0);
    expect(await examineHolds(stack.rig.settings)).toMatchObject([{ verdict: 'ok' }]);
    expect(await placeOf('from-sue@elsewhere.test')).toMatch(/deferred|hold/);
    await until('the hold', async () => {
      await pass();
      return (await placeOf('from-sue@elsewhere.test')) === 'hold';
    });
    const places = new Map(
      (await stack.rig.queue()).map(({ recipients, queue_name }) => [
        recipients.map(({ address }) => address).join(),
        queue_name,
      ]),
    );
    expect(places.get(SUE)).toBe('hold');
    expect(places.get('control@elsewhere.test')).not.toBe('hold');
    expect(
      places.get([SUE, 'mixed@elsewhere.test'].join()) ?? places.get(['mixed@elsewhere.test', SUE].join()),
    ).not.toBe('hold');
    expect((await stat(await fileOf(await idOf('from-sue@elsewhere.test')))).mode & MARK).toBe(MARK);
    expect((await stat(await fileOf(await idOf('by-hand@elsewhere.test')))).mode & MARK).toBe(0);
  });

  it('stays when the lifetime of the queue is over, at which other mail is given up', async () => {
    await stack.rig.postfixAt(submission(), 'postconf', '-e', 'maximal_queue_lifetime = 1s');
    await until('the end of other mail', async () => {
      await stack.rig.retryQueue();
      return (await placeOf('control@elsewhere.test')) === null;
    });
    expect(await bounces('control@elsewhere.test')).toBe(true);
    expect(await placeOf('from-sue@elsewhere.test')).toBe('hold');
    await stack.rig.postfixAt(submission(), 'postconf', '-e', 'maximal_queue_lifetime = 5d');
    await stack.rig.postfix('postfix', 'reload');
  });

  it('is one event after four days, and a reason for attention until the suspension ends', async () => {
    const attention = async () => (await stack.acme.get('/domains/susp.test')).attention;
    const events = async (): Promise<unknown[]> =>
      Object.values(await stack.acme.get('/events?after=0&types=domain.mail_waiting'));
    await pass();
    expect(await attention()).toEqual(['suspended']);
    await age('from-sue@elsewhere.test', 10);
    await pass();
    await pass();
    expect(await attention()).toEqual(['suspended', 'mail_waiting']);
    await until('the event', async () => (await events()).length > 0);
    expect(await events()).toHaveLength(1);
  });

  it('a message that only partly waits gets a new lifetime before the end of its own, and is not held', async () => {
    await submitDeferred('alice@acme.test', TO_SUE, 'partly@elsewhere.test');
    const created = async (): Promise<number> =>
      Number(
        /create_time=(\d+)/.exec(
          (await readFile(await fileOf(await idOf('partly@elsewhere.test')))).toString('latin1'),
        )?.[1],
      );
    const before = await created();
    await until('an aged message in the queue', async () => {
      await age('partly@elsewhere.test', 4.5);
      return (await created()) < before;
    });
    await until('a new lifetime', async () => {
      await pass();
      return (await created()) >= before;
    });
    expect(await placeOf('partly@elsewhere.test')).toBe('deferred');
  });

  it('is as it should be after passes that were killed at any point', async () => {
    for (let killAfterMs = 150; killAfterMs < 900; killAfterMs += 50) {
      await (killAfterMs % 100 === 0 ? suspend() : activate());
      await stack.platform.holdQueues({ killAfterMs });
    }
    await suspend();
    await until('all on hold', async () => {
      await stack.rig.retryQueue();
      await pass();
      return (
        (await placeOf('from-sue@elsewhere.test')) === 'hold' && (await placeOf('by-hand@elsewhere.test')) === 'hold'
      );
    });
    expect((await stat(await fileOf(await idOf('by-hand@elsewhere.test')))).mode & MARK).toBe(0);
  });

  it('leaves when the suspension ends, also when the first try fails after its lifetime; what an operator held stays', async () => {
    await age('from-sue@elsewhere.test', 30);
    await activate();
    expect(await stack.platform.holdQueues({ url: NOWHERE })).toBe(1);
    expect(await placeOf('from-sue@elsewhere.test')).toBe('hold');
    stack.rig.relays[0].mode = 'throttle';
    const { refused } = stack.rig.relays[0];
    await pass();
    await stack.rig.retryQueue();
    await until('a refusal by the relay', async () => stack.rig.relays[0].refused > refused);
    await stack.rig.deferral('from-sue@elsewhere.test', 'Throttling');
    stack.rig.relays[0].mode = 'accept';
    await stack.rig.retryQueue();
    await stack.rig.relays[0].arrival('to from-sue@elsewhere.test');
    await stack.rig.arrival(SUE, 'waited');
    expect(await placeOf('by-hand@elsewhere.test')).toBe('hold');
    expect((await stack.acme.get('/domains/susp.test')).attention).toEqual([]);
  });

  it('a domain that refuses outside senders gets no mail with its sender on port 25, and sends as before', async () => {
    await stack.beta.put('/domains/beta.test', { external_senders: 'refuse' });
    await addDomain(stack.beta, 'sub.beta.test');
    for (const from of ['carol@beta.test', 'CAROL@Beta.Test', 'nobody+x@beta.test']) {
      expect(await stack.receive({ from, to: 'alice@acme.test' })).toMatchObject({
        code: 550,
        text: expect.stringContaining('only from its users'),
      });
    }
    for (const from of ['', OUTSIDE, 'x@sub.beta.test', 'bob@acme.test']) {
      expect(await stack.receive({ from, to: 'carol@beta.test' })).toMatchObject({ code: 250 });
    }
    const message = { from: 'carol@beta.test', to: ['alice@acme.test'], subject: 'by submission' };
    expect(await stack.submit('carol@beta.test', message)).toMatchObject({ code: 250 });
    await stack.rig.arrival('alice@acme.test', 'by submission');
    await stack.beta.put('/domains/beta.test', { external_senders: 'allow' });
    expect(await stack.receive({ from: 'carol@beta.test', to: 'alice@acme.test' })).toMatchObject({ code: 250 });
  });
});
