import type { DomainName } from '@mailstead/core/domains/domain-name';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { relayProviderContract } from '@mailstead/core/testing/relay-provider-contract';
import { SandboxRelayProvider } from './sandbox-relay-provider.js';

relayProviderContract(async () => {
  const clock = new FixedClock();
  return {
    provider: new SandboxRelayProvider({ verifyAfterSeconds: 5 }, clock),
    verify: () => clock.advance(5_000),
    now: () => clock.now(),
    close: async () => {},
  };
});

describe('the sandbox', () => {
  const clock = new FixedClock();
  const provider = new SandboxRelayProvider({ verifyAfterSeconds: 5 }, clock);
  const domain = { id: 1, name: 'example.com' as DomainName, startedAt: clock.now() };

  test('verifies at the due moment, not a millisecond before', async () => {
    clock.advance(4_999);
    expect(await provider.getIdentity(domain)).toMatchObject({ status: 'pending', providerStatus: 'pending' });
    clock.advance(1);
    expect(await provider.getIdentity(domain)).toMatchObject({ status: 'verified', providerStatus: 'success' });
  });

  test('leaves a verification that was never started pending', async () => {
    expect(await provider.getIdentity({ ...domain, startedAt: null })).toMatchObject({ status: 'pending' });
  });

  test('says the same after a restart of the process', async () => {
    const other = new SandboxRelayProvider({ verifyAfterSeconds: 5 }, clock);
    expect(await other.getIdentity(domain)).toEqual(await provider.getIdentity(domain));
  });
});
