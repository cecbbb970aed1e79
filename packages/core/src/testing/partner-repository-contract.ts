import type { Partner } from '../partners/partner.js';
import { AT, type DataOf, fieldsOf, inParallel, type RepositoryPorts, RepositoryWorld } from './repository-world.js';

/** The revisions of a new partner. */
const BEGIN = { revision: 1, brandRevision: 1 };

/** The guarantees of every `PartnerRepository`. */
export function partnerRepositoryContract(open: () => Promise<RepositoryPorts>): void {
  describe('the contract of a partner repository', () => {
    let ports: RepositoryPorts;
    let world: RepositoryWorld;
    beforeAll(async () => {
      ports = await open();
      world = new RepositoryWorld(ports);
    });

    const stored = ({ id }: Partner) => ports.unitOfWork.run(() => ports.partners.lock(id));

    test('lockOrCreate creates a partner for a new ref and finds it for a known ref', async () => {
      const ref = world.ref();
      const made = await world.partner(ref);
      expect(fieldsOf(made)).toEqual({
        id: expect.any(Number),
        ref,
        externalRef: null,
        name: null,
        domainCount: 0,
        lastCreatedAt: new Date(0),
        suspensions: [],
        stopMessages: {},
        stage: null,
        suppressionMode: 'list',
        suppressionCount: 0,
        ...BEGIN,
      });
      expect(fieldsOf(await world.partner(ref))).toEqual(fieldsOf(made));
    });

    test('null is the single row of "no partner"', async () => {
      const partner = await world.partner(null);
      expect(partner.ref).toBeNull();
      expect((await world.partner(null)).id).toBe(partner.id);
    });

    test('concurrent calls with the same new ref create one partner', async () => {
      const ref = world.ref();
      const partners = await Promise.all(Array.from({ length: 10 }, () => world.partner(ref)));
      expect(new Set(partners.map(({ id }) => id)).size).toBe(1);
    });

    test('lock throws for a partner that does not exist', async () => {
      const locking = ports.unitOfWork.run(() => ports.partners.lock(Number.MAX_SAFE_INTEGER));
      await expect(locking).rejects.toThrow('There is no partner');
    });

    test('save writes every field except id and ref, and only of this partner', async () => {
      const [partner, other] = [await world.partner(), await world.partner()];
      const { id, ref } = partner;
      const fields: DataOf<Partner, 'id' | 'ref'> = {
        externalRef: 'customer-7',
        name: 'Acme',
        domainCount: 7,
        lastCreatedAt: AT,
        suspensions: [
          { cause: 'operator', stage: 'changes' },
          { cause: 'abuse', stage: 'all' },
        ],
        stage: 'all',
        stopMessages: { abuse: 'Please call.' },
        suppressionMode: 'refuse',
        suppressionCount: 3,
        revision: 9,
        brandRevision: 10,
      };
      await ports.unitOfWork.run(() =>
        ports.partners.save(Object.assign(Object.create(partner) as Partner, { id, ref: world.ref(), ...fields })),
      );
      expect(fieldsOf(await stored(partner))).toEqual({ id, ref, ...fields });
      expect(fieldsOf(await stored(other))).toEqual(fieldsOf(other));
    });

    test.each([
      ['lock', (partner: Partner) => ports.partners.lock(partner.id)],
      ['lockOrCreate', (partner: Partner) => ports.partners.lockOrCreate(partner.ref)],
    ])('%s makes concurrent units of work wait, so that no change is lost', async (_, lock) => {
      const partner = await world.partner();
      await inParallel(ports.unitOfWork, 10, async () => {
        const locked = await lock(partner);
        locked.domainCount += 1;
        await ports.partners.save(locked);
      });
      expect((await stored(partner)).domainCount).toBe(10);
    });

    test('a summary counts domains, their mailboxes and aliases, and keys; a partner without domains and keys has none', async () => {
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
      const counts = { id: partner.id, ref, domainsUsed: 2, mailboxes: 12, aliases: 23, keys: 1 };
      const summary = {
        ...counts,
        externalRef: null,
        name: null,
        suspensions: [],
        stopMessages: {},
        stage: null,
        ...BEGIN,
      };
      expect(await ports.partners.summary(ref)).toEqual(summary);
    });

    test('a suspended partner has a summary, and is read with its domains and keys', async () => {
      const [partner, other] = [await world.partner(), await world.partner()];
      const ref = partner.ref ?? world.ref();
      const suspensions = [{ cause: 'billing', stage: 'changes' }] as const;
      const change = (work: (locked: Partner) => void) =>
        ports.unitOfWork.run(async () => {
          const locked = await ports.partners.lock(partner.id);
          work(locked);
          await ports.partners.save(locked);
        });
      await change((locked) => locked.suspend('billing', 'changes'));
      expect(await ports.partners.summary(ref)).toMatchObject({ domainsUsed: 0, suspensions, stage: 'changes' });
      const parent = await world.domain(partner);
      const { name, id } = await world.domain(partner, { parentId: parent.id });
      const foreign = await world.domain(other);
      const key = await world.key(partner);
      const stages = async () => {
        const found = await ports.domains.findWithParent('all', name);
        return [
          found?.domain.partnerStage,
          found?.parent?.domain.partnerStage,
          (await ports.domains.find('all', name))?.partnerStage,
          (await ports.unitOfWork.run(() => ports.domains.lock('all', name)))?.partnerStage,
          (await ports.unitOfWork.run(() => ports.domains.lockById(id)))?.partnerStage,
          (await ports.keys.findByHash(key.tokenHash))?.key.partnerStage,
          (await ports.keys.find({ id: key.id }))?.partnerStage,
          (await ports.domains.find('all', foreign.name))?.partnerStage,
        ];
      };
      expect(await stages()).toEqual([...Array.from({ length: 7 }, () => 'changes'), null]);
      await change((locked) => locked.activate(null));
      expect(await stages()).toEqual(Array.from({ length: 8 }, () => null));
    });

    test('totals are the sums of the summaries, with the domains of no partner', async () => {
      const before = await ports.partners.totals();
      const partner = await world.partner();
      expect(await ports.partners.totals()).toEqual(before);
      await world.key(partner);
      for (const each of [partner, await world.partner(null)]) {
        await ports.unitOfWork.run(async () => {
          const locked = await ports.partners.lock(each.id);
          locked.domainCount += 2;
          await ports.partners.save(locked);
          const domain = await world.domain(each);
          await ports.domains.addToCounts(domain.id, { mailboxes: 3, aliases: 1 });
        });
      }
      expect(await ports.partners.totals()).toEqual({
        partners: before.partners + 1,
        domains: before.domains + 4,
        mailboxes: before.mailboxes + 6,
        aliases: before.aliases + 2,
      });
    });
  });
}
