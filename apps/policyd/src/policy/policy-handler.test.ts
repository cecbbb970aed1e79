import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FailClosed } from '../fallback/fallback.js';
import { UnusedCounts } from '../fallback/unused-counts.js';
import { createLogger } from '../logger.js';
import { PolicydMetrics } from '../metrics.js';
import { AWAY, type OutboundApi, type Preview, type PreviewVerdict } from '../outbound-api.js';
import { PolicyHandler } from './policy-handler.js';
import { RecipientMemory } from './recipient-memory.js';

const ACCEPT = { action: 'accept', reason: null };
const SUSPENDED: PreviewVerdict = { action: 'defer', reason: 'domain_suspended', counts_as: 1, headroom: 0 };

/** An API with a domain whose state the test sets. Stores the recipients of its previews. */
class SettableApi {
  readonly asked: string[] = [];
  headroom: number | null = 100;
  suspended = false;
  isAway = false;
  readonly aliases: Record<string, number> = { 'list@acme.test': 50, 'bob@acme.test': 0 };

  async preview({ recipient }: Preview): Promise<PreviewVerdict | typeof AWAY> {
    this.asked.push(recipient);
    if (this.isAway) return AWAY;
    if (this.suspended) return SUSPENDED;
    return { ...ACCEPT, counts_as: this.aliases[recipient] ?? 1, headroom: this.headroom };
  }
}

describe('the policy handler, for the recipients of one message', () => {
  let api: SettableApi;
  let handler: PolicyHandler;
  let folder: string;
  let unused: UnusedCounts;

  beforeEach(async () => {
    api = new SettableApi();
    folder = await mkdtemp(join(tmpdir(), 'mailstead-policy-'));
    unused = await UnusedCounts.open(folder, () => undefined);
    const observer = new PolicydMetrics(createLogger('error')).policy;
    const memory = new RecipientMemory();
    handler = new PolicyHandler(api as unknown as OutboundApi, new FailClosed(), unused, memory, observer);
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

  it('asks again for the next message, of the same session or of another one, and without an instance always', async () => {
    for (const instance of ['first', 'second', 'second', '', ''])
      expect(await rcpt('x@out.test', { instance })).toBe('DUNNO');
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

  it('defers the rest of a message over its limit without a request, and asks about the next message', async () => {
    api.headroom = 1;
    expect(await rcpt('x@out.test')).toBe('DUNNO');
    for (const recipient of outside(30)) expect(await rcpt(recipient)).toMatch(/^450 4\.7\.1 \S+ does not fit/);
    expect(api.asked).toEqual(['x@out.test', 'r0@d0.test']);
    api.headroom = null;
    expect(await rcpt('bob@acme.test')).toBe('DUNNO');
    expect(await rcpt('y@out.test')).toBe('DUNNO');
    api.headroom = 0;
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
});
