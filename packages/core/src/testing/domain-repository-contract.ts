import type { Domain } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import { allRowsOf, type PartnerScope } from '../partners/partner-scope.js';
import { aDomain } from './builders.js';
import {
  AT,
  changeTenTimes,
  type DataOf,
  fieldsOf,
  inPagesOfTwo,
  inParallel,
  type RepositoryPorts,
  RepositoryWorld,
} from './repository-world.js';

type Unsaved =
  | 'id'
  | 'name'
  | 'createdAt'
  | 'restoredAt'
  | 'mailboxCount'
  | 'aliasCount'
  | 'usageDay'
  | 'usageMailboxes';

/** A value for each field that `save` writes, all different from those of a new domain. */
function everyField(
  parent: Domain,
): DataOf<Domain, Unsaved | 'partnerId' | 'partnerRef' | 'partnerStage' | 'status' | 'isStopped'> {
  return {
    heldSince: new Date(AT.getTime() + 9),
    plan: 'business',
    retentionDays: 30,
    retentionDaysBefore: 90,
    retentionLoweredAt: new Date(AT.getTime() + 1),
    retentionLowerings: [{ days: 30, from: AT.getTime() + 5, remindAt: AT.getTime() + 6 }],
    retentionReminderAt: new Date(AT.getTime() + 6),
    transferMonthlyMb: 5_000_000,
    suspensionCauses: ['operator', 'billing'],
    stopMessages: { billing: 'Please call.' },
    outboundTier: 'high',
    outboundEnforcement: 'monitor',
    outboundStatus: 'blocked',
    blockedReason: 'bounce_rate',
    blockedAt: new Date(AT.getTime() + 2),
    bounceWindowStart: new Date(AT.getTime() + 3),
    operatorDailyLimit: 11,
    operatorMonthlyLimit: 12,
    temporaryDailyLimit: 15,
    temporaryMonthlyLimit: 16,
    temporaryLimitsUntil: new Date(AT.getTime() + 10),
    clientDailyLimit: 13,
    clientMonthlyLimit: 14,
    parentId: parent.id,
    wildcardMode: 'any',
    inheritedUntil: new Date(AT.getTime() + 4),
    inbound: 'pending',
    pendingSince: new Date(AT.getTime() + 7),
    expiryNotifiedAt: new Date(AT.getTime() + 8),
    externalRef: 'Ünï 17 🦊',
    externalSenders: 'refuse',
    billingRef: 'sub_17',
    revision: 9,
  };
}

/** The guarantees of every `DomainRepository`. */
export function domainRepositoryContract(open: () => Promise<RepositoryPorts>): void {
  describe('the contract of a domain repository', () => {
    let ports: RepositoryPorts;
    let world: RepositoryWorld;
    beforeAll(async () => {
      ports = await open();
      world = new RepositoryWorld(ports);
    });

    const stored = async ({ name }: Domain) => {
      const found = await ports.domains.find('all', name);
      if (found === null) throw new Error(`${name} is not stored`);
      return found;
    };
    const locking = (scope: PartnerScope, name: DomainName) =>
      ports.unitOfWork.run(() => ports.domains.lock(scope, name));

    test('add sets an id and stores every field', async () => {
      const partner = await world.partner();
      const fields = everyField(await world.domain(partner));
      const domain = await world.domain(partner, { ...fields, createdAt: AT, mailboxCount: 3, aliasCount: 4 });
      expect(domain.id).toEqual(expect.any(Number));
      expect(fieldsOf(await stored(domain))).toEqual(fieldsOf(domain));
    });

    test('add stores null fields as null, and a domain of no partner', async () => {
      const domain = await world.domain(await world.partner(null));
      expect(fieldsOf(await stored(domain))).toEqual(fieldsOf(domain));
    });

    test('add refuses a name that exists, even when it belongs to another partner', async () => {
      const { name } = await world.domain(await world.partner());
      await expect(world.domain(await world.partner(), { name })).rejects.toMatchObject({ code: 'domain_exists' });
    });

    test('save writes every field except id, name, creation time and counts, and only of this domain', async () => {
      const [partner, newOwner] = [await world.partner(), await world.partner()];
      const [domain, other] = [await world.domain(partner), await world.domain(partner)];
      const fields = { ...everyField(other), partnerId: newOwner.id };
      const unsaved = { name: world.name(), createdAt: new Date(0), mailboxCount: 98, aliasCount: 99 };
      await ports.unitOfWork.run(() =>
        ports.domains.save(Object.assign(aDomain({}), { ...fieldsOf(domain), ...fields, ...unsaved })),
      );
      expect(fieldsOf(await stored(domain))).toEqual({ ...fieldsOf(domain), ...fields, partnerRef: newOwner.ref });
      expect(fieldsOf(await stored(other))).toEqual(fieldsOf(other));
    });

    test('save sets every field back to null', async () => {
      const domain = await world.domain(await world.partner());
      const plain = fieldsOf(domain);
      await ports.unitOfWork.run(() => ports.domains.save(Object.assign(domain, everyField(domain))));
      await ports.unitOfWork.run(() => ports.domains.save(Object.assign(domain, plain)));
      expect(fieldsOf(await stored(domain))).toEqual(plain);
    });

    test("another partner's domain is absent in every method with a scope", async () => {
      const [owner, stranger] = [await world.partner(), await world.partner()];
      const { id, name } = await world.domain(owner);
      const ids = async (scope: PartnerScope) =>
        (await ports.domains.page(scope, {}, { after: id - 1, limit: 1 })).map((summary) => summary.id);
      expect(await ports.domains.find(allRowsOf(stranger.id), name)).toBeNull();
      expect(await locking(allRowsOf(stranger.id), name)).toBeNull();
      expect(await ports.domains.findWithParent(allRowsOf(stranger.id), name)).toBeNull();
      expect(await ids(allRowsOf(stranger.id))).toEqual([]);
      for (const scope of [allRowsOf(owner.id), 'all'] as const) {
        expect((await ports.domains.find(scope, name))?.id).toBe(id);
        expect((await locking(scope, name))?.id).toBe(id);
        expect((await ports.domains.findWithParent(scope, name))?.domain.id).toBe(id);
        expect(await ids(scope)).toEqual([id]);
      }
    });

    test('null is returned for a domain that does not exist', async () => {
      const name = world.name();
      expect(await ports.domains.find('all', name)).toBeNull();
      expect(await ports.domains.findWithParent('all', name)).toBeNull();
      expect(await locking('all', name)).toBeNull();
      expect(await ports.unitOfWork.run(() => ports.domains.lockById(Number.MAX_SAFE_INTEGER))).toBeNull();
    });

    test('a domain is returned with its verification, its parent, and the verification of the parent', async () => {
      const partner = await world.partner();
      const parent = await world.domain(partner, everyField(await world.domain(partner)), { status: 'verified' });
      const child = await world.domain(partner, { parentId: parent.id }, { status: 'pending' });
      const found = await ports.domains.findWithParent('all', child.name);
      expect(found).toMatchObject({ domain: fieldsOf(child), verification: { domainId: child.id, status: 'pending' } });
      expect(found?.parent).toMatchObject({ domain: fieldsOf(parent), verification: { status: 'verified' } });
      expect((await ports.domains.findWithParent('all', parent.name))?.parent?.domain.name).not.toBe(child.name);
    });

    test('look-ups at the same time find domains with and without a parent', async () => {
      const partner = await world.partner();
      const parent = await world.domain(partner);
      const child = await world.domain(partner, { parentId: parent.id });
      const names = [child.name, world.name(), parent.name, child.name];
      const found = await Promise.all(names.map((name) => ports.domains.findWithParent('all', name)));
      expect(found.map((each) => [each?.domain.id, each?.parent?.domain.id])).toEqual([
        [child.id, parent.id],
        [undefined, undefined],
        [parent.id, undefined],
        [child.id, parent.id],
      ]);
    });

    test('a domain has reasons for attention from the commit of the first to that of the last', async () => {
      const partner = await world.partner();
      const parent = await world.domain(partner);
      const hasReasons = async ({ name }: Domain) => (await ports.domains.findWithParent('all', name))?.hasReasons;
      for (const domain of [await world.domain(partner), await world.domain(partner, { parentId: parent.id })]) {
        const suspend = (causes: Domain['suspensionCauses']) =>
          ports.unitOfWork.run(async () => {
            const locked = await ports.domains.lock('all', domain.name);
            if (locked === null) throw new Error('The domain exists');
            locked.suspensionCauses = causes;
            await ports.domains.save(locked);
          });
        expect(await hasReasons(domain)).toBe(false);
        await suspend(['operator']);
        expect(await hasReasons(domain)).toBe(true);
        await suspend([]);
        expect(await hasReasons(domain)).toBe(false);
      }
    });

    test.each([
      ['lock', (domain: Domain) => ports.domains.lock('all', domain.name)],
      ['lockById', (domain: Domain) => ports.domains.lockById(domain.id)],
      ['lockChildren', async (domain: Domain) => (await ports.domains.lockChildren(domain.parentId ?? 0))[0] ?? null],
    ])('%s makes concurrent units of work wait, so that no change is lost', async (_, lock) => {
      const partner = await world.partner();
      const parent = await world.domain(partner);
      const domain = await world.domain(partner, { parentId: parent.id });
      const lockRow = () => lock(domain);
      await changeTenTimes(ports.unitOfWork, lockRow, async (locked) => {
        locked.transferMonthlyMb += 1;
        await ports.domains.save(locked);
      });
      expect((await stored(domain)).transferMonthlyMb).toBe(10);
    });

    test('lockChildren locks only the children, in the order of their ids', async () => {
      const partner = await world.partner();
      const parent = await world.domain(partner);
      const children = [
        await world.domain(partner, { parentId: parent.id }),
        await world.domain(partner, { parentId: parent.id }),
      ];
      await world.domain(partner);
      const locked = await ports.unitOfWork.run(() => ports.domains.lockChildren(parent.id));
      expect(locked.map(({ id }) => id)).toEqual(children.map(({ id }) => id));
    });

    test('a page starts after an id, is ordered by id, and can be limited to one partner', async () => {
      const [partner, other] = [await world.partner(), await world.partner()];
      const made: Domain[] = [];
      for (const owner of [partner, other, partner, partner]) made.push(await world.domain(owner));
      const own = made
        .filter(({ partnerId }) => partnerId === partner.id)
        .map(({ id, name, createdAt }) => ({ id, name, createdAt }));
      expect(await inPagesOfTwo((page) => ports.domains.page(allRowsOf(partner.id), {}, page))).toEqual(own);
      const filter = partner.ref === null ? {} : { partnerRef: partner.ref };
      expect(await inPagesOfTwo((page) => ports.domains.page('all', filter, page))).toEqual(own);
      expect(await ports.domains.page(allRowsOf(other.id), filter, { after: 0, limit: 9 })).toEqual([]);
    });

    test('withRetention returns pages of the domains with a limited retention only', async () => {
      const partner = await world.partner();
      const kept = [];
      for (const retentionDays of [30, 0, 7, 1]) kept.push(await world.domain(partner, { retentionDays }));
      const before = (kept[0]?.id ?? 0) - 1;
      const found = await ports.domains.withRetention({ after: before, limit: 100 });
      expect(found.map(({ id }) => id)).toEqual(kept.filter((domain) => domain.retentionDays > 0).map(({ id }) => id));
      expect(fieldsOf(found[0])).toEqual(fieldsOf(kept[0]));
      expect(await ports.domains.withRetention({ after: before, limit: 2 })).toHaveLength(2);
    });

    test('withRetentionReminder returns pages of the domains with a due reminder', async () => {
      const partner = await world.partner();
      const at = (ms: number) => new Date(AT.getTime() + ms);
      const made = [];
      for (const reminder of [at(1), at(2), null, at(3)]) {
        made.push(await world.domain(partner, { retentionReminderAt: reminder }));
      }
      const after = (made[0]?.id ?? 0) - 1;
      const due = await ports.domains.withRetentionReminder(at(2), { after, limit: 100 });
      expect(due.map(({ id }) => id)).toEqual([made[0]?.id, made[1]?.id]);
      expect(await ports.domains.withRetentionReminder(at(2), { after, limit: 1 })).toHaveLength(1);
    });

    test('neverOpen returns pages of the pending domains that wait long enough, announced or not', async () => {
      const partner = await world.partner();
      const at = (ms: number) => new Date(AT.getTime() + ms);
      const waiting = (fields: Partial<Domain>) =>
        world.domain(partner, { inbound: 'pending', pendingSince: at(1), expiryNotifiedAt: null, ...fields });
      const early = await waiting({});
      const announced = await waiting({ expiryNotifiedAt: at(5) });
      await waiting({ pendingSince: at(2) });
      await waiting({ pendingSince: null });
      await waiting({ inbound: 'open' });
      const after = early.id - 1;
      const names = async (notifiedUntil: Date | null, limit = 100) =>
        (await ports.domains.neverOpen(at(1), notifiedUntil, { after, limit })).map(({ name }) => name);
      expect(await names(null)).toEqual([early.name]);
      expect(await names(at(4))).toEqual([]);
      expect(await names(at(5))).toEqual([announced.name]);
      await waiting({});
      expect(await names(null, 1)).toEqual([early.name]);
    });

    test('openPendingChildren opens the children of one parent that were never open and need no proof', async () => {
      const partner = await world.partner();
      const parent = await world.domain(partner);
      const child = (fields: Partial<Domain>, ownershipRequired = false) =>
        world.domain(
          partner,
          { parentId: parent.id, inbound: 'pending', pendingSince: AT, expiryNotifiedAt: AT, ...fields },
          { ownershipRequired },
        );
      const opened = await child({});
      const kept = [await child({ pendingSince: null }), await child({}, true), await child({ parentId: opened.id })];
      await ports.unitOfWork.run(() => ports.domains.openPendingChildren(parent.id));
      expect(await stored(opened)).toMatchObject({ inbound: 'open', pendingSince: null, expiryNotifiedAt: null });
      for (const domain of kept) expect(fieldsOf(await stored(domain))).toEqual(fieldsOf(domain));
    });

    test('ancestors returns the given names that exist, with their verification', async () => {
      const partner = await world.partner();
      const domain = await world.domain(partner, {}, { status: 'verified' });
      const { id, name, wildcardMode, parentId } = domain;
      const expected = { id, name, partnerId: partner.id, wildcardMode, parentId, verificationStatus: 'verified' };
      expect(await ports.domains.ancestors([name, world.name()])).toEqual([expected]);
      expect(await ports.domains.ancestors([])).toEqual([]);
    });

    test('addToCounts loses no change of concurrent calls', async () => {
      const domain = await world.domain(await world.partner());
      await inParallel(ports.unitOfWork, 10, () => ports.domains.addToCounts(domain.id, { mailboxes: 1, aliases: 2 }));
      await ports.unitOfWork.run(() => ports.domains.addToCounts(domain.id, { aliases: -5 }));
      expect(await stored(domain)).toMatchObject({ mailboxCount: 10, aliasCount: 15 });
    });
  });
}
