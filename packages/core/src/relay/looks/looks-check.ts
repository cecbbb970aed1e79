import { HealthCheck } from '../../health-check.js';
import { needs } from '../../needs.js';
import { DnsLooks } from './dns-looks.js';

/** Warns when what domains lack in the DNS is not told. */
@needs(DnsLooks)
export class LooksCheck extends HealthCheck {
  override readonly name = 'dns_looks';
  override readonly isWarning = true;

  constructor(private readonly looks: DnsLooks) {
    super();
  }

  override async problem(): Promise<string | null> {
    try {
      const { held, problem } = await this.looks.standing();
      if (problem !== null) return `The records of domains are not looked at: ${problem}`;
      if (held === 0) return null;
      return `${held} ${held === 1 ? 'domain lacks' : 'domains lack'} MX or SPF records, which is not told because too many began to lack them in a day; check DNS_SERVERS, MX_HOSTS and SPF_INCLUDE, or run dns.look with release_brake`;
    } catch {
      return 'The looks at the records of domains cannot be read';
    }
  }
}
