import { token } from '../needs.js';

export interface DnsExpectations {
  /** The platform's mail hosts (`MX_HOSTS`); empty when none are set. */
  mxHosts: string[];
  /** The host that SPF records of domains should include (`SPF_INCLUDE`); null when not set. */
  spfInclude: string | null;
  /**
   * The values to show where neither is set, so that a service on trial shows what there will be. They are compared
   * with nothing and required of nobody. Null: none are shown.
   */
  examples: { mxHosts: string[]; spfInclude: string } | null;
}
export const DnsExpectations = token<DnsExpectations>('DnsExpectations');

/** What records of domains are compared with: host names in lower case, without a trailing dot. */
export type ExpectedHosts = Pick<DnsExpectations, 'mxHosts' | 'spfInclude'>;

export function expectedHosts({ mxHosts, spfInclude }: ExpectedHosts): ExpectedHosts {
  return { mxHosts: mxHosts.map(hostOf), spfInclude: spfInclude === null ? null : hostOf(spfInclude) };
}

function hostOf(value: string): string {
  return value.trim().toLowerCase().replace(/\.$/, '');
}
