import { DAY_MS } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import type { TombstoneRepository } from '../domains/tombstone-repository.js';
import { systemActor } from '../operators/actor.js';
import type { Partner } from '../partners/partner.js';
import { allRowsOf } from '../partners/partner-scope.js';
import { PurgeSuppressions } from '../suppressions/purge-suppressions.js';
import { Suppression, WHOLE_PARTNER } from '../suppressions/suppression.js';
import type { SuppressedAddress } from '../suppressions/suppression-address.js';
import { type EventSuppression, type Suppressions, suppressionKey } from '../suppressions/suppressions.js';
import { FixedClock } from './fixed-clock.js';
import { foundInTwos, type RepositoryPorts, RepositoryWorld } from './repository-world.js';

type Ports = Omit<RepositoryPorts, 'keys'> & { suppressions: Suppressions; tombstones: TombstoneRepository };

const NOW = new Date('2026-03-15T12:00:00.000Z');
const at = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const addressOf = (name: string) => `${name}@out.example` as SuppressedAddress;
const MOST = 100_000;

/** The guarantees of every `Suppressions`, with the tombstones of the same database. */
export function suppressionsContract(open: () => Promise<Ports>): void {
  describe('the contract of suppressions', () => {
    let ports: Ports;
    let world: RepositoryWorld;
    beforeAll(async () => {
      ports = await open();
      world = new RepositoryWorld({ ...ports, keys: undefined as never });
    });

    const add = (partner: Partner, name: string, fields: Partial<Suppression> = {}) =>
      ports.unitOfWork.run(() =>
        ports.suppressions.add(
          Suppression.create({
            partnerId: partner.id,
            partnerRef: partner.ref,
            domainId: WHOLE_PARTNER,
            domain: null,
            address: addressOf(name),
            reason: 'manual',
            note: null,
            since: NOW,
            expiresAt: null,
            ...fields,
          }),
        ),
      );
    const ofDomain = ({ id, name }: Domain) => ({ domainId: id, domain: name });
    const bounce = (partner: Partner, domain: Domain, name: string, days = 90): EventSuppression => ({
      partnerId: partner.id,
      domainId: domain.id,
      address: addressOf(name),
      reason: 'bounce',
      since: NOW,
      expiresAt: at(days),
    });
    const complaint = (partner: Partner, domain: Domain, name: string, days = 365): EventSuppression => ({
      ...bounce(partner, domain, name, days),
      reason: 'complaint',
    });
    const addEvents = (partner: Partner, events: EventSuppression[], most = MOST, now = NOW) =>
      ports.unitOfWork.run(async () => {
        await ports.partners.lock(partner.id);
        return ports.suppressions.addFromEvents(partner.id, events, { now, most });
      });
    const listed = (partner: Partner, now = NOW) =>
      foundInTwos(ports.suppressions.search(allRowsOf(partner.id), {}, now));
    const names = (rows: Suppression[]) => rows.map(({ address }) => address.split('@')[0]);
    const countOf = async ({ id }: Partner) =>
      (await ports.unitOfWork.run(() => ports.partners.lock(id))).suppressionCount;
    const refuses = async (partner: Partner, domain: Domain, name: string, now = NOW) => {
      const query = { partnerId: partner.id, domainId: domain.id, address: addressOf(name) };
      return (await ports.suppressions.suppressed([query], now)).has(suppressionKey(query));
    };
    const someone = async () => {
      const partner = await world.partner();
      return { partner, domain: await world.domain(partner) };
    };

    test('a row is read as it was written, by its id and in the list', async () => {
      const { partner, domain } = await someone();
      const fields = { ...ofDomain(domain), reason: 'complaint', note: 'Bücher 🦊', expiresAt: at(1) } as const;
      const { id } = await add(partner, 'one', fields);
      const unlifted = { spelling: null, lift: null };
      const common = { id, partnerId: partner.id, partnerRef: partner.ref, address: addressOf('one'), since: NOW };
      const expected = { ...common, ...unlifted };
      expect(await ports.suppressions.find('all', id, NOW)).toEqual({ ...expected, ...fields });
      expect(await listed(partner)).toEqual([{ ...expected, ...fields }]);
    });

    test('an address is unique for a domain and for the partner as a whole, each of which may have it', async () => {
      const { partner, domain } = await someone();
      await add(partner, 'same');
      await add(partner, 'same', ofDomain(domain));
      await expect(add(partner, 'same')).rejects.toThrow();
      await expect(add(partner, 'same', ofDomain(domain))).rejects.toThrow();
      expect(await countOf(partner)).toBe(2);
    });

    test('a row has its domain or all domains of its partner, and no other partner', async () => {
      const [one, two] = [await someone(), await someone()];
      const sibling = await world.domain(one.partner);
      await add(one.partner, 'own', ofDomain(one.domain));
      await add(one.partner, 'all');
      expect(await refuses(one.partner, one.domain, 'own')).toBe(true);
      expect(await refuses(one.partner, sibling, 'own')).toBe(false);
      expect(await refuses(one.partner, sibling, 'all')).toBe(true);
      expect(await refuses(two.partner, two.domain, 'own')).toBe(false);
      expect(await refuses(two.partner, two.domain, 'all')).toBe(false);
    });

    test('many recipients of many domains are looked up at once', async () => {
      const { partner } = await someone();
      const domains = await Promise.all(Array.from({ length: 3 }, () => world.domain(partner)));
      for (const domain of domains) await addEvents(partner, [bounce(partner, domain, domain.name)]);
      const queries = domains.flatMap(({ id: domainId }) =>
        domains.map(({ name }) => ({ partnerId: partner.id, domainId, address: addressOf(name) })),
      );
      const found = await ports.suppressions.suppressed(queries, NOW);
      const expected = domains.map(({ id, name }) => suppressionKey({ domainId: id, address: addressOf(name) }));
      expect(new Set(found.keys())).toEqual(new Set(expected));
      expect(await ports.suppressions.suppressed([], NOW)).toEqual(new Map());
    });

    test('an expired row is absent at once, and counts until it is deleted', async () => {
      const { partner, domain } = await someone();
      const { id } = await add(partner, 'old', { ...ofDomain(domain), reason: 'bounce', expiresAt: at(1) });
      expect(await refuses(partner, domain, 'old', new Date(at(1).getTime() - 1))).toBe(true);
      expect(await refuses(partner, domain, 'old', at(1))).toBe(false);
      expect(await ports.suppressions.find('all', id, at(1))).toBeNull();
      expect(await listed(partner, at(1))).toEqual([]);
      expect(await countOf(partner)).toBe(1);
      await add(partner, 'manual');
      await new PurgeSuppressions(ports.unitOfWork, ports.partners, ports.suppressions, clockAt(at(1))).execute();
      expect(await countOf(partner)).toBe(1);
      expect(names(await listed(partner, NOW))).toEqual(['manual']);
    });

    test('the list filters by domain, reason and the beginning of the address, within the scope', async () => {
      const { partner, domain } = await someone();
      await add(partner, 'anna');
      await add(partner, 'anton', ofDomain(domain));
      await addEvents(partner, [bounce(partner, domain, 'berta'), complaint(partner, domain, 'anders')]);
      const find = async (filter: Parameters<Suppressions['search']>[1], scope = allRowsOf(partner.id)) =>
        names(await foundInTwos(ports.suppressions.search(scope, filter, NOW)));
      expect((await find({ begins: 'an' })).sort()).toEqual(['anders', 'anna', 'anton']);
      expect((await find({ domain: domain.name })).sort()).toEqual(['anders', 'anton', 'berta']);
      expect(await find({ reason: 'bounce' })).toEqual(['berta']);
      expect(await find({ domain: domain.name, reason: 'manual', begins: 'ant' })).toEqual(['anton']);
      expect(await find({ begins: null })).toEqual([]);
      expect((await find({}, { partnerId: partner.id, domainIds: [domain.id] })).sort()).toEqual([
        'anders',
        'anton',
        'berta',
      ]);
      expect(await find({}, { partnerId: partner.id, domainIds: [] })).toEqual([]);
      const other = await someone();
      expect(await find({ domain: domain.name }, allRowsOf(other.partner.id))).toEqual([]);
      expect(await find({ partnerRef: other.partner.ref ?? undefined })).toEqual([]);
    });

    test('an event lengthens a row, a complaint replaces a bounce, and what a caller made does not expire', async () => {
      const { partner, domain } = await someone();
      await add(partner, 'manual', { ...ofDomain(domain), note: 'wished' });
      const earlier = { since: at(-1), expiresAt: at(89) };
      await addEvents(partner, [
        { ...bounce(partner, domain, 'again'), ...earlier },
        bounce(partner, domain, 'worse'),
        complaint(partner, domain, 'stays'),
      ]);
      const again = [bounce(partner, domain, 'again'), complaint(partner, domain, 'worse')];
      const others = [bounce(partner, domain, 'stays'), bounce(partner, domain, 'manual')];
      expect(await addEvents(partner, [...again, ...others, bounce(partner, domain, 'again', 10)])).toBe(0);
      expect(await listed(partner)).toMatchObject([
        { address: addressOf('manual'), reason: 'manual', expiresAt: null, note: 'wished' },
        { address: addressOf('again'), reason: 'bounce', since: at(-1), expiresAt: at(90) },
        { address: addressOf('worse'), reason: 'complaint', expiresAt: at(365) },
        { address: addressOf('stays'), reason: 'complaint', expiresAt: at(365) },
      ]);
      await addEvents(partner, [complaint(partner, domain, 'manual')]);
      expect((await listed(partner))[0]).toMatchObject({ reason: 'complaint', expiresAt: null, note: 'wished' });
      expect(await countOf(partner)).toBe(4);
    });

    test('an expired row begins anew with an event', async () => {
      const { partner, domain } = await someone();
      await addEvents(partner, [complaint(partner, domain, 'back', 1)]);
      const late = { ...bounce(partner, domain, 'back'), since: at(2), expiresAt: at(92) };
      expect(await addEvents(partner, [late], MOST, at(2))).toBe(0);
      expect(await listed(partner, at(2))).toMatchObject([{ reason: 'bounce', since: at(2), expiresAt: at(92) }]);
      expect(await countOf(partner)).toBe(1);
    });

    test('at the limit the bounce that expires first gives way; without one the event is left out', async () => {
      const { partner, domain } = await someone();
      await add(partner, 'manual');
      await addEvents(partner, [
        bounce(partner, domain, 'second', 2),
        bounce(partner, domain, 'first', 1),
        complaint(partner, domain, 'complaint', 1),
      ]);
      expect(await addEvents(partner, [bounce(partner, domain, 'new', 90)], 4)).toBe(1);
      expect(names(await listed(partner)).sort()).toEqual(['complaint', 'manual', 'new', 'second']);
      const more = [
        complaint(partner, domain, 'c1'),
        complaint(partner, domain, 'c2'),
        complaint(partner, domain, 'c3'),
      ];
      expect(await addEvents(partner, [...more, bounce(partner, domain, 'new', 100)], 4)).toBe(1);
      expect(names(await listed(partner)).sort()).toEqual(['c1', 'complaint', 'manual', 'new']);
      expect(await countOf(partner)).toBe(4);
    });

    test('expired rows give way before bounces do', async () => {
      const { partner, domain } = await someone();
      await addEvents(partner, [complaint(partner, domain, 'expired', 1), bounce(partner, domain, 'kept')]);
      expect(await addEvents(partner, [bounce(partner, domain, 'new')], 2, at(1))).toBe(1);
      expect(names(await listed(partner, at(1))).sort()).toEqual(['kept', 'new']);
      expect(await countOf(partner)).toBe(2);
    });

    test('a hundred events at once are counted exactly, and never exceed the limit', async () => {
      const { partner, domain } = await someone();
      const events = Array.from({ length: 100 }, (_, index) => bounce(partner, domain, `r${index % 50}`, index + 1));
      await Promise.all(events.map((event) => addEvents(partner, [event], 30)));
      expect(await countOf(partner)).toBe(30);
      expect(await listed(partner)).toHaveLength(30);
    });

    test('of a deleted domain nothing is seen, and the next domain of the name has it again', async () => {
      const { partner, domain } = await someone();
      const { id } = await add(partner, 'gone', ofDomain(domain));
      await add(partner, 'whole');
      await ports.unitOfWork.run(() =>
        ports.tombstones.moveDomainAside(domain, { actor: systemActor('test'), at: NOW, expiresAt: at(7) }),
      );
      expect(names(await listed(partner))).toEqual(['whole']);
      expect(await ports.suppressions.find('all', id, NOW)).toBeNull();
      const heir = await world.domain(partner, { name: domain.name });
      await addEvents(partner, [bounce(partner, heir, 'gone'), bounce(partner, heir, 'fresh')]);
      await ports.unitOfWork.run(async () => {
        const { own } = await ports.tombstones.ofName(domain.name, partner.id, at(1));
        if (own === null) throw new Error('There is no tombstone');
        await ports.tombstones.handOver(own, heir, at(1));
      });
      expect(await refuses(partner, heir, 'gone')).toBe(true);
      expect(names(await listed(partner)).sort()).toEqual(['fresh', 'gone', 'whole']);
      expect(await countOf(partner)).toBe(3);
    });

    test('when a name is handed over, a complaint is kept on either side', async () => {
      const { partner, domain } = await someone();
      await addEvents(partner, [complaint(partner, domain, 'given'), bounce(partner, domain, 'own')]);
      await ports.unitOfWork.run(() =>
        ports.tombstones.moveDomainAside(domain, { actor: systemActor('test'), at: NOW, expiresAt: at(7) }),
      );
      const heir = await world.domain(partner, { name: domain.name });
      await addEvents(partner, [bounce(partner, heir, 'given'), complaint(partner, heir, 'own')]);
      await ports.unitOfWork.run(async () => {
        const { own } = await ports.tombstones.ofName(domain.name, partner.id, at(1));
        if (own !== null) await ports.tombstones.handOver(own, heir, at(1));
      });
      const rows = await listed(partner);
      const kept = rows.map(({ address, reason, domainId }) => `${address} ${reason} ${domainId}`);
      expect(kept.sort()).toEqual([
        `${addressOf('given')} complaint ${heir.id}`,
        `${addressOf('own')} complaint ${heir.id}`,
      ]);
      expect(await countOf(partner)).toBe(2);
    });

    test('rows move with their domain, without notes and without manual ones', async () => {
      const [{ partner, domain }, target] = [await someone(), await world.partner()];
      await add(partner, 'whole');
      await add(partner, 'manual', ofDomain(domain));
      await add(partner, 'noted', { ...ofDomain(domain), reason: 'bounce', note: 'mine', expiresAt: at(9) });
      await ports.unitOfWork.run(async () => {
        const moved = Object.assign(domain, { partnerId: target.id, partnerRef: target.ref });
        await ports.domains.save(moved);
        await ports.domains.moveContents(moved);
      });
      expect(names(await listed(partner))).toEqual(['whole']);
      expect(await listed(target)).toMatchObject([{ address: addressOf('noted'), note: null, reason: 'bounce' }]);
      expect(await refuses(target, domain, 'noted')).toBe(true);
      expect([await countOf(partner), await countOf(target)]).toEqual([1, 1]);
    });

    test('only open domains of the platform are its own', async () => {
      const { partner, domain } = await someone();
      const pending = await world.domain(partner, { inbound: 'pending' });
      const found = await ports.suppressions.openDomains([domain.name, pending.name, 'outside.example']);
      expect(found).toEqual(new Set([domain.name]));
    });
  });
}

function clockAt(time: Date): FixedClock {
  const clock = new FixedClock();
  clock.set(time);
  return clock;
}
