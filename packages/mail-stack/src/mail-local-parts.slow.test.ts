import { randomUUID } from 'node:crypto';
import fc from '../../../scripts/fast-check.mjs';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addAlias, addDomain, PASSWORD } from './testing/platform.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const DOMAIN = 'local-parts.test';
const CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789_'=~&-";
const EACH = CHARACTERS.split('');
const GENERATED = 12;
/** Names with a special meaning for Postfix, Dovecot or a shell. */
const SPECIAL =
  "double-bounce owner-a a-request null '' ~root o'neil 'or'1'='1 '='' && a=b a.-b prvs=0123=a srs0=ab=cd=x.test=y a-- nobody 0 a''b a&b=c~d".split(
    ' ',
  );

/** Generates local parts: dot-atoms of at most 64 characters that do not begin with a hyphen. */
const localPart = fc
  .array(fc.string({ unit: fc.constantFrom(...EACH), minLength: 1, maxLength: 20 }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((atoms) => atoms.join('.'))
  .filter((text) => text.length <= 64 && !text.startsWith('-'));

/**
 * Returns each character as a name, all characters in one name, the special names, the longest name, and generated
 * ones.
 */
function localParts(): string[] {
  const alone = EACH.filter((character) => character !== '-');
  const inside = [`x${CHARACTERS}`, EACH.toReversed().join('').replace(/^-/, 'z-')];
  const longest = "&'=~_-x".repeat(10).slice(0, 64);
  const generated = fc.sample(localPart, GENERATED);
  return [...new Set([...alone, ...inside, ...SPECIAL, longest, ...generated])];
}

describeStack('every local part that the API accepts', () => {
  let stack: WholeStack<MailsteadProcess>;
  const names = localParts();
  const addresses = names.map((name) => `${name}@${DOMAIN}`);

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon({ ownDatabase: true, environment: { RETENTION_GRACE_HOURS: '0' } });
    await addDomain(stack.acme, DOMAIN);
    const [model] = await stack.rig.services.database.query(
      "SELECT password_hash FROM mailbox WHERE email = 'alice@acme.test'",
    );
    for (const email of addresses) {
      await stack.acme.post('/users/', { email, password_hash: String(model?.password_hash) });
    }
  });

  afterAll(async () => {
    await stack?.stop();
  });

  it('is tested with every allowed character and the greatest length', () => {
    expect(new Set(names.join(''))).toEqual(new Set(`${CHARACTERS}.`));
    expect(Math.max(...names.map(({ length }) => length))).toBe(64);
  });

  it('receives mail on port 25, also with a subaddress', async () => {
    const [plain, tagged] = [randomUUID(), randomUUID()];
    const chunks = Array.from({ length: Math.ceil(names.length / 20) }, (_, index) =>
      names.slice(index * 20, index * 20 + 20),
    );
    for (const chunk of chunks) {
      const client = await stack.rig.stranger();
      for (const [subject, end] of [
        [plain, ''],
        [tagged, '+tag'],
      ] as const) {
        const sent = await client.send({ from: OUTSIDE, to: chunk.map((name) => `${name}${end}@${DOMAIN}`), subject });
        expect(
          sent.recipients.map(({ code, text }, index) => [chunk[index], code, text]).filter(([, code]) => code !== 250),
        ).toEqual([]);
        expect(sent.reply.code).toBe(250);
      }
      await client.quit();
    }
    const arrived = async (): Promise<string> =>
      await stack.rig.doveadm('fetch', '-A', 'user hdr.subject', 'mailbox', 'INBOX', 'all');
    await until('all of it to arrive', async () => {
      const text = await arrived();
      const has = (address: string, subject: string) => text.includes(`user: ${address}\nhdr.subject: ${subject}`);
      return addresses.every((address) => has(address, plain) && has(address, tagged));
    });
    expect(await stack.rig.queue()).toEqual([]);
  });

  it('logs in by IMAP and reads its mail', async () => {
    for (const address of addresses) {
      const imap = await stack.rig.imap();
      expect([address, await imap.login(address, PASSWORD)]).toMatchObject([address, { ok: true }]);
      expect([address, await imap.subjects()]).toEqual([address, [expect.any(String), expect.any(String)]]);
      imap.close();
    }
  });

  it('logs in on submission and sends, as itself and with a subaddress', async () => {
    for (const [index, address] of addresses.entries()) {
      const client = await stack.rig.submission();
      expect([address, (await client.login(address, PASSWORD)).code]).toEqual([address, 235]);
      const subject = `out-${index}`;
      expect([address, (await client.send({ from: address, to: OUTSIDE, subject })).reply]).toMatchObject([
        address,
        { code: 250 },
      ]);
      const tagged = `${names[index]}+tag@${DOMAIN}`;
      const other = index === 0 ? 'alice@acme.test' : (addresses[index - 1] ?? '');
      expect([address, (await client.send({ from: tagged, to: other, subject: 'in' })).reply.code]).toEqual([
        address,
        250,
      ]);
      await client.quit();
      expect(await stack.rig.relays[0].arrival(subject)).toMatchObject({ from: address, to: [OUTSIDE] });
    }
  });

  it('cannot send with another sender', async () => {
    const client = await stack.rig.submission();
    await client.login(addresses[0] ?? '', PASSWORD);
    const { reply } = await client.send({ from: addresses[1] ?? '', to: OUTSIDE });
    expect(reply.code).toBe(553);
    await client.quit();
  });

  it('works in usage, aliases and destinations, and can be changed and deleted by its path', async () => {
    for (const [index, address] of addresses.entries()) {
      const path = `/users/${encodeURIComponent(address)}`;
      expect([address, await stack.acme.get(path)]).toMatchObject([
        address,
        { email: address, messages: expect.any(Number) },
      ]);
      expect([address, ((await stack.acme.get(path)) as { messages: number }).messages]).toEqual([
        address,
        expect.any(Number),
      ]);
      if (index < 8) await addAlias(stack.acme, `${names[index]}-alias@${DOMAIN}`, address);
      await stack.acme.put(path, { active: false });
    }
    expect(await stack.login(addresses[0] ?? '', PASSWORD)).not.toBe('OK');
    const client = await stack.rig.submission();
    const refused = await client.login(addresses[1] ?? '', PASSWORD);
    const reply = refused.code === 235 ? (await client.send({ from: addresses[1] ?? '', to: OUTSIDE })).reply : refused;
    expect(reply.code).toBeGreaterThanOrEqual(400);
    client.close();
  });

  it('loses its old mail to the purge of its domain, and no other', async () => {
    await stack.rig.saveDaysAgo(addresses[3] ?? '', 40, 'old');
    const old = async () => (await stack.rig.inbox(addresses[3] ?? '')).includes('old');
    expect(await old()).toBe(true);
    await stack.platform.master.put(`/domains/${DOMAIN}/retention`, { retention_days: 30 });
    await stack.platform.master.post('/jobs/retention.purge/run');
    await until('the old mail to be purged', async () => !(await old()));
    expect(await stack.rig.inbox(addresses[3] ?? '')).not.toEqual([]);
  });
});
