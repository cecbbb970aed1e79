import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FailOpen } from '../fallback/fail-open.js';
import { FailClosed, type Fallback } from '../fallback/fallback.js';
import { Journal } from '../fallback/journal.js';
import { RefusalMemory } from '../fallback/refusal-memory.js';
import { UnusedCounts } from '../fallback/unused-counts.js';
import { PolicydParts } from '../testing/policyd-parts.js';
import { SettableApi } from '../testing/settable-api.js';

const SUSPENDED = expect.stringMatching(/^450 4\.7\.1 Sending for acme\.test is suspended/);
const PASSED = { at: 'end', reply: null };
const BOB = { login: 'bob@acme.test', port: '5000' };
const EVE = { login: 'eve@beta.test', port: '6000' };

describe('the headroom that a policy daemon remembers', () => {
  let api: SettableApi;
  let daemon: PolicydParts;
  let folder: string;
  let unused: UnusedCounts;

  beforeEach(async () => {
    api = new SettableApi();
    api.headroom = 1_000;
    folder = await mkdtemp(join(tmpdir(), 'mailstead-headroom-'));
    unused = await UnusedCounts.open(folder, () => undefined);
    daemon = withFallback(new FailClosed());
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const withFallback = (fallback: Fallback) => new PolicydParts(api, fallback, unused);

  it('answers later messages for 2 s, counted from the request of the preview, and each message is counted', async () => {
    for (const after of [0, 700, 700, 600]) {
      daemon.now += after;
      expect(await daemon.send('x@out.test')).toEqual(PASSED);
    }
    expect(api.asked).toHaveLength(1);
    daemon.now += 1;
    expect(await daemon.send('x@out.test')).toEqual(PASSED);
    expect(api.asked).toHaveLength(2);
    expect(api.counted).toHaveLength(5);
    daemon.now += 2_001;
    api.whileAsked = () => {
      daemon.now += 1_500;
    };
    expect(await daemon.send('x@out.test')).toEqual(PASSED);
    daemon.now += 501;
    expect(await daemon.send('x@out.test')).toEqual(PASSED);
    expect(api.asked).toHaveLength(4);
  });

  it('lets no session whose login was taken away send: the count ends it, and the next one is told at RCPT', async () => {
    expect(await daemon.send('x@out.test')).toEqual(PASSED);
    api.ended = true;
    const reply = '421 4.7.0 Log in again [session_ended]';
    expect(await daemon.send('x@out.test')).toEqual({ at: 'end', reply });
    expect(await daemon.send('x@out.test')).toEqual({ at: 'RCPT', reply });
    expect(api.counted).toHaveLength(1);
  });

  it('tells the API when the session of each message began, and nothing of mail without a login', async () => {
    daemon.sessions.add(-60_000, '192.0.2.1', '4000');
    await daemon.send('x@out.test');
    await daemon.end(['list@acme.test'], { login: '' }, []);
    expect(api.counted.map(({ sessionBegan }) => sessionBegan)).toEqual([-60_000, undefined]);
  });

  it('lets a session pass while the API is away with POLICY_FAIL=open, also after one of its domain was ended', async () => {
    const journal = await Journal.open(folder);
    const open = withFallback(new FailOpen(journal, await RefusalMemory.open(folder)));
    api.ended = true;
    expect(await open.send('x@out.test')).toMatchObject({ at: 'RCPT' });
    expect(await open.end(['x@out.test'])).toContain('421');
    api.isAway = true;
    expect(await open.send('x@out.test')).toEqual(PASSED);
    expect(journal.size).toBe(1);
    await journal.close();
  });

  it('answers while the recipients of unfinished messages are below a tenth of it, and not at a tenth', async () => {
    api.headroom = 101;
    expect(await daemon.send('first@out.test')).toEqual(PASSED);
    // 100 are left, so a tenth is 10.
    for (let index = 0; index < 9; index += 1) expect(await daemon.rcpt(`r${index}@out.test`)).toBe('DUNNO');
    expect(api.asked).toHaveLength(1);
    expect(await daemon.rcpt('tenth@out.test')).toBe('DUNNO');
    expect(api.asked.slice(1)).toEqual(['tenth@out.test']);
  });

  it('answers for the unfinished messages of all logins of a domain together, and for another domain alone', async () => {
    api.headroom = 100;
    for (const session of [BOB, EVE, {}]) await daemon.rcpt('asked@out.test', session);
    for (let index = 0; index < 7; index += 1) await daemon.rcpt(`r${index}@out.test`);
    expect(await daemon.end([])).toMatch(/^451 /);
    // What a message took is free again after its end.
    expect(api.asked).toHaveLength(3);
    for (let index = 0; index < 8; index += 1) await daemon.rcpt(`s${index}@out.test`, { port: '4001' });
    expect(api.asked).toHaveLength(3);
    expect(await daemon.rcpt('ninth@out.test', { port: '4002' })).toBe('DUNNO');
    expect(api.asked.slice(3)).toEqual(['ninth@out.test']);
    await daemon.rcpt('x@out.test', { ...EVE, port: '6001' });
    expect(api.asked).toHaveLength(4);
  });

  it('falls with each count, so that the answers end before the limit', async () => {
    api.headroom = 30;
    for (let index = 0; index < 40; index += 1) await daemon.send('x@out.test');
    expect(api.counted).toHaveLength(30);
    // The first one, and each with at most 10 left: ten of these pass, ten are deferred at RCPT.
    expect(api.asked).toHaveLength(1 + 10 + 10);
  });

  it('of no limit answers for any number of messages', async () => {
    api.headroom = null;
    for (let index = 0; index < 500; index += 1) await daemon.rcpt('x@out.test', { port: `${10_000 + index}` });
    expect(api.asked).toHaveLength(1);
  });

  it('never lets more pass than the limit when several daemons remember it, and the last are deferred at RCPT or at the end', async () => {
    api.headroom = 60;
    const daemons = ['mx-1', 'mx-2', 'mx-3'].map((mta) => new PolicydParts(api, new FailClosed(), unused, mta));
    const recipients = Array.from({ length: 5 }, (_, index) => `r${index}@out.test`);
    const told: (string | null)[] = [];
    for (let round = 0; round < 10; round += 1) {
      for (const each of daemons) for (const to of recipients) await each.rcpt(to);
      for (const each of daemons) told.push(await each.end(recipients));
    }
    expect(told.filter((reply) => reply === null)).toHaveLength(12);
    expect(told.filter((reply) => reply !== null).every((reply) => reply?.startsWith('450 '))).toBe(true);
    expect(api.headroom).toBe(0);
  });

  it('tells a suspension at the end of the next message at the latest, and from then on every login of the domain at RCPT', async () => {
    expect(await daemon.send('x@out.test')).toEqual(PASSED);
    expect(await daemon.send('x@out.test', BOB)).toEqual(PASSED);
    api.suspended = true;
    expect(await daemon.send('x@out.test')).toEqual({ at: 'end', reply: SUSPENDED });
    for (const session of [{}, BOB]) expect(await daemon.send('x@out.test', session)).toMatchObject({ at: 'RCPT' });
    expect(api.counted).toHaveLength(2);
  });

  it('is forgotten when a preview refuses a recipient, of any login of the domain', async () => {
    await daemon.send('x@out.test');
    api.suspended = true;
    expect(await daemon.rcpt('bob@acme.test', BOB)).toEqual(SUSPENDED);
    expect(await daemon.send('x@out.test')).toEqual({ at: 'RCPT', reply: SUSPENDED });
  });

  it('is asked again after the preview of 2 s ago, although every message since was counted', async () => {
    for (let index = 0; index < 10; index += 1) {
      await daemon.send('x@out.test');
      daemon.now += 500;
    }
    expect(api.asked).toHaveLength(2);
  });

  it('answers neither for recipients on the platform nor for those with another route nor without an instance', async () => {
    await daemon.send('x@out.test');
    for (const recipient of ['bob@acme.test', 'list@acme.test']) expect(await daemon.rcpt(recipient)).toBe('DUNNO');
    expect(await daemon.rcpt('a%b.test@acme.test', {}, { policy_context: 'outside' })).toBe('DUNNO');
    expect(await daemon.rcpt('y@out.test', { port: '4001' }, { instance: '' })).toBe('DUNNO');
    expect(await daemon.rcpt('y@out.test', { port: '4001' }, { policy_context: '' })).toBe('DUNNO');
    expect(api.asked).toHaveLength(6);
  });

  it('does not answer for mail without a login', async () => {
    for (let index = 0; index < 3; index += 1) expect(await daemon.rcpt('x@out.test', { login: '' })).toBe('DUNNO');
    expect(api.asked).toHaveLength(3);
  });

  it('answers for no recipient while a preview says that each must be asked about, in any message of the login', async () => {
    expect(await daemon.rcpt('x@out.test', { port: '4001' })).toBe('DUNNO');
    api.eachRecipient = true;
    // Its message has headroom from a preview that did not say so.
    await daemon.rcpt('list@acme.test', { port: '4002' });
    expect(await daemon.rcpt('y@out.test', { port: '4001' })).toBe('DUNNO');
    for (const to of ['a@out.test', 'b@out.test', 'c@out.test']) expect(await daemon.rcpt(to)).toBe('DUNNO');
    expect(await daemon.end(['a@out.test', 'b@out.test', 'c@out.test'])).toBeNull();
    expect(await daemon.send('d@out.test')).toEqual(PASSED);
    expect(api.asked).toHaveLength(3 + 3 + 1);
    api.eachRecipient = false;
    daemon.now += 2_001;
    expect(await daemon.send('e@out.test')).toEqual(PASSED);
    expect(await daemon.send('f@out.test')).toEqual(PASSED);
    expect(api.asked.slice(7)).toEqual(['e@out.test']);
  });

  it('answers for no recipient of a message whose last preview said that each must be asked about, however long ago', async () => {
    api.eachRecipient = true;
    await daemon.rcpt('x@out.test');
    daemon.now += 60_000;
    await daemon.rcpt('y@out.test');
    daemon.now += 60_000;
    await daemon.rcpt('z@out.test');
    expect(api.asked).toEqual(['x@out.test', 'y@out.test', 'z@out.test']);
  });

  it('still says that each recipient must be asked about when the preview that says so refuses its recipient', async () => {
    await daemon.rcpt('x@out.test', { port: '4001' });
    api.eachRecipient = true;
    api.suspended = true;
    expect(await daemon.rcpt('y@out.test', { port: '4002' })).toBe('DUNNO');
    expect(await daemon.rcpt('bob@acme.test', { port: '4002' })).toEqual(SUSPENDED);
    expect(await daemon.rcpt('z@out.test', { port: '4001' })).toEqual(SUSPENDED);
  });

  it('does not answer while the login has a count that no message used, so that a suspension is told', async () => {
    await daemon.send('x@out.test');
    await unused.add({ domain: 'acme.test', sender: 'alice@acme.test', recipients: ['x@out.test'], bytes: 1, id: 'a' });
    api.suspended = true;
    expect(await daemon.send('x@out.test')).toEqual({ at: 'RCPT', reply: SUSPENDED });
  });

  it('is forgotten when an API of the former release counts, which does not send it', async () => {
    api.isFormer = true;
    for (let index = 0; index < 3; index += 1) expect(await daemon.send('x@out.test')).toEqual(PASSED);
    expect(api.asked).toHaveLength(3);
  });

  it('does not let a message pass while the API is away, and is forgotten then', async () => {
    await daemon.send('x@out.test');
    await daemon.send('x@out.test', EVE);
    api.isAway = true;
    expect(await daemon.send('x@out.test')).toEqual({ at: 'end', reply: expect.stringMatching(/^451 /) });
    for (const session of [{}, EVE]) expect(await daemon.send('x@out.test', session)).toMatchObject({ at: 'RCPT' });
    expect(api.counted).toHaveLength(2);
  });

  it('lets no more pass than without it while the API is away with POLICY_FAIL=open', async () => {
    const journal = await Journal.open(folder);
    daemon = withFallback(new FailOpen(journal, await RefusalMemory.open(folder)));
    expect(await daemon.send('x@out.test')).toEqual(PASSED);
    expect(await daemon.rcpt('x@out.test')).toBe('DUNNO');
    api.isAway = true;
    expect(await daemon.end(Array.from({ length: 100 }, (_, index) => `r${index}@out.test`))).toBeNull();
    expect(await daemon.send('x@out.test')).toEqual({ at: 'RCPT', reply: expect.stringMatching(/^451 /) });
    expect(await daemon.end(['x@out.test'])).toMatch(/^451 /);
    await journal.close();
  });

  it('is forgotten while the API waits for its restore to be accepted', async () => {
    for (const session of [{}, BOB, EVE]) await daemon.send('x@out.test', session);
    api.isRestored = true;
    expect(await daemon.send('x@out.test', EVE)).toEqual({ at: 'end', reply: expect.stringContaining('restored') });
    for (const session of [{}, BOB]) expect(await daemon.send('x@out.test', session)).toMatchObject({ at: 'RCPT' });
  });

  it('lets a message count as what its alias was accepted as, beside a recipient without a preview', async () => {
    await daemon.send('first@out.test');
    expect(await daemon.rcpt('x@out.test')).toBe('DUNNO');
    expect(await daemon.rcpt('list@acme.test')).toBe('DUNNO');
    api.aliases['list@acme.test'] = 0;
    expect(await daemon.end(['x@out.test', 'list@acme.test'])).toBeNull();
    expect(api.counted.at(-1)).toMatchObject({ count: 51 });
    expect(api.headroom).toBe(1_000 - 1 - 51);
  });
});
