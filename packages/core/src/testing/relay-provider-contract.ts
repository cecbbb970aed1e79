import type { DomainName } from '../domains/domain-name.js';
import { DKIM_FOUND, type RelayDomain, type RelayIdentity, type RelayProvider } from '../relay/relay-provider.js';

/** A provider under test, and a method that makes it report a domain as verified. */
export interface RelayProviderFixture {
  provider: RelayProvider;
  verify(domain: RelayDomain): void | Promise<void>;
  /** The start time for a verification that begins now. */
  now(): Date;
  close(): Promise<void>;
}

/** The guarantees of every `RelayProvider`. A provider with a list also stores its identities. */
export function relayProviderContract(open: () => Promise<RelayProviderFixture>): void {
  describe('the contract of a relay provider', () => {
    let fixture: RelayProviderFixture;
    let nextId = 1;

    beforeEach(async () => {
      fixture = await open();
    });
    afterEach(() => fixture.close());

    const aName = (name: string): RelayDomain => ({
      id: nextId++,
      name: name as DomainName,
      startedAt: fixture.now(),
    });

    const valuesOf = ({ records }: RelayIdentity) => records.map(({ value }) => value);

    async function ensure(domain: RelayDomain): Promise<RelayIdentity> {
      const answer = await fixture.provider.ensureIdentity(domain, false);
      if (answer.outcome !== 'ours') throw new Error(`${domain.name} is foreign`);
      return answer.identity;
    }

    test('a new identity is pending and has records with different names below the domain, each with a value', async () => {
      const { status, providerStatus, records } = await ensure(aName('new.example'));
      expect(status).toBe('pending');
      expect(providerStatus).toMatch(/^[a-z0-9_-]{1,32}$/);
      expect(records.length).toBeGreaterThan(0);
      expect(new Set(records.map(({ name }) => name)).size).toBe(records.length);
      for (const { purpose, type, name, value } of records) {
        expect(purpose).toBe('dkim');
        expect(name).toMatch(/^([a-z0-9_-]{1,63}\.)+new\.example$/);
        if (type === 'CNAME') expect(value).toMatch(/^([a-z0-9_-]{1,63}\.)+[a-z0-9-]{1,63}$/);
        else expect(value.trim()).not.toBe('');
      }
    });

    test('ensuring again adopts the identity, with the same records', async () => {
      const domain = aName('again.example');
      const first = await ensure(domain);
      expect((await ensure(domain)).records).toEqual(first.records);
      expect((await fixture.provider.readIdentity(domain))?.records).toEqual(first.records);
    });

    test('two domains have no value in common, so that the records of one cannot verify the other', async () => {
      const [one, two] = [await ensure(aName('one.example')), await ensure(aName('two.example'))];
      expect(two.records.map(({ value }) => value).filter((value) => valuesOf(one).includes(value))).toEqual([]);
    });

    test('a verified identity is `verified`, without a reason, and stays verified when ensured again', async () => {
      const domain = aName('verified.example');
      await ensure(domain);
      await fixture.verify(domain);
      expect(await fixture.provider.readIdentity(domain)).toMatchObject({
        status: 'verified',
        providerStatus: DKIM_FOUND,
        reason: null,
      });
      expect((await ensure(domain)).status).toBe('verified');
      expect((await fixture.provider.ensureIdentity(domain, true)).outcome).toBe('ours');
      expect(await fixture.provider.readIdentity(domain)).toMatchObject({ status: 'verified' });
    });

    test('deleting is idempotent, and a deleted name can be created again', async () => {
      const domain = aName('deleted.example');
      await fixture.provider.deleteIdentity(domain);
      await ensure(domain);
      await fixture.provider.deleteIdentity(domain);
      await fixture.provider.deleteIdentity(domain);
      if (fixture.provider.lists) expect(await fixture.provider.readIdentity(domain)).toBeNull();
      expect((await ensure(domain)).records.length).toBeGreaterThan(0);
    });

    test('the list has every identity, or is empty when the provider has no list', async () => {
      const pending = aName('pending.example');
      const verified = aName('listed.example');
      await ensure(pending);
      await ensure(verified);
      await fixture.verify(verified);
      const page = await fixture.provider.listIdentities(null);
      expect(page.nextToken).toBeNull();
      const expected = fixture.provider.lists
        ? [
            { name: 'listed.example', status: 'verified', atRisk: false },
            { name: 'pending.example', status: 'pending', atRisk: false },
          ]
        : [];
      expect([...page.listed].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(expected);
    });
  });
}
