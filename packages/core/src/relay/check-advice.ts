import type { DomainName } from '../domains/domain-name.js';
import { checkDmarc } from './check-dmarc.js';
import { checkMtaSts } from './check-mta-sts.js';
import { checkTlsRpt } from './check-tls-rpt.js';
import type { DnsCheck } from './dns-check.js';
import type { DnsResolver } from './dns-resolver.js';

/** Checks records that receivers and senders recommend. They never make the whole check fail. */
export function checkAdvice(dns: DnsResolver, domain: DomainName): Promise<DnsCheck[]> {
  return Promise.all([checkDmarc(dns, domain), checkMtaSts(dns, domain), checkTlsRpt(dns, domain)]);
}
