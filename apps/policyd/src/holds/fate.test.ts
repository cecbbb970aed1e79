import { type DomainStop, fateOf } from './fate.js';
import { readQueuedMessage } from './queued-message.js';

const OPEN = { hosted: true, sending_waits: false, receiving_waits: false };
const STOPS = new Map<string, DomainStop>([
  ['susp.test', { hosted: true, sending_waits: true, receiving_waits: true }],
  ['half.test', { hosted: true, sending_waits: true, receiving_waits: false }],
  ['open.test', OPEN],
]);

function line(sender: unknown, recipients: unknown[], queueId: unknown = '4fQ1Zb2TnNz1Bc'): string {
  const addresses = recipients.map((address) => ({ address, delay_reason: 'x' }));
  return JSON.stringify({
    queue_name: 'deferred',
    queue_id: queueId,
    arrival_time: 1_700_000_000,
    sender,
    recipients: addresses,
  });
}

function fate(sender: string, recipients: string[], isSubmission: boolean) {
  const message = readQueuedMessage(line(sender, recipients));
  return message === null ? null : fateOf(message, STOPS, isSubmission);
}

describe('what waits of a queued message', () => {
  it.each([
    [
      'every copy to the outside of a suspended sender',
      'a@susp.test',
      ['x@far.test', 'y@far.test'],
      'all',
      ['susp.test'],
    ],
    ['no copy of it to a mailbox of the platform', 'a@susp.test', ['x@far.test', 'y@open.test'], 'some', ['susp.test']],
    ['a copy to a suspended domain, of any sender', 'b@open.test', ['y@SUSP.test'], 'all', ['susp.test']],
    ['a copy to a domain whose partner may only not send arrives', 'b@open.test', ['y@half.test'], 'none', []],
    [
      'two domains that wait are both named',
      'a@half.test',
      ['x@far.test', 'y@susp.test'],
      'all',
      ['half.test', 'susp.test'],
    ],
    ['nothing of others', 'b@open.test', ['x@far.test'], 'none', []],
    ['not mail of a subdomain', 'b@sub.susp.test', ['x@far.test', 'x@sub.susp.test'], 'none', []],
    [
      'a quoted sender counts by what follows its last @',
      '"x@open.test"@susp.test',
      ['x@far.test'],
      'all',
      ['susp.test'],
    ],
    ['a notice has no sender', '', ['x@far.test'], 'none', []],
    ['not what only looks like the domain', 'a@susp.test@open.test', ['x@far.test', 'y@evil.susp.testx'], 'none', []],
  ])('%s', (_, sender, recipients, copies, domains) => {
    expect(fate(sender, recipients, true)).toEqual({ copies, domains });
  });

  it('a sender on port 25, which anybody may write, stops no mail', () => {
    expect(fate('a@susp.test', ['x@open.test', 'y@far.test'], false)).toEqual({ copies: 'none', domains: [] });
    expect(fate('a@open.test', ['x@susp.test'], false)).toEqual({ copies: 'all', domains: ['susp.test'] });
  });

  it.each([
    ['a short id, which Postfix uses again', line('a@susp.test', ['x@far.test'], 'A1B2C3D4E5')],
    ['an id that is a path', line('a@susp.test', ['x@far.test'], '../../../../etc/shadowz1')],
    ['no JSON', 'Mail queue is empty'],
    ['another form', '{"queue_name":"deferred","recipients":null}'],
  ])('a line with %s is left alone', (_, text) => {
    expect(readQueuedMessage(text)).toBeNull();
  });

  it('addresses that are none belong to no domain', () => {
    const message = readQueuedMessage(line('nobody', ['\ufffd@\ufffd', 'x@', '@', 'y@susp.test.', 7, null]));
    expect(message).toMatchObject({ senderDomain: null, recipientDomains: [null, null, null, null, null, null] });
  });
});
