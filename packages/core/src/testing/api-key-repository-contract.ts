import type { ApiKey } from '../api-keys/api-key.js';
import type { Partner } from '../partners/partner.js';
import {
  AT,
  changeTenTimes,
  type DataOf,
  fieldsOf,
  foundInTwos,
  inPagesOfTwo,
  type RepositoryPorts,
  RepositoryWorld,
} from './repository-world.js';

type Unsaved =
  | 'id'
  | 'partnerId'
  | 'partnerRef'
  | 'partnerStage'
  | 'tokenHash'
  | 'tokenMask'
  | 'createdAt'
  | 'lastUsedAt'
  | Listed;
/** Written by `saveDomains` and `handOver`. */
type Listed = 'isLimited' | 'domainIds' | 'makerId';

/** A value for each field that `save` writes, all different from those of a new key. */
const EVERY_FIELD: DataOf<ApiKey, Unsaved> = {
  domainsAllowed: 1,
  mailboxesPerDomain: 2,
  aliasesPerMailbox: 3,
  active: false,
  expiresAt: new Date(AT.getTime() + 5),
  name: 'Läden 1',
  scope: 'read',
  successorId: 7,
  revision: 9,
};

/** The guarantees of every `ApiKeyRepository`. */
export function apiKeyRepositoryContract(open: () => Promise<RepositoryPorts>): void {
  describe('the contract of an API key repository', () => {
    let ports: RepositoryPorts;
    let world: RepositoryWorld;
    beforeAll(async () => {
      ports = await open();
      world = new RepositoryWorld(ports);
    });

    const stored = async ({ id }: ApiKey) => fieldsOf(await ports.keys.find({ id }));

    test('add sets an id and stores every field, with the ref of the partner', async () => {
      const key = await world.key(await world.partner(), { ...EVERY_FIELD, lastUsedAt: AT });
      expect(key.id).toEqual(expect.any(Number));
      expect(await stored(key)).toEqual(fieldsOf(key));
      const plain = await world.key(await world.partner());
      expect(await stored(plain)).toEqual(fieldsOf(plain));
    });

    test('add refuses a token that another key has', async () => {
      const { tokenHash } = await world.key(await world.partner());
      const again = world.key(await world.partner(), { tokenHash });
      await expect(again).rejects.toMatchObject({ code: 'api_key_exists' });
    });

    test('a key is found by its id and by its token; null when it does not exist', async () => {
      const key = await world.key(await world.partner(), EVERY_FIELD);
      const { id, tokenHash } = key;
      const found = [
        await ports.keys.find({ id }),
        await ports.keys.find({ tokenHash }),
        (await ports.keys.findByHash(tokenHash))?.key,
        await ports.unitOfWork.run(() => ports.keys.lock({ tokenHash })),
      ];
      expect(found.map((one) => fieldsOf(one))).toEqual(found.map(() => fieldsOf(key)));
      const nobody = 'e'.repeat(64);
      expect(await ports.keys.findByHash(nobody)).toBeNull();
      expect(await ports.keys.find({ tokenHash: nobody })).toBeNull();
      expect(await ports.unitOfWork.run(() => ports.keys.lock({ id: Number.MAX_SAFE_INTEGER }))).toBeNull();
    });

    test('concurrent look-ups of tokens return the key of each token', async () => {
      const partner = await world.partner();
      const keys = [await world.key(partner), await world.key(partner), await world.key(partner)];
      const found = await Promise.all(keys.map(({ tokenHash }) => ports.keys.findByHash(tokenHash)));
      expect(found.map((chain) => chain?.key.id)).toEqual(keys.map(({ id }) => id));
    });

    test('save writes only the limits, the state, the expiry, the name and the scope, and only of this key', async () => {
      const partner = await world.partner();
      const [key, other] = [await world.key(partner), await world.key(partner)];
      const before = fieldsOf(key);
      const stranger = await world.partner();
      const unsaved = {
        partnerId: stranger.id,
        partnerRef: stranger.ref,
        tokenHash: 'd'.repeat(64),
        tokenMask: 'x',
        createdAt: new Date(0),
        lastUsedAt: AT,
      };
      await ports.unitOfWork.run(() => ports.keys.save(Object.assign(key, EVERY_FIELD, unsaved)));
      expect(await stored(key)).toEqual({ ...before, ...EVERY_FIELD });
      expect(await stored(other)).toEqual(fieldsOf(other));
      await ports.unitOfWork.run(() => ports.keys.save(Object.assign(key, { expiresAt: null })));
      expect((await stored(key)).expiresAt).toBeNull();
    });

    test.each([
      ['id', ({ id }: ApiKey) => ({ id })],
      ['token', ({ tokenHash }: ApiKey) => ({ tokenHash })],
    ])('lock by its %s makes concurrent units of work wait, so that no change is lost', async (_, handle) => {
      const key = await world.key(await world.partner());
      const lockRow = () => ports.keys.lock(handle(key));
      await changeTenTimes(ports.unitOfWork, lockRow, async (locked) => {
        locked.domainsAllowed += 1;
        await ports.keys.save(locked);
      });
      expect((await stored(key)).domainsAllowed).toBe(10);
    });

    test('remove deletes only this key', async () => {
      const partner = await world.partner();
      const [key, other] = [await world.key(partner), await world.key(partner)];
      await ports.unitOfWork.run(() => ports.keys.remove(key));
      expect(await ports.keys.find({ id: key.id })).toBeNull();
      expect(await ports.keys.findByHash(key.tokenHash)).toBeNull();
      expect(await stored(other)).toEqual(fieldsOf(other));
    });

    /** A key that an operator created, and keys below it: each of the given numbers is the index of a maker. */
    const chainOf = async (partner: Partner, ...makers: number[]) => {
      const keys = [await world.key(partner)];
      for (const maker of makers) keys.push(await world.key(partner, { makerId: keys[maker]?.id ?? null }));
      return keys as [ApiKey, ApiKey, ApiKey, ApiKey, ApiKey];
    };
    const idsOf = (keys: readonly { id: number }[]) => keys.map(({ id }) => id);

    test('a key is found with its makers, the nearest first, and with the domains of each', async () => {
      const partner = await world.partner();
      const [a, b] = [await world.domain(partner), await world.domain(partner)];
      const first = await world.key(partner, { domainsAllowed: 7 });
      const second = await world.key(partner, { makerId: first.id, domainIds: [a.id, b.id], isLimited: true });
      const third = await world.key(partner, { makerId: second.id, domainIds: [], isLimited: true, scope: 'read' });
      const chain = await ports.keys.findByHash(third.tokenHash);
      expect(chain?.keys.map((key) => fieldsOf(key))).toEqual([third, second, first].map((key) => fieldsOf(key)));
      const record = await ports.keys.record({ id: second.id });
      expect(idsOf(record?.chain.keys ?? [])).toEqual([second.id, first.id]);
      expect(record?.domains).toEqual([a.name, b.name].sort());
      expect((await ports.keys.record({ tokenHash: third.tokenHash }))?.domains).toEqual([]);
      expect((await ports.keys.record({ id: first.id }))?.domains).toBeNull();
      expect(await ports.keys.record({ id: Number.MAX_SAFE_INTEGER })).toBeNull();
    });

    test('the keys below a key are those that it made, and those that these made', async () => {
      const partner = await world.partner();
      const [first, second, , below, ofOther] = await chainOf(partner, 0, 0, 1, 2);
      await chainOf(partner, 0);
      const listed = (key: ApiKey | undefined) =>
        inPagesOfTwo((page) => ports.keys.recordsBelow(key?.id ?? 0, page)).then(idsOf);
      expect(await listed(second)).toEqual([below?.id]);
      expect(await listed(first)).toHaveLength(4);
      expect(idsOf(await ports.keys.below(first))).toEqual((await listed(first)).toSorted((l, r) => l - r));
      expect(await ports.keys.below(ofOther)).toEqual([]);
      expect(await ports.keys.createdByKeys(partner.id)).toHaveLength(5);
    });

    test('a successor takes over what the key created, and nothing else', async () => {
      const partner = await world.partner();
      const [first, second, third] = await chainOf(partner, 0, 1);
      const successor = await world.key(partner, { makerId: first?.id ?? null });
      await ports.unitOfWork.run(() => ports.keys.handOver(second?.id ?? 0, successor.id));
      expect((await stored(third)).makerId).toBe(successor.id);
      expect((await stored(second)).makerId).toBe(first?.id);
    });

    test('the list of domains is replaced as a whole, and loses domains that are removed', async () => {
      const partner = await world.partner();
      const [first, second, third] = [
        await world.domain(partner),
        await world.domain(partner),
        await world.domain(partner),
      ];
      const [a, b, c] = [first.id, second.id, third.id];
      const [key, other] = [await world.key(partner), await world.key(partner, { domainIds: [a], isLimited: true })];
      const write = async (ids: number[] | null) => {
        key.limitTo(ids);
        await ports.unitOfWork.run(() => ports.keys.saveDomains(key));
        return (await stored(key)).domainIds;
      };
      expect(await write([a, b])).toEqual([a, b]);
      expect(await write([b, c])).toEqual([b, c]);
      await ports.unitOfWork.run(() => ports.domains.moveContents(second));
      expect((await stored(key)).domainIds).toEqual([c]);
      await ports.unitOfWork.run(() => ports.domains.moveContents(third));
      expect(await stored(key)).toMatchObject({ domainIds: [], isLimited: true });
      expect(await write(null)).toBeNull();
      expect((await stored(other)).domainIds).toEqual([a]);
      const stranger = await world.domain(await world.partner());
      const found = await ports.keys.domainIds(partner.id, [first.name, stranger.name, world.name()]);
      expect([...found]).toEqual([[first.name, a]]);
    });

    test('a page starts after an id, is ordered by id, has the number of domains, and can be limited to one partner', async () => {
      const [partner, stranger] = [await world.partner(), await world.partner()];
      const keys: ApiKey[] = [];
      for (const owner of [partner, stranger, partner, partner]) keys.push(await world.key(owner));
      await ports.unitOfWork.run(async () => {
        const locked = await ports.partners.lock(partner.id);
        locked.domainCount = 6;
        await ports.partners.save(locked);
      });
      if (partner.ref === null) throw new Error('It has a ref');
      const { ref } = partner;
      const own = keys.filter(({ partnerId }) => partnerId === partner.id);
      const found = await foundInTwos(ports.keys.search({ partnerRef: ref }));
      expect(found.map(({ chain, domainsUsed }) => [fieldsOf(chain.key), domainsUsed])).toEqual(
        own.map((key) => [fieldsOf(key), 6]),
      );
      const all = await ports.keys.search({})({ after: (keys[0]?.id ?? 0) - 1, limit: 4 });
      expect(all.rows.map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
    });
  });
}
