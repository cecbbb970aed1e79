import type { ApiKey } from '../api-keys/api-key.js';
import {
  AT,
  changeTenTimes,
  type DataOf,
  fieldsOf,
  inPagesOfTwo,
  type RepositoryPorts,
  RepositoryWorld,
} from './repository-world.js';

type Unsaved = 'id' | 'partnerId' | 'partnerRef' | 'tokenHash' | 'tokenMask' | 'createdAt' | 'lastUsedAt';

/** A value for each field that `save` writes, all different from those of a new key. */
const EVERY_FIELD: DataOf<ApiKey, Unsaved> = {
  domainsAllowed: 1,
  mailboxesPerDomain: 2,
  aliasesPerMailbox: 3,
  active: false,
  expiresAt: new Date(AT.getTime() + 5),
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
        await ports.keys.findByHash(tokenHash),
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
      expect(found.map((key) => key?.id)).toEqual(keys.map(({ id }) => id));
    });

    test('save writes only the limits, the state and the expiry, and only of this key', async () => {
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
      const found = await inPagesOfTwo((page) => ports.keys.pageWithUse({ partnerRef: ref }, page));
      expect(found.map(({ key, domainsUsed }) => [fieldsOf(key), domainsUsed])).toEqual(
        own.map((key) => [fieldsOf(key), 6]),
      );
      const all = await ports.keys.pageWithUse({}, { after: (keys[0]?.id ?? 0) - 1, limit: 4 });
      expect(all.map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
    });
  });
}
