import type { DomainName } from '../domains/domain-name.js';
import type { RelayDomain, RelayIdentity, RelayProvider } from '../relay/relay-provider.js';

/** A provider under test, and the power to make it say that a domain is verified. */
export interface RelayProviderFixture {
  provider: RelayProvider;
  verify(domain: RelayDomain): void | Promise<void>;
  /** The start of a verification that begins now. */
  now(): Date;
  close(): Promise<void>;
}

/** What every `RelayProvider` keeps. Providers that list identities also remember them. */
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

    async function ensure(domain: RelayDomain): Promise<RelayIdentity> {
      const answer = await fixture.provider.ensureIdentity(domain, false);
      if (answer.outcome !== 'ours') throw new Error(`${domain.name} is foreign`);
      return answer.identity;
    }

    test('a new identity is pending and has three DKIM tokens and a zone', async () => {
      const identity = await ensure(aName('new.example'));
      expect(identity.status).toBe('pending');
      expect(identity.dkimTokens).toHaveLength(3);
      expect(new Set(identity.dkimTokens).size).toBe(3);
      for (const token of identity.dkimTokens) expect(token).toMatch(/^[a-z0-9]{1,63}$/);
      expect(identity.dkimZone).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      expect(identity.dkimStatus).toMatch(/^[a-z_]+$/);
    });

    test('ensuring again adopts the identity, with the same tokens', async () => {
      const domain = aName('again.example');
      const first = await ensure(domain);
      expect((await ensure(domain)).dkimTokens).toEqual(first.dkimTokens);
      expect((await fixture.provider.getIdentity(domain))?.dkimTokens).toEqual(first.dkimTokens);
    });

    test('two names have different tokens', async () => {
      const [one, two] = [await ensure(aName('one.example')), await ensure(aName('two.example'))];
      expect(one.dkimTokens).not.toEqual(two.dkimTokens);
    });

    test('a verified identity says so, without a reason, and stays so when ensured again', async () => {
      const domain = aName('verified.example');
      await ensure(domain);
      await fixture.verify(domain);
      expect(await fixture.provider.getIdentity(domain)).toMatchObject({ status: 'verified', reason: null });
      expect((await ensure(domain)).status).toBe('verified');
      expect((await fixture.provider.ensureIdentity(domain, true)).outcome).toBe('ours');
      expect(await fixture.provider.getIdentity(domain)).toMatchObject({ status: 'verified' });
    });

    test('deleting is idempotent, and a deleted name can be made anew', async () => {
      const domain = aName('deleted.example');
      await fixture.provider.deleteIdentity(domain);
      await ensure(domain);
      await fixture.provider.deleteIdentity(domain);
      await fixture.provider.deleteIdentity(domain);
      if (fixture.provider.lists) expect(await fixture.provider.getIdentity(domain)).toBeNull();
      expect((await ensure(domain)).dkimTokens).toHaveLength(3);
    });

    test('the list tells of every identity, or is empty where the provider keeps none', async () => {
      const pending = aName('pending.example');
      const verified = aName('listed.example');
      await ensure(pending);
      await ensure(verified);
      await fixture.verify(verified);
      const page = await fixture.provider.listIdentities(null);
      expect(page.nextToken).toBeNull();
      const expected = fixture.provider.lists
        ? [
            { name: 'listed.example', status: 'verified' },
            { name: 'pending.example', status: 'pending' },
          ]
        : [];
      expect([...page.listed].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(expected);
    });
  });
}
