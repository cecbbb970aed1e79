import { MessagesInFlight } from './messages-in-flight.js';
import {
  at,
  begun,
  line,
  MX,
  NOW,
  named,
  OUT,
  queued,
  refused,
  removed,
  shown,
  stepsOf,
  tried,
} from './testing/log-lines.js';

describe('what the log says of', () => {
  it('a received message is one row of the recipient: accepted when it began, and stored by the answer of LMTP', () => {
    const id = '4dGz1V2y3Xz9QrT';
    const items = stepsOf([
      begun(id),
      named(id, '<7f3a@far.example>'),
      queued(id, 'jane@far.example'),
      tried(id, 'Bob@acme.test', 'sent (250 2.0.0 <Bob@acme.test> kXsPL Saved)'),
      removed(id),
    ]);
    const common = {
      host: 'mx1.example.net',
      queue_id: id,
      direction: 'in',
      domain: 'acme.test',
      sender: 'jane@far.example',
      recipient: 'Bob@acme.test',
      size: 512,
      message_id: '<7f3a@far.example>',
      reason: null,
    };
    expect(items).toEqual([
      { ...common, at: at(0), step: 'accepted', detail: null },
      { ...common, at: at(2), step: 'stored', detail: '250 2.0.0 <Bob@acme.test> kXsPL Saved' },
    ]);
  });

  it('a submitted message is one row for a recipient outside, and two for one here', () => {
    const id = '4dGz1V2y3Xz9QrU';
    const login = ', sasl_method=PLAIN, sasl_username=ann@acme.test';
    const items = stepsOf([
      begun(id, 'postfix/submission/smtpd', login),
      named(id, '<1@acme.test>', OUT),
      queued(id, 'ann@acme.test', 3, OUT),
      tried(id, 'bob@beta.test', 'sent (250 2.0.0 Saved)', `${OUT}/lmtp`),
      tried(id, 'jane@far.example', 'sent (250 Ok 0102018f2c6e4b11-000000)', `${OUT}/smtp`),
      tried(id, 'x@far.example', 'deferred (host a[192.0.2.1] said: 450 later)', `${OUT}/smtp`, '4.0.0'),
    ]);
    expect(shown(items)).toEqual([
      'out accepted acme.test bob@beta.test',
      'out stored acme.test bob@beta.test',
      'in accepted beta.test bob@beta.test',
      'in stored beta.test bob@beta.test',
      'out accepted acme.test jane@far.example',
      'out relayed acme.test jane@far.example',
      'out accepted acme.test x@far.example',
      'out deferred acme.test x@far.example',
    ]);
    expect(items.at(5)?.detail).toBe('250 Ok 0102018f2c6e4b11-000000');
    expect(items.at(-1)).toMatchObject({ reason: '4.0.0', detail: 'host a[192.0.2.1] said: 450 later' });
  });

  it('a message to an alias is a row of the alias, and what it sends on is forwarded', () => {
    const id = '4dGz1V2y3Xz9QrV';
    const forwarded = tried(id, 'friend@far.example', 'sent (250 ok)', 'postfix/direct/smtp').replace(
      ', relay=',
      ', orig_to=<info@acme.test>, relay=',
    );
    expect(shown(stepsOf([begun(id), named(id, 'none'), queued(id, 'jane@far.example'), forwarded]))).toEqual([
      'in accepted acme.test info@acme.test',
      'in forwarded acme.test info@acme.test',
    ]);
  });

  it('a delivery has its step also when a later Postfix adds a field before the status', () => {
    const id = '4dGz1V2y3Xz9QrV';
    const delivered = tried(id, 'bob@acme.test', 'sent (250 ok)').replace(
      ', status=',
      ', tls=verified/TLSv1.3, status=',
    );
    const items = stepsOf([begun(id), queued(id, 'jane@far.example'), delivered]);
    expect(items.at(-1)).toMatchObject({ step: 'stored', reason: null, detail: '250 ok' });
  });

  it.each([
    ['SRS0=Kx8g=H4=far.example=jane@srs.example.net', 'jane@far.example'],
    ['srs0+kx8g=h4=far.example=a=b+c@srs.example.net', 'a=b+c@far.example'],
    [
      'SRS1=Zz9a=other.example==Kx8g=H4=far.example=jane@srs.example.net',
      'SRS0=Kx8g=H4=far.example=jane@other.example',
    ],
    ['SRS0=Kx8g=H4=far.example=jane@other.example', 'SRS0=Kx8g=H4=far.example=jane@other.example'],
    ['SRS0=Kx8g@srs.example.net', 'SRS0=Kx8g@srs.example.net'],
    ['', ''],
  ])('a message whose sender was rewritten here has its own sender: %s', (sender, expected) => {
    const id = '4dGz1V2y3Xz9QrW';
    const messages = () => new MessagesInFlight('mx1.example.net', 'srs.example.net');
    const lines = [begun(id), queued(id, sender), tried(id, 'ann@acme.test', 'sent (250 ok)')];
    const ends = `from=<${sender}> to=<no@acme.test> proto=ESMTP helo=<x>`;
    const refusal = refused('452 4.2.2 <no@acme.test>: Recipient address rejected: Mailbox is full', ends);
    for (const item of [...stepsOf(lines, messages()), ...stepsOf([refusal], messages())]) {
      expect(item.sender).toBe(expected);
    }
    expect(stepsOf(lines, new MessagesInFlight('mx1.example.net')).map((item) => item.sender)).toEqual([
      sender,
      sender,
    ]);
  });

  it('a notice of Postfix is received by the sender and sent by nobody', () => {
    const id = '4dGz1V2y3Xz9QrW';
    const lines = [
      named(id, '<n@mx1>', OUT),
      queued(id, '', 1, OUT),
      tried(id, 'ann@acme.test', 'sent (250 ok)', `${OUT}/lmtp`),
    ];
    expect(shown(stepsOf(lines))).toEqual(['in accepted acme.test ann@acme.test', 'in stored acme.test ann@acme.test']);
  });

  it('a message that waits too long is bounced to the recipients that it waits for', () => {
    const id = '4dGz1V2y3Xz9QrX';
    const items = stepsOf([
      begun(id, 'postfix/submissions/smtpd'),
      queued(id, 'ann@acme.test', 2, OUT),
      tried(id, 'a@far.example', 'deferred (connect to far)', `${OUT}/smtp`, '4.4.1'),
      tried(id, 'b@far.example', 'sent (250 ok)', `${OUT}/smtp`),
      line(9, `${OUT}/qmgr`, `${id}: from=<ann@acme.test>, status=expired, returned to sender`),
    ]);
    expect(items.at(-1)).toMatchObject({ step: 'bounced', recipient: 'a@far.example', reason: 'expired', at: at(9) });
  });

  it('a message that waits too long for a mailbox here is bounced for the sender and for the recipient', () => {
    const id = '4dGz1V2y3Xz9QrY';
    const items = stepsOf([
      begun(id, 'postfix/submission/smtpd'),
      queued(id, 'ann@acme.test', 1, OUT),
      tried(id, 'bob@beta.test', 'deferred (connect to mx1[private/dovecot-lmtp])', `${OUT}/lmtp`, '4.4.1'),
      line(9, `${OUT}/qmgr`, `${id}: from=<ann@acme.test>, status=expired, returned to sender`),
    ]);
    expect(shown(items.slice(-2))).toEqual([
      'out bounced acme.test bob@beta.test',
      'in bounced beta.test bob@beta.test',
    ]);
  });

  it('a message to an alias is bounced when one of its copies waits too long, also after the others arrived', () => {
    const id = '4dGz1V2y3Xz9QrZ';
    const copy = (to: string, status: string) =>
      tried(id, to, status).replace(', relay=', ', orig_to=<info@acme.test>, relay=');
    const items = stepsOf([
      begun(id),
      queued(id, 'jane@far.example', 2),
      copy('full@acme.test', 'deferred (452 4.2.2 full)'),
      copy('bob@acme.test', 'sent (250 ok)'),
      line(9, `${MX}/qmgr`, `${id}: from=<jane@far.example>, status=expired, returned to sender`),
    ]);
    expect(shown(items).at(-1)).toBe('in bounced acme.test info@acme.test');
  });

  it('a message that the queue manager itself defers or returns has that step', () => {
    const id = '4dGz1V2y3Xz9QrA';
    const items = stepsOf([
      begun(id, 'postfix/submission/smtpd'),
      queued(id, 'ann@acme.test', 1, OUT),
      tried(id, 'x@far.example', 'deferred (delivery temporarily suspended: x)', `${OUT}/qmgr`, '4.4.1'),
    ]);
    expect(shown(items).at(-1)).toBe('out deferred acme.test x@far.example');
  });

  it.each([
    [
      '450 4.7.1 <b@far.example>: Recipient address rejected: acme.test has reached its daily sending limit, please try again tomorrow [daily_limit]',
      'from=<ann@acme.test> to=<b@far.example> proto=ESMTP helo=<[127.0.0.1]>',
      'daily_limit',
    ],
    [
      '550 5.7.1 <b@far.example>: Recipient address rejected: Sending for acme.test is blocked, because too many of its messages bounced; ask your provider [outbound_blocked]',
      'from=<ann@acme.test> to=<b@far.example> proto=ESMTP helo=<pc> sasl_username=<ann@acme.test>',
      'outbound_blocked',
    ],
    [
      '450 4.7.1 <b@far.example>: Recipient address rejected: Sending for acme.test is suspended [domain_suspended]',
      'from=<ann@acme.test> to=<b@far.example> proto=ESMTP helo=<pc> sasl_method=PLAIN sasl_username=ann@acme.test',
      'domain_suspended',
    ],
  ])('a refusal of the policy is its reason: %s', (said, end, reason) => {
    const [item, ...others] = stepsOf([refused(said, end, 'postfix/submission/smtpd')]);
    expect(others).toEqual([]);
    expect(item).toMatchObject({ queue_id: null, step: 'refused', direction: 'out', domain: 'acme.test', reason });
  });

  it('a refused recipient on port 25 is of its domain, and differs in time from another one in the same second', () => {
    const said = (name: string) =>
      `550 5.1.1 <${name}@acme.test>: Recipient address rejected: User unknown in virtual mailbox table`;
    const end = (name: string) => `from=<> to=<${name}@acme.test> proto=SMTP helo=<spam>`;
    const lines = ['no', 'nobody'].map((name) => refused(said(name), end(name)));
    const items = stepsOf(lines);
    expect(shown(items)).toEqual(['in refused acme.test no@acme.test', 'in refused acme.test nobody@acme.test']);
    expect(items[0]).toMatchObject({ reason: 'unknown_recipient', sender: '' });
    expect(new Set(items.map((item) => item.at)).size).toBe(2);
    expect(stepsOf(lines)).toEqual(items);
  });

  it('a refused recipient has no characters that the API refuses, also in its domain', () => {
    const recipient = 'x@[a\u0085b]';
    const said = `550 5.7.1 <${recipient}>: Recipient address rejected: Only ASCII addresses are accepted`;
    const items = stepsOf([refused(said, `from=<> to=<${recipient}> proto=ESMTP helo=<x>`)]);
    expect(items).toMatchObject([{ domain: '[a?b]', recipient: 'x@[a?b]' }]);
  });

  it('a refusal at the end of a message has its queue id', () => {
    const text =
      '4dGz1V2y3Xz9QrY: milter-reject: END-OF-MESSAGE from pc[192.0.2.9]: 4.7.1 acme.test has reached its daily sending limit [daily_limit]; from=<ann@acme.test> to=<b@far.example> proto=ESMTP helo=<pc>';
    expect(stepsOf([line(0, `${OUT}/cleanup`, text)])).toMatchObject([
      { queue_id: '4dGz1V2y3Xz9QrY', step: 'refused', direction: 'out', reason: 'daily_limit' },
    ]);
  });

  it('a message that waits is not forgotten for those that are given up before their end', () => {
    const id = '4dGz1V2y3Xz9QrT';
    const messages = new MessagesInFlight('mx1.example.net', null, 4);
    stepsOf([begun(id), queued(id, 'jane@far.example'), tried(id, 'ann@acme.test', 'deferred (full)')], messages);
    stepsOf(
      Array.from({ length: 20 }, (_, index) => begun(`4dGzGIVENUP${String(index).padStart(2, '0')}`)),
      messages,
    );
    expect(messages.size).toBeLessThanOrEqual(8);
    expect(shown(stepsOf([tried(id, 'ann@acme.test', 'sent (saved)')], messages))).toContain(
      'in stored acme.test ann@acme.test',
    );
  });
});

describe('the messages in flight', () => {
  it('are forgotten when they are removed, and the oldest when there are too many', () => {
    const messages = new MessagesInFlight('mx1', null, 3);
    for (let index = 0; index < 9; index += 1) messages.read(begun(`4dGz1V2y3Xz${index}`), NOW);
    expect(messages.size).toBe(3);
    messages.read(removed('4dGz1V2y3Xz8'), NOW);
    expect(messages.size).toBe(2);
  });

  it('name the part of the log in which the oldest began whose recipients were not all tried', () => {
    const messages = new MessagesInFlight('mx1');
    expect(messages.oldestUntried()).toBeNull();
    for (const [part, id] of [
      [1, '4dGz1V2y3X1'],
      [2, '4dGz1V2y3X2'],
    ] as const) {
      messages.read(begun(id), NOW, part);
      messages.read(queued(id, 'jane@far.example', 2), NOW, part);
    }
    expect(messages.oldestUntried()).toBe(1);
    for (const name of ['a', 'b']) messages.read(tried('4dGz1V2y3X1', `${name}@acme.test`, 'sent (250 ok)'), NOW, 3);
    expect(messages.oldestUntried()).toBe(2);
  });

  it('of the same queue id in both instances are two', () => {
    const id = '4dGz1V2y3XzSAME';
    const items = stepsOf([
      begun(id),
      begun(id, 'postfix/submission/smtpd'),
      queued(id, 'ann@acme.test', 1, OUT),
      queued(id, 'jane@far.example'),
      tried(id, 'bob@beta.test', 'sent (250 ok)'),
    ]);
    expect(items.at(-1)).toMatchObject({ sender: 'jane@far.example', direction: 'in' });
  });

  it('that began before the log was read have no beginning, only what is said of them', () => {
    const id = '4dGz1V2y3XzOLD';
    const items = stepsOf([
      tried(id, 'a@acme.test', 'sent (250 ok)'),
      queued(id, 'j@far.example'),
      tried(id, 'b@acme.test', 'sent (250 ok)'),
    ]);
    expect(shown(items)).toEqual(['in stored acme.test b@acme.test']);
  });
});

it.each([
  ['Dec 31 23:59:59', new Date('2025-12-31T23:59:59Z')],
  ['Nov  1 07:07:20', new Date('2026-11-01T07:07:20Z')],
  ['2026-11-21T07:07:20.123456+01:00', new Date('2026-11-21T06:07:20.123Z')],
])('the time %s is the last one that is not in the future', (time, expected) => {
  const id = '4dGz1V2y3Xz9QrT';
  const text = `${time} mx1 postfix/smtpd[1]: NOQUEUE: reject: RCPT from a[192.0.2.1]: 450 4.2.2 <a@b.test>: full; from=<> to=<a@b.test> proto=SMTP helo=<x>`;
  const [item] = stepsOf([text.replace('NOQUEUE', id)]);
  expect(item?.at).toBe(expected.toISOString());
});
