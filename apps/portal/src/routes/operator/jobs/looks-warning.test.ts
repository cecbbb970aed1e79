import type { DnsLooks, LooksStanding } from '@mailstead/core/relay/looks/dns-looks';
import { LooksCheck } from '@mailstead/core/relay/looks/looks-check';
import { isOfHeldDomains } from './looks-warning.js';

/** The sentence of the service. */
async function warning(standing: () => Promise<LooksStanding>): Promise<string> {
  return (await new LooksCheck({ standing } as unknown as DnsLooks).problem()) ?? '';
}

describe('a warning of the looks at DNS records is of held domains', () => {
  it('when the brake holds some', async () => {
    expect(isOfHeldDomains(await warning(async () => ({ held: 1, problem: null })))).toBe(true);
    expect(isOfHeldDomains(await warning(async () => ({ held: 20_000, problem: null })))).toBe(true);
  });

  it('not when a host of the platform cannot be looked up, whatever is held', async () => {
    for (const problem of ['mx1.host.example of MX_HOSTS has no address', '7.host.example of MX_HOSTS has no address'])
      expect(isOfHeldDomains(await warning(async () => ({ held: 3, problem })))).toBe(false);
  });

  it('not when nobody knows', async () => {
    const fail = () => Promise.reject(new Error('The database does not answer'));
    expect(isOfHeldDomains(await warning(fail))).toBe(false);
  });
});
