import { type Alias, MAX_DESTINATIONS } from '../aliases/alias.js';
import type { AliasFilter } from '../aliases/alias-repository.js';
import { allRowsOf, type PartnerScope } from '../partners/partner-scope.js';
import { fieldsOf, foundInTwos, type RepositoryPorts, RepositoryWorld } from './repository-world.js';

/** The guarantees of every `AliasRepository`. */
export function aliasRepositoryContract(open: () => Promise<RepositoryPorts>): void {
  describe('the contract of an alias repository', () => {
    let ports: RepositoryPorts;
    let world: RepositoryWorld;
    beforeAll(async () => {
      ports = await open();
      world = new RepositoryWorld(ports);
    });

    const ids = (aliases: { id: number }[]) => aliases.map(({ id }) => id);
    const walk = async (scope: PartnerScope, filter: AliasFilter) =>
      ids(await foundInTwos(ports.aliases.search(scope, filter)));

    test('add sets an id and stores every field, with and without a mailbox', async () => {
      const domain = await world.domain(await world.partner());
      const mailbox = await world.mailbox(domain, 'm');
      for (const mailboxId of [mailbox.id, null]) {
        const alias = await world.alias(domain, `a${mailboxId}`, mailbox.email, mailboxId);
        expect(alias.id).toEqual(expect.any(Number));
        expect(fieldsOf(await ports.aliases.find('all', alias.id))).toEqual(fieldsOf(alias));
      }
    });

    test('add refuses a destination that the address already has, and accepts another one', async () => {
      const domain = await world.domain(await world.partner());
      await world.alias(domain, 'a', 'x@out.example');
      await expect(world.alias(domain, 'a', 'x@out.example')).rejects.toMatchObject({ code: 'alias_exists' });
      expect((await world.alias(domain, 'a', 'y@out.example')).id).toEqual(expect.any(Number));
    });

    test("another partner's alias is absent in every method with a scope", async () => {
      const [owner, stranger] = [await world.partner(), await world.partner()];
      const { id, address, destination } = await world.alias(await world.domain(owner), 'a', 'x@out.example');
      expect(await ports.aliases.find(allRowsOf(stranger.id), id)).toBeNull();
      expect(await ports.aliases.ofAddress(allRowsOf(stranger.id), address)).toEqual([]);
      expect(await walk(allRowsOf(stranger.id), { address })).toEqual([]);
      expect(await ports.aliases.countTo(allRowsOf(stranger.id), destination, 9)).toBe(0);
      for (const scope of [allRowsOf(owner.id), 'all'] as const) {
        expect((await ports.aliases.find(scope, id))?.id).toBe(id);
        expect(ids(await ports.aliases.ofAddress(scope, address))).toEqual([id]);
        expect(await walk(scope, { address })).toEqual([id]);
      }
      expect(await ports.aliases.find('all', Number.MAX_SAFE_INTEGER)).toBeNull();
    });

    test('the aliases of an address are ordered by id, at most the maximum of one address', async () => {
      const domain = await world.domain(await world.partner());
      const made: Alias[] = [];
      for (let index = 0; index <= MAX_DESTINATIONS; index += 1) {
        made.push(await world.alias(domain, 'a', `x${index}@out.example`));
      }
      const found = await ports.aliases.ofAddress('all', `a@${domain.name}`);
      expect(ids(found)).toEqual(ids(made.slice(0, MAX_DESTINATIONS)));
    });

    test('lists are ordered by id, in pages, with every filter', async () => {
      const partner = await world.partner();
      const [first, second] = [await world.domain(partner), await world.domain(partner)];
      const foreign = await world.domain(await world.partner());
      const destination = `Mixed.Case@${first.name}`;
      const made: Alias[] = [];
      for (const [domain, localPart, to] of [
        [first, 'a', destination],
        [second, 'b', destination],
        [foreign, 'a', destination],
        [first, 'c', destination.toLowerCase()],
        [first, 'a', 'other@out.example'],
      ] as const) {
        made.push(await world.alias(domain, localPart, to));
      }
      const at = (...indexes: number[]) => indexes.map((index) => made[index]?.id);
      expect(await walk(allRowsOf(partner.id), {})).toEqual(at(0, 1, 3, 4));
      expect(await walk('all', partner.ref === null ? {} : { partnerRef: partner.ref })).toEqual(at(0, 1, 3, 4));
      expect(await walk(allRowsOf(partner.id), { domain: first.name })).toEqual(at(0, 3, 4));
      expect(await walk(allRowsOf(partner.id), { address: `a@${first.name}` })).toEqual(at(0, 4));
      expect(await walk(allRowsOf(partner.id), { destination })).toEqual(at(0, 1, 3));
      expect(await walk('all', { destination })).toEqual(at(0, 1, 2, 3));
    });

    test('countTo counts the aliases of a partner that deliver to a destination, up to a maximum', async () => {
      const partner = await world.partner();
      const domain = await world.domain(partner);
      const destination = `x@${world.name()}`;
      for (const localPart of ['a', 'b', 'c']) await world.alias(domain, localPart, destination);
      await world.alias(domain, 'd', 'y@out.example');
      await world.alias(await world.domain(await world.partner()), 'a', destination);
      expect(await ports.aliases.countTo(allRowsOf(partner.id), destination, 9)).toBe(3);
      expect(await ports.aliases.countTo(allRowsOf(partner.id), destination, 2)).toBe(2);
      const elsewhere = await world.domain(partner);
      await world.alias(elsewhere, 'e', destination);
      expect(await ports.aliases.countTo({ partnerId: partner.id, domainIds: [elsewhere.id] }, destination, 9)).toBe(1);
      expect(await ports.aliases.countTo({ partnerId: partner.id, domainIds: [] }, destination, 9)).toBe(0);
    });

    test('save writes the destination alone, and refuses one that the address already has', async () => {
      const domain = await world.domain(await world.partner(), { aliasCount: 2 });
      const mailbox = await world.mailbox(domain, 'm');
      const alias = await world.alias(domain, 'a', 'x@out.example');
      const sibling = await world.alias(domain, 'a', 'y@out.example');
      const changed = Object.assign(alias, { destination: mailbox.email, destinationMailboxId: mailbox.id });
      await ports.unitOfWork.run(() => ports.aliases.save(changed));
      expect(await ports.aliases.find('all', alias.id)).toEqual(changed);
      expect(await ports.aliases.find('all', sibling.id)).toEqual(sibling);
      expect((await ports.domains.find('all', domain.name))?.aliasCount).toBe(2);
      Object.assign(sibling, { destination: mailbox.email, destinationMailboxId: mailbox.id });
      await expect(ports.unitOfWork.run(() => ports.aliases.save(sibling))).rejects.toMatchObject({
        code: 'alias_exists',
      });
    });

    test('remove deletes the given aliases and lowers the counts of their domains', async () => {
      const partner = await world.partner();
      const [first, second] = [
        await world.domain(partner, { aliasCount: 9 }),
        await world.domain(partner, { aliasCount: 9 }),
      ];
      const gone = [
        await world.alias(first, 'a', 'x@out.example'),
        await world.alias(first, 'b', 'x@out.example'),
        await world.alias(second, 'a', 'x@out.example'),
      ];
      const kept = await world.alias(second, 'b', 'x@out.example');
      await ports.unitOfWork.run(() => ports.aliases.remove(gone));
      expect(await walk(allRowsOf(partner.id), {})).toEqual([kept.id]);
      expect((await ports.domains.find('all', first.name))?.aliasCount).toBe(7);
      expect((await ports.domains.find('all', second.name))?.aliasCount).toBe(8);
      await ports.unitOfWork.run(() => ports.aliases.remove([]));
      expect(await walk(allRowsOf(partner.id), {})).toEqual([kept.id]);
    });

    test('crossing finds the aliases from and to mailboxes of other domains, up to a maximum', async () => {
      const partner = await world.partner();
      const [domain, other] = [await world.domain(partner), await world.domain(partner)];
      const [inside, outside] = [await world.mailbox(domain, 'm'), await world.mailbox(other, 'm')];
      const crossing = [
        await world.alias(domain, 'a', outside.email, outside.id),
        await world.alias(other, 'a', inside.email, inside.id),
      ];
      await world.alias(domain, 'b', inside.email, inside.id);
      await world.alias(other, 'b', outside.email, outside.id);
      await world.alias(domain, 'c', 'x@out.example');
      expect(ids(await ports.aliases.crossing(domain.id, 9))).toEqual(ids(crossing));
      expect(ids(await ports.aliases.crossing(domain.id, 1))).toEqual(ids(crossing.slice(0, 1)));
    });
  });
}
