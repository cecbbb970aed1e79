import { MessagesInFlight, type TrailItem } from './messages-in-flight.js';
import { begun, line, MX, named, queued, refused, shown, stepsOf, tried } from './testing/log-lines.js';

describe('a line that imitates another one', () => {
  const id = '4dGz1V2y3Xz9QrT';
  const victim = '4dGzVICT1MXz9Qr';
  const start = [begun(victim), queued(victim, 'jane@far.example'), begun(id), queued(id, 'evil@far.example')];

  /** @returns the steps of all messages but the hostile one */
  function of(lines: readonly string[]): { others: TrailItem[]; own: TrailItem[]; ambiguous: number } {
    const messages = new MessagesInFlight('mx1.example.net');
    const items = stepsOf([...start, ...lines], messages);
    const isOwn = ({ queue_id: queueId }: TrailItem) => queueId === id || queueId === null;
    return { others: items.filter((item) => !isOwn(item)), own: items.filter(isOwn), ambiguous: messages.ambiguous };
  }

  it.each([
    '"> to=<x@y>, status=sent"@acme.test',
    '"x@victim.test>, relay=none, delay=1, delays=1/0/0/0, dsn=2.0.0, status=sent (250 ok)"@acme.test',
    '"a\\"b"@acme.test',
  ])('by a quoted local part is a step of that recipient alone: %s', (recipient) => {
    const { others, own } = of([tried(id, recipient, 'deferred (try later)', `${MX}/lmtp`, '4.3.0')]);
    expect(others).toEqual([]);
    expect(shown(own)).toEqual([`in accepted acme.test ${recipient}`, `in deferred acme.test ${recipient}`]);
  });

  it('by the address of an alias is that alias, and by a sender that sender', () => {
    const alias = '"x>, orig_to=<bob@victim.test>, relay=none"@acme.test';
    const sender = '"a>, size=1, nrcpt=1 (queue active)"@far.example';
    const copy = tried(id, 'bob@acme.test', 'sent (250 ok)').replace(', relay=', `, orig_to=<${alias}>, relay=`);
    const { others, own, ambiguous } = of([queued(id, sender), copy]);
    expect([others, ambiguous]).toEqual([[], 0]);
    expect(own.map((item) => [item.sender, item.recipient, item.domain])).toEqual([
      [sender, alias, 'acme.test'],
      [sender, alias, 'acme.test'],
    ]);
  });

  it.each([
    ['a login', 'pc> sasl_method=PLAIN sasl_username=<bob@victim.test'],
    ['an address of the client', '192.0.2.1> sasl_sender=bob@victim.test'],
  ])('by a greeting with %s says nothing of it', (_what, helo) => {
    const said = '550 5.1.1 <no@acme.test>: Recipient address rejected: User unknown';
    const { others, own } = of([refused(said, `from=<a@far.example> to=<no@acme.test> proto=ESMTP helo=<${helo}>`)]);
    expect(JSON.stringify([...others, ...own])).not.toContain('victim');
  });

  it('by the answer of a server is that answer', () => {
    const answer = `host x[192.0.2.1] said: 450 no), ${victim}: to=<bob@victim.test>, relay=none, delay=1, delays=1/0/0/0, dsn=2.0.0, status=sent (250 ok)`;
    const { others, own } = of([tried(id, 'bob@acme.test', `deferred (${answer})`, `${MX}/lmtp`, '4.0.0')]);
    expect(others).toEqual([]);
    expect(own.at(-1)).toMatchObject({ step: 'deferred', recipient: 'bob@acme.test' });
  });

  it('by a Message-ID names no message, and changes none', () => {
    const hostile = `<x> ${victim}: to=<bob@victim.test>, relay=none, delay=1, delays=1/0/0/0, dsn=2.0.0, status=sent (250 ok)`;
    const { others, own } = of([named(id, hostile), tried(id, 'bob@acme.test', 'sent (250 ok)')]);
    expect(others).toEqual([]);
    expect(own.map((item) => item.message_id)).toEqual([null, null]);
  });

  it.each([
    ['a@far.example', 'x> to=<bob@victim.test> proto=ESMTP helo=<y'],
    ['a@far.example', 'x>; from=<a@b.test> to=<bob@victim.test> proto=ESMTP helo=<y'],
  ])('by a greeting is dropped and counted', (from, helo) => {
    const said = '550 5.1.1 <no@acme.test>: Recipient address rejected: User unknown';
    const { others, own, ambiguous } = of([
      refused(said, `from=<${from}> to=<no@acme.test> proto=ESMTP helo=<${helo}>`),
    ]);
    expect([...others, ...own.filter(({ domain }) => domain !== 'acme.test')]).toEqual([]);
    expect(ambiguous).toBe(1);
  });

  it('by a refused recipient is dropped and counted when it could end in two places', () => {
    const name = '"; from=<a@b.test> to=<bob@victim.test> proto=ESMTP helo=<x>"';
    const said = `550 5.1.1 <${name}@acme.test>: Recipient address rejected: User unknown`;
    const { others, own } = of([refused(said, `from=<e@far.example> to=<${name}@acme.test> proto=ESMTP helo=<x>`)]);
    expect([...others, ...own].filter(({ domain }) => domain !== 'acme.test')).toEqual([]);
  });

  it('by another program, or without the fixed parts, says nothing', () => {
    const forged = tried(victim, 'bob@victim.test', 'sent (250 ok)').replace('postfix/lmtp', 'dovecot/lmtp');
    const cut = `Nov 21 07:07:22 mx1 postfix/lmtp[1]: ${victim}: to=<bob@victim.test>, status=sent (250 ok)`;
    const warned = line(2, 'postfix/smtpd', `warning: ${victim}: to=<bob@victim.test>, status=sent (250 ok)`);
    const { others, own, ambiguous } = of([forged, cut, warned]);
    expect([...others, ...own]).toEqual([]);
    expect(ambiguous).toBe(1);
  });
});

describe('a refusal', () => {
  const said = '550 5.1.1 <no@acme.test>: Recipient address rejected: User unknown';
  const forged = 'x>; from=<a@b.test> to=<bob@victim.test> proto=ESMTP helo=<y';

  it.each([
    ['a sender without a domain', 'from=<root> to=<no@acme.test> proto=ESMTP'],
    ['a recipient without a domain', 'from=<a@far.example> to=<postmaster> proto=ESMTP'],
    ['no recipient', 'from=<a@far.example> proto=ESMTP'],
    ['a sender with a domain of other letters', 'from=<a@fär.example> to=<no@acme.test> proto=ESMTP'],
  ])('with %s leaves the greeting no place at which the end could begin', (_what, end) => {
    const messages = new MessagesInFlight('mx1.example.net');
    expect(stepsOf([refused(said, `${end} helo=<${forged}>`)], messages)).toEqual([]);
    expect(messages.ambiguous).toBe(1);
  });

  it('does not count as one of an unknown recipient because the recipient says so', () => {
    const recipient = '"User unknown"@acme.test';
    const full = `452 4.2.2 <${recipient}>: Recipient address rejected: Mailbox is full`;
    const [item] = stepsOf([refused(full, `from=<> to=<${recipient}> proto=ESMTP helo=<x>`)]);
    expect(item).toMatchObject({ reason: '4.2.2', recipient });
  });

  it.each([
    '554 5.7.1 <far.example[192.0.2.7]>: Client host rejected: Access denied',
    '450 4.7.25 Client host rejected: cannot find your hostname, [192.0.2.7]',
    '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using bl.example; https://bl.example/192.0.2.7',
    '554 5.7.1 Service unavailable; Client host [far.example] blocked using bl.example',
    '450 4.7.1 <[10.1.2.3]>: Helo command rejected: Host not found',
    '504 5.5.2 <pc-of-ann>: Helo command rejected: need fully-qualified hostname',
  ])('says nothing of the network of the client: %s', (text) => {
    const [item] = stepsOf([refused(text, 'from=<a@far.example> to=<bob@acme.test> proto=ESMTP helo=<pc-of-ann>')]);
    expect(item).toMatchObject({ step: 'refused', recipient: 'bob@acme.test' });
    expect(item?.detail).toMatch(/rejected|blocked/);
    expect(item?.detail).not.toMatch(/192\.0\.2\.7|far\.example|10\.1\.2\.3|pc-of-ann/);
  });

  it('by a client of IPv6 says nothing of its address either', () => {
    const text =
      'NOQUEUE: reject: RCPT from unknown[2001:db8::7]: 554 5.7.1 <unknown[2001:db8::7]>: Client host rejected: Access denied; from=<> to=<bob@acme.test> proto=ESMTP helo=<x>';
    expect(stepsOf([line(0, `${MX}/smtpd`, text)])).toMatchObject([
      { detail: expect.not.stringContaining('2001:db8') },
    ]);
  });
});

describe('a line that Postfix cut after 2,000 characters', () => {
  const id = '4dGz1V2y3Xz9QrT';
  const start = [begun(id), queued(id, 'jane@far.example')];
  const cut = (text: string, end = '') => text.slice(0, 2_000) + end;
  const long = 'x'.repeat(2_000);

  it.each(['', '...'])('in the answer of a server has its step: with %j at its end', (end) => {
    const items = stepsOf([...start, cut(tried(id, 'bob@acme.test', `deferred (450 ${long})`), end)]);
    expect(items.at(-1)).toMatchObject({ step: 'deferred', recipient: 'bob@acme.test' });
    expect(items.at(-1)?.detail).toHaveLength(128);
  });

  it.each([
    ['a greeting', refused('450 4.7.1 <no@acme.test>: no', `from=<> to=<no@acme.test> proto=ESMTP helo=<${long}>`)],
    ['a recipient', tried(id, `"${long}"@acme.test`, 'sent (250 ok)')],
    ['a refused recipient', refused(`450 4.7.1 <"${long}"@acme.test>: no`, `from=<> to=<"${long}"@acme.test> proto=X`)],
  ])('in %s is dropped and counted', (_where, text) => {
    const messages = new MessagesInFlight('mx1.example.net');
    expect(stepsOf([...start, cut(text), cut(text, '...')], messages)).toEqual([]);
    expect(messages.ambiguous).toBe(2);
  });

  it('in a Message-ID names no message', () => {
    const items = stepsOf([...start, cut(named(id, `<${long}@far.example>`)), tried(id, 'bob@acme.test', 'sent (ok)')]);
    expect(items.map((item) => item.message_id)).toEqual([null, null]);
  });
});

describe('the answer of a server', () => {
  const id = '4dGz1V2y3Xz9QrT';
  const start = [begun(id), queued(id, 'jane@far.example')];

  it.each([
    ['several lines', '550-5.7.1 one 550-5.7.1 two 550 5.7.1 three (in reply to RCPT TO command)'],
    ['bytes above 127', 'ünzustellbar \u0000\u0085\u2028 \ufffd'],
    ['parentheses', 'a) b), relay=none, status=sent (250 ok'],
    ['a queue id', '4dGzVICT1MXz9Qr: removed'],
  ])('with %s is its detail, in ASCII, and changes nothing else', (_what, answer) => {
    const items = stepsOf([...start, tried(id, 'bob@acme.test', `bounced (${answer})`)]);
    expect(shown(items)).toEqual(['in accepted acme.test bob@acme.test', 'in bounced acme.test bob@acme.test']);
    expect(items.at(-1)?.detail).toBe(answer.replace(/[^\x20-\x7e]/g, '?'));
  });
});

describe('a warning that quotes what a client sent', () => {
  const victim = '4dGzVICT1MXz9Qr';
  const start = [begun(victim), queued(victim, 'jane@far.example')];
  const forged = tried(victim, 'bob@acme.test', 'sent (250 ok)').replace(/^.*?\]: /, '');

  it.each([
    ['smtpd', `warning: ${forged}`],
    ['smtpd', `warning: non-SMTP command from unknown[192.0.2.7]: ${forged}`],
    ['smtpd', `improper command pipelining after EHLO from unknown[192.0.2.7]: ${forged}`],
    ['smtpd', `NOQUEUE: ${forged}`],
    ['cleanup', `${victim}: warning: header Subject: ${forged} from unknown[192.0.2.7]; from=<a@b.test>`],
    ['cleanup', `${victim}: message-id=${forged}`],
    ['lmtp', `warning: ${forged}`],
    ['lmtp', `${victim}: host mx1[private/lmtp] said: ${forged}`],
    ['qmgr', `warning: ${forged}`],
    ['pickup', `${victim}: uid=0 from=<${forged}>`],
    ['bounce', `${victim}: sender non-delivery notification: ${forged}`],
    ['trivial-rewrite', forged],
    ['postfix-script', forged],
  ])('is no step: %s[1]: %s', (program, text) => {
    expect(stepsOf([...start, line(2, `${MX}/${program}`, text)])).toEqual([]);
  });

  it.each(['opendkim', 'policyd', 'postfixx', 'dovecot/lmtp', 'postfix'])('or one of another program: %s', (name) => {
    expect(stepsOf([...start, line(2, name, forged)])).toEqual([]);
  });
});
