import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FailClosed } from '../fallback/fallback.js';
import { UnusedCounts } from '../fallback/unused-counts.js';
import { createLogger } from '../logger.js';
import { PolicydMetrics } from '../metrics.js';
import { OpenSessions } from '../open-sessions.js';
import type { OutboundApi } from '../outbound-api.js';
import { SettableApi } from '../testing/settable-api.js';
import { HeadroomMemory } from './headroom-memory.js';
import { PolicyHandler } from './policy-handler.js';
import { RecipientMemory } from './recipient-memory.js';

class NotingFallback extends FailClosed {
  constructor(private readonly verdicts: string[]) {
    super();
  }

  override noteVerdict(...[, action]: [domain?: string, action?: string]): void {
    if (action !== undefined) this.verdicts.push(action);
  }
}

describe('the policy handler, for the recipients of one message', () => {
  let api: SettableApi;
  let handler: PolicyHandler;
  let folder: string;
  let unused: UnusedCounts;
  let now = 0;
  let sessions: OpenSessions;
  /** The verdicts on the domain that decide while the API is away. */
  let verdicts: string[];

  beforeEach(async () => {
    api = new SettableApi();
    verdicts = [];
    folder = await mkdtemp(join(tmpdir(), 'mailstead-policy-'));
    unused = await UnusedCounts.open(folder, () => undefined);
    const observer = new PolicydMetrics(createLogger('error')).policy;
    const memory = new RecipientMemory(() => now);
    const headrooms = new HeadroomMemory(() => now);
    const fallback = new NotingFallback(verdicts);
    sessions = new OpenSessions();
    const asked = api as unknown as OutboundApi;
    handler = new PolicyHandler(asked, fallback, unused, memory, headrooms, sessions, observer);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const rcpt = (recipient: string, fields: Record<string, string> = {}): Promise<string> =>
    handler.answer({
      protocol_state: 'RCPT',
      sasl_username: 'alice@acme.test',
      client_address: '192.0.2.1',
      client_port: '4000',
      instance: 'first',
      recipient,
      policy_context: recipient.endsWith('@acme.test') ? 'mx.acme.test' : 'outside',
      ...fields,
    });
  /** Lets the time pass for which a preview also answers other messages. */
  const later = () => {
    now += 2_001;
  };
  const outside = (count: number) => Array.from({ length: count }, (_, index) => `r${index}@d${index}.test`);

  it('asks once about twenty recipients in twenty domains outside', async () => {
    for (const recipient of outside(20)) expect(await rcpt(recipient)).toBe('DUNNO');
    expect(api.asked).toEqual(['r0@d0.test']);
  });

  it('asks about every recipient on the platform, and about the first one outside, also when another came before it', async () => {
    const to = ['bob@acme.test', 'x@out.test', 'list@acme.test', 'y@out.test', 'bob@acme.test'];
    for (const recipient of to) expect(await rcpt(recipient)).toBe('DUNNO');
    expect(api.asked).toEqual(['bob@acme.test', 'list@acme.test', 'bob@acme.test']);
  });

  it('asks about every recipient when Postfix does not say which ones are outside', async () => {
    for (const policy_context of ['', 'mx.acme.test', 'OUTSIDE']) {
      expect(await rcpt(`x@out${policy_context}.test`, { policy_context })).toBe('DUNNO');
    }
    expect(api.asked).toHaveLength(3);
  });

  it('asks about every recipient with another route in its local part, which Postfix may name outside although it is not', async () => {
    for (const recipient of ['x@out.test', 'a%b.test@acme.test', 'b.test!a@acme.test', 'a@b.test@acme.test'])
      expect(await rcpt(recipient, { policy_context: 'outside' })).toBe('DUNNO');
    expect(api.asked).toHaveLength(4);
  });

  it('tells the API when the session of the client began, if the milter knows it', async () => {
    expect(await rcpt('x@out.test')).toBe('DUNNO');
    sessions.add(7, '192.0.2.1', '4000');
    later();
    expect(await rcpt('y@out.test')).toBe('DUNNO');
    expect(api.sessions).toEqual([undefined, 7]);
  });

  it('ends a session whose login was taken away, also for a recipient on the platform, which says nothing of its domain', async () => {
    api.ended = true;
    for (const recipient of ['x@out.test', 'bob@acme.test']) {
      expect(await rcpt(recipient)).toBe('421 4.7.0 Log in again [session_ended]');
    }
    expect(verdicts).toEqual([]);
    api.ended = false;
    expect(await rcpt('x@out.test')).toBe('DUNNO');
  });

  it('asks again for a later message, of the same session or of another one, and without an instance always', async () => {
    for (const instance of ['first', 'second', 'second', '', '']) {
      later();
      expect(await rcpt('x@out.test', { instance })).toBe('DUNNO');
    }
    later();
    await rcpt('x@out.test', { instance: 'second', client_port: '4001' });
    expect(api.asked).toHaveLength(5);
  });

  it('accepts exactly as many recipients as the headroom covers, those on the platform and behind aliases included', async () => {
    api.headroom = 53;
    api.aliases['team@acme.test'] = 50;
    const to = ['x@out.test', 'list@acme.test', 'bob@acme.test', 'y@out.test', 'team@acme.test', 'z@out.test'];
    const replies: string[] = [];
    for (const recipient of [...to, 'last@out.test']) replies.push(await rcpt(recipient));
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['DUN', 'DUN', 'DUN', 'DUN', '450', 'DUN', '450']);
    expect(replies[6]).toBe(
      '450 4.7.1 last@out.test does not fit into the sending limit: 0 more for now, those of this message included',
    );
  });

  it('accepts a recipient again without a request and without using headroom, in any letter case', async () => {
    api.headroom = 51;
    const to = ['x@out.test', 'X@Out.test', 'list@acme.test', 'LIST@acme.test', 'list@acme.test', 'x@out.test'];
    for (const recipient of to) expect(await rcpt(recipient)).toBe('DUNNO');
    expect(api.asked).toEqual(['x@out.test', 'list@acme.test']);
    expect(await rcpt('y@out.test')).toMatch(/^450 /);
  });

  it('defers the rest of a message over its limit without a request, and asks about a later message', async () => {
    api.headroom = 1;
    expect(await rcpt('x@out.test')).toBe('DUNNO');
    for (const recipient of outside(30)) expect(await rcpt(recipient)).toMatch(/^450 4\.7\.1 \S+ does not fit/);
    expect(api.asked).toEqual(['x@out.test', 'r0@d0.test']);
    api.headroom = null;
    expect(await rcpt('bob@acme.test')).toBe('DUNNO');
    expect(await rcpt('y@out.test')).toBe('DUNNO');
    api.headroom = 0;
    later();
    expect(await rcpt('x@out.test', { instance: 'second' })).toMatch(/^450 /);
    expect(await rcpt('y@out.test', { instance: 'second' })).toMatch(/^450 /);
    expect(await rcpt('x@out.test', { instance: 'third' })).toMatch(/^450 /);
    expect(api.asked.slice(2)).toEqual(['bob@acme.test', 'x@out.test', 'x@out.test']);
  });

  it('defers the first recipient of the next message, and the next one on the platform, after a suspension', async () => {
    expect(await rcpt('x@out.test')).toBe('DUNNO');
    api.suspended = true;
    expect(await rcpt('y@out.test')).toBe('DUNNO');
    expect(await rcpt('bob@acme.test')).toMatch(/^450 4\.7\.1 Sending for acme\.test is suspended/);
    // That preview left no headroom, so from now on the recipients outside are asked about too.
    expect(await rcpt('z@out.test')).toMatch(/^450 /);
    expect(await rcpt('x@out.test', { instance: 'second' })).toMatch(/^450 /);
  });

  it('accepts no recipient of a message without an answer of the API', async () => {
    api.isAway = true;
    for (const recipient of outside(2)) expect(await rcpt(recipient)).toMatch(/^451 /);
    api.isAway = false;
    for (const recipient of outside(2)) expect(await rcpt(recipient)).toBe('DUNNO');
  });

  it('is not refused by a limit while the login has a count that no message used, and is refused by a suspension', async () => {
    const add = (sender: string) =>
      unused.add({ domain: 'acme.test', sender, recipients: ['x@out.test'], bytes: 1, id: sender });
    api.headroom = 0;
    await add('bob@acme.test');
    expect(await rcpt('x@out.test')).toMatch(/^450 /);
    await add('alice@acme.test');
    expect(await rcpt('x@out.test', { instance: 'second' })).toBe('DUNNO');
    api.suspended = true;
    expect(await rcpt('y@out.test', { instance: 'second' })).toMatch(
      /^450 4\.7\.1 Sending for acme\.test is suspended/,
    );
  });

  it('asks about every recipient of mail without a login', async () => {
    for (const recipient of outside(2)) expect(await rcpt(recipient, { sasl_username: '' })).toBe('DUNNO');
    expect(api.asked).toHaveLength(2);
  });

  describe('of a partner that refuses suppressed recipients', () => {
    const REFUSED =
      '550 5.1.1 acme.test does not send to this address since 2026-03-15; ask your provider [recipient_suppressed]';

    it('asks about every recipient, and refuses the tenth one alone, whatever the headroom', async () => {
      api.suppressed = ['r9@d9.test'];
      const replies: string[] = [];
      for (const recipient of outside(12)) replies.push(await rcpt(recipient));
      expect(replies).toEqual(outside(12).map((_, index) => (index === 9 ? REFUSED : 'DUNNO')));
      expect(api.asked).toEqual(outside(12));
    });

    it('refuses the first recipient and accepts the others up to the headroom, of which it uses nothing', async () => {
      api.suppressed = ['r0@d0.test'];
      api.headroom = 3;
      const replies: string[] = [];
      for (const recipient of outside(5)) replies.push(await rcpt(recipient));
      expect(replies).toEqual([REFUSED, 'DUNNO', 'DUNNO', 'DUNNO', expect.stringMatching(/^450 /)]);
    });

    it('refuses the same recipient of a message again for 2 s without a request, then as the API says', async () => {
      api.suppressed = ['r0@d0.test'];
      expect(await rcpt('r0@d0.test')).toBe(REFUSED);
      api.suppressed = [];
      now += 1_999;
      expect(await rcpt('R0@d0.test')).toBe(REFUSED);
      expect(await rcpt('r0@d0.test', { instance: 'next' })).toBe('DUNNO');
      expect(api.asked).toHaveLength(2);
      expect(await rcpt('r0@d0.test')).toBe('DUNNO');
    });

    it('is asked again 2 s after a preview that did not say so', async () => {
      for (const recipient of outside(3)) expect(await rcpt(recipient)).toBe('DUNNO');
      expect(api.asked).toHaveLength(1);
      api.suppressed = ['late@out.test'];
      now += 1_999;
      expect(await rcpt('late1@out.test')).toBe('DUNNO');
      now += 2;
      expect(await rcpt('late@out.test')).toBe(REFUSED);
    });

    it('is not refused as a whole: the domain keeps the verdict that decides while the API is away', async () => {
      api.suppressed = ['r0@d0.test'];
      expect(await rcpt('r0@d0.test')).toBe(REFUSED);
      expect(verdicts).toEqual([]);
      expect(await rcpt('r1@d1.test')).toBe('DUNNO');
      expect(verdicts).toEqual(['accept']);
    });
  });
});
