import { describeStack } from './testing/describe-stack.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';

describeStack('a submitted message', () => {
  let stack: WholeStack<PolicyStandIn>;

  beforeAll(async () => {
    stack = await WholeStack.start();
  });
  afterAll(async () => {
    await stack?.stop();
  });

  it('does not tell its recipients the address or the name of the submitter’s computer', async () => {
    await stack.submit(ALICE, { from: ALICE, to: [OUTSIDE, 'bob@acme.test'], subject: 'private' }, '127.0.0.77');
    const { text } = await stack.rig.relays[0].arrival('private');
    await stack.rig.arrival('bob@acme.test', 'private');
    const stored = await stack.rig.doveadm('fetch', '-u', 'bob@acme.test', 'hdr', 'header', 'subject', 'private');
    for (const copy of [text, stored]) {
      expect(copy).not.toMatch(/127\.0\.0\.77|client\.test/);
      expect(copy).toMatch(/Received: from localhost \(submitted\)[^]*by mx\.rig\.test \(Postfix\) with ESMTPSA id /);
    }
  });

  it('keeps the Received fields that it has', async () => {
    const received =
      'Received: from inner.example (inner.example [192.0.2.7]) by hub.example with ESMTP id 1; Mon, 2 Nov 2026 10:00:00 +0000';
    await stack.submit(ALICE, { from: ALICE, to: OUTSIDE, subject: 'with a trace', headers: [received] });
    expect((await stack.rig.relays[0].arrival('with a trace')).text).toContain('inner.example [192.0.2.7]');
  });

  it('gets the fields From, Date and Message-ID that it lacks, and keeps those that it has', async () => {
    await stack.submit(ALICE, { from: ALICE, to: OUTSIDE, text: 'Subject: bare\r\n\r\nHello' });
    const bare = (await stack.rig.relays[0].arrival('bare')).text;
    expect(bare).toMatch(/^From: .*alice@acme\.test/m);
    expect(bare).toMatch(/^Date: .* 20\d\d /m);
    expect(bare).toMatch(/^Message-Id: <\S+@mx\.rig\.test>/im);
    const fields = ['Date: Mon, 2 Nov 2026 10:00:00 +0000', 'Message-ID: <own@acme.test>'];
    await stack.submit(ALICE, { from: ALICE, to: OUTSIDE, subject: 'complete', headers: fields });
    const { text } = await stack.rig.relays[0].arrival('complete');
    for (const field of fields) expect(text.split('\r\n').filter((line) => line === field)).toEqual([field]);
    expect(text.match(/^(From|Date|Message-I[dD]):/gm)).toHaveLength(3);
  });
});
