import type { Partner } from '../partners/partner.js';
import { AT, fieldsOf, inParallel, type RepositoryPorts, RepositoryWorld } from './repository-world.js';

/** What every `PartnerRepository` keeps. */
export function partnerRepositoryContract(open: () => Promise<RepositoryPorts>): void {
  describe('the contract of a partner repository', () => {
    let ports: RepositoryPorts;
    let world: RepositoryWorld;
    beforeAll(async () => {
      ports = await open();
      world = new RepositoryWorld(ports);
    });

    const stored = ({ id }: Partner) => ports.unitOfWork.run(() => ports.partners.lock(id));

    test('a new ref makes a partner, a known one finds it', async () => {
      const ref = world.ref();
      const made = await world.partner(ref);
      expect(fieldsOf(made)).toEqual({ id: expect.any(Number), ref, domainCount: 0, lastCreatedAt: new Date(0) });
      expect(fieldsOf(await world.partner(ref))).toEqual(fieldsOf(made));
    });

    test('null is the one row of "no partner"', async () => {
      const partner = await world.partner(null);
      expect(partner.ref).toBeNull();
      expect((await world.partner(null)).id).toBe(partner.id);
    });

    test('a ref that many ask for at the same time makes one partner', async () => {
      const ref = world.ref();
      const partners = await Promise.all(Array.from({ length: 10 }, () => world.partner(ref)));
      expect(new Set(partners.map(({ id }) => id)).size).toBe(1);
    });

    test('to lock a partner that does not exist throws', async () => {
      const locking = ports.unitOfWork.run(() => ports.partners.lock(Number.MAX_SAFE_INTEGER));
      await expect(locking).rejects.toThrow('There is no partner');
    });

    test('save writes the count and the newest creation time, never the ref, of this partner alone', async () => {
      const [partner, other] = [await world.partner(), await world.partner()];
      const { id, ref } = partner;
      const fields = { domainCount: 7, lastCreatedAt: AT };
      await ports.unitOfWork.run(() =>
        ports.partners.save(Object.assign(Object.create(partner) as Partner, { id, ref: world.ref(), ...fields })),
      );
      expect(fieldsOf(await stored(partner))).toEqual({ id, ref, ...fields });
      expect(fieldsOf(await stored(other))).toEqual(fieldsOf(other));
    });

    test.each([
      ['lock', (partner: Partner) => ports.partners.lock(partner.id)],
      ['lockOrCreate', (partner: Partner) => ports.partners.lockOrCreate(partner.ref)],
    ])('%s makes others wait: no change is lost', async (_, lock) => {
      const partner = await world.partner();
      await inParallel(ports.unitOfWork, 10, async () => {
        const locked = await lock(partner);
        locked.domainCount += 1;
        await ports.partners.save(locked);
      });
      expect((await stored(partner)).domainCount).toBe(10);
    });

    test('a summary counts domains, their mailboxes and aliases, and keys; without domain and key there is none', async () => {
      const partner = await world.partner();
      const ref = partner.ref ?? world.ref();
      expect(await ports.partners.summary(ref)).toBeNull();
      await world.domain(partner, { mailboxCount: 2, aliasCount: 3 });
      await world.domain(partner, { mailboxCount: 10, aliasCount: 20 });
      await world.key(partner, { active: false });
      await ports.unitOfWork.run(async () => {
        const locked = await ports.partners.lock(partner.id);
        locked.domainCount = 2;
        await ports.partners.save(locked);
      });
      const summary = { id: partner.id, ref, domainsUsed: 2, mailboxes: 12, aliases: 23, keys: 1 };
      expect(await ports.partners.summary(ref)).toEqual(summary);
    });

    test('summaries come in the order of the refs, after a ref, without those that have nothing', async () => {
      const prefix = `z${world.ref()}`;
      for (const end of ['b', 'c', 'a']) {
        const partner = await world.partner(`${prefix}${end}` as Partner['ref']);
        if (end !== 'c') await world.key(partner);
      }
      const refs = async (after: string, limit: number) =>
        (await ports.partners.summaries(after, limit)).map(({ ref }) => ref);
      expect(await refs(prefix, 9)).toEqual([`${prefix}a`, `${prefix}b`]);
      expect(await refs(prefix, 1)).toEqual([`${prefix}a`]);
      expect(await refs(`${prefix}a`, 9)).toEqual([`${prefix}b`]);
    });
  });
}
