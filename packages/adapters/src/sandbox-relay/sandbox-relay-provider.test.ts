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

  test('verifies when the time is over, not a millisecond earlier', async () => {
    clock.advance(4_999);
    expect(await provider.readIdentity(domain)).toMatchObject({ status: 'pending', providerStatus: 'pending' });
    clock.advance(1);
    expect(await provider.readIdentity(domain)).toMatchObject({ status: 'verified', providerStatus: 'success' });
  });

  test('keeps a verification pending that was never started', async () => {
    expect(await provider.readIdentity({ ...domain, startedAt: null })).toMatchObject({ status: 'pending' });
  });

  test('returns the same values after a restart of the process', async () => {
    const other = new SandboxRelayProvider({ verifyAfterSeconds: 5 }, clock);
    expect(await other.readIdentity(domain)).toEqual(await provider.readIdentity(domain));
  });
});
