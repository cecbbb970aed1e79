import type { DomainName } from '../domains/domain-name.js';
import type { Address } from '../mailboxes/address.js';
import type { Mailbox } from '../mailboxes/mailbox.js';
import { allRowsOf, type PartnerScope } from '../partners/partner-scope.js';
import {
  AT,
  changeTenTimes,
  type DataOf,
  fieldsOf,
  foundInTwos,
  type RepositoryPorts,
  RepositoryWorld,
} from './repository-world.js';

type Unsaved = 'id' | 'domainId' | 'email' | 'localPart' | 'home' | 'createdAt' | 'restoredAt';

/** A value for each field that `save` writes, all different from those of a new mailbox. */
const EVERY_FIELD: DataOf<Mailbox, Unsaved> = {
  name: 'Ünï, "quoted" \\ 🦊',
  passwordHash: '{SHA512-CRYPT}$6$other',
  quotaMb: 2_048,
  outboundDailyLimit: 77,
  active: false,
  externalRef: 'Ünï 17 🦊',
  revokedAt: new Date('2026-03-15T12:00:00.123Z'),
  revision: 9,
};

/** The guarantees of every `MailboxRepository`. */
export function mailboxRepositoryContract(open: () => Promise<RepositoryPorts>): void {
  describe('the contract of a mailbox repository', () => {
    let ports: RepositoryPorts;
    let world: RepositoryWorld;
    beforeAll(async () => {
      ports = await open();
      world = new RepositoryWorld(ports);
    });

    const stored = async ({ email }: Mailbox) => fieldsOf(await ports.mailboxes.find('all', email));
    const locking = (scope: PartnerScope, email: Address) =>
      ports.unitOfWork.run(() => ports.mailboxes.lock(scope, email));

    test('add sets an id and stores every field', async () => {
      const domain = await world.domain(await world.partner());
      const mailbox = await world.mailbox(domain, 'a', EVERY_FIELD);
      expect(mailbox.id).toEqual(expect.any(Number));
      expect(await stored(mailbox)).toEqual(fieldsOf(mailbox));
    });

    test('add refuses an address that another mailbox has', async () => {
      const domain = await world.domain(await world.partner());
      await world.mailbox(domain, 'a');
      await expect(world.mailbox(domain, 'a')).rejects.toMatchObject({ code: 'mailbox_exists' });
    });

    test('save writes every field except id, domain, address, home and creation time, and only of this mailbox', async () => {
      const domain = await world.domain(await world.partner());
      const [mailbox, other] = [await world.mailbox(domain, 'a'), await world.mailbox(domain, 'b')];
      const before = fieldsOf(mailbox);
      const moved = await world.domain(await world.partner());
      const unsaved = { domainId: moved.id, email: 'x@y.example', localPart: 'x', home: '0', createdAt: new Date(0) };
      await ports.unitOfWork.run(() => ports.mailboxes.save(Object.assign(mailbox, EVERY_FIELD, unsaved)));
      expect(await stored({ ...fieldsOf(mailbox), email: before.email })).toEqual({ ...before, ...EVERY_FIELD });
      expect(await stored(other)).toEqual(fieldsOf(other));
    });

    test('save sets a name back to null', async () => {
      const mailbox = await world.mailbox(await world.domain(await world.partner()), 'a', EVERY_FIELD);
      await ports.unitOfWork.run(() => ports.mailboxes.save(Object.assign(mailbox, { name: null })));
      expect((await stored(mailbox)).name).toBeNull();
    });

    test("another partner's mailbox is absent in every method with a scope", async () => {
      const [owner, stranger] = [await world.partner(), await world.partner()];
      const domain = await world.domain(owner);
      const { id, email } = await world.mailbox(domain, 'a');
      const ids = async (scope: PartnerScope) =>
        (await foundInTwos(ports.mailboxes.search(scope, { domain: domain.name }))).map((found) => found.id);
      expect(await ports.mailboxes.find(allRowsOf(stranger.id), email)).toBeNull();
      expect(await ports.unitOfWork.run(() => ports.mailboxes.find(allRowsOf(stranger.id), email))).toBeNull();
      expect(await locking(allRowsOf(stranger.id), email)).toBeNull();
      expect(await ids(allRowsOf(stranger.id))).toEqual([]);
      for (const scope of [allRowsOf(owner.id), 'all'] as const) {
        expect((await ports.mailboxes.find(scope, email))?.id).toBe(id);
        expect((await locking(scope, email))?.id).toBe(id);
        expect(await ids(scope)).toEqual([id]);
      }
    });

    test('null is returned for a mailbox that does not exist', async () => {
      const email = `nobody@${world.name()}` as Address;
      expect(await ports.mailboxes.find('all', email)).toBeNull();
      expect(await locking('all', email)).toBeNull();
    });

    test('noteRevoked sets a later time of revocation, and leaves a later one and every other field', async () => {
      const mailbox = await world.mailbox(await world.domain(await world.partner()), 'a');
      const revokedAt = async () => (await stored(mailbox)).revokedAt?.toISOString();
      const before = await stored(mailbox);
      for (const [noted, expected] of [
        ['2026-03-15T12:00:00.123Z', '2026-03-15T12:00:00.123Z'],
        ['2026-03-15T12:00:00.122Z', '2026-03-15T12:00:00.123Z'],
        ['2026-03-15T12:00:00.124Z', '2026-03-15T12:00:00.124Z'],
      ] as const) {
        await ports.mailboxes.noteRevoked(mailbox, new Date(noted));
        expect(await revokedAt()).toBe(expected);
      }
      expect({ ...(await stored(mailbox)), revokedAt: null }).toEqual(before);
    });

    test('lock makes concurrent units of work wait, so that no change is lost', async () => {
      const mailbox = await world.mailbox(await world.domain(await world.partner()), 'a');
      const lockRow = () => ports.mailboxes.lock('all', mailbox.email);
      await changeTenTimes(ports.unitOfWork, lockRow, async (locked) => {
        locked.quotaMb += 1;
        await ports.mailboxes.save(locked);
      });
      expect((await stored(mailbox)).quotaMb).toBe(10);
    });

    test('lists are ordered by id, in pages, for a domain or for all domains of a partner', async () => {
      const partner = await world.partner();
      const [first, second] = [await world.domain(partner), await world.domain(partner)];
      const foreign = await world.domain(await world.partner());
      const made: Mailbox[] = [];
      for (const domain of [first, second, foreign, first, second, first]) {
        made.push(await world.mailbox(domain, `m${made.length}`));
      }
      const of = (...domains: { id: number }[]) =>
        made.filter(({ domainId }) => domains.some(({ id }) => id === domainId)).map((mailbox) => fieldsOf(mailbox));
      const walk = async (
        scope: PartnerScope,
        filter: { domain?: DomainName; partnerRef?: NonNullable<typeof partner.ref> },
      ) => (await foundInTwos(ports.mailboxes.search(scope, filter))).map((mailbox) => fieldsOf(mailbox));
      expect(await walk(allRowsOf(partner.id), { domain: first.name })).toEqual(of(first));
      expect(await walk(allRowsOf(partner.id), {})).toEqual(of(first, second));
      if (partner.ref === null) throw new Error('It has a ref');
      expect(await walk('all', { partnerRef: partner.ref })).toEqual(of(first, second));
      expect(await walk(allRowsOf(partner.id), { domain: foreign.name })).toEqual([]);
    });

    test('homes returns the homes of the domain with their addresses', async () => {
      const partner = await world.partner();
      const domain = await world.domain(partner);
      const homes = ['1', '2', '3'].map((digit) => digit.repeat(32));
      for (const [index, home] of homes.entries()) await world.mailbox(domain, `m${index}`, { home });
      await world.mailbox(await world.domain(partner), 'other');
      const found = [];
      for await (const chunk of ports.mailboxes.homes(domain.id)) found.push(...chunk);
      expect(found).toEqual(homes.map((home, index) => ({ email: `m${index}@${domain.name}`, home })));
    });

    test('setQuota changes all mailboxes of a domain, or those with a given quota, and returns the number of changed mailboxes', async () => {
      const partner = await world.partner();
      const domain = await world.domain(partner);
      const mailboxes: Mailbox[] = [];
      for (const quotaMb of [1, 1, 2, 3])
        mailboxes.push(await world.mailbox(domain, `m${mailboxes.length}`, { quotaMb }));
      const other = await world.mailbox(await world.domain(partner), 'other', { quotaMb: 1, createdAt: AT });
      const set = (from: number | null, to: number) =>
        ports.unitOfWork.run(() => ports.mailboxes.setQuota(domain.id, from, to));
      const quotas = async () => (await Promise.all(mailboxes.map(stored))).map(({ quotaMb }) => quotaMb);
      expect(await set(1, 3)).toBe(2);
      expect(await quotas()).toEqual([3, 3, 2, 3]);
      expect(await set(3, 3)).toBe(0);
      expect(await set(null, 2)).toBe(3);
      expect(await quotas()).toEqual([2, 2, 2, 2]);
      expect((await stored(other)).quotaMb).toBe(1);
    });
  });
}
