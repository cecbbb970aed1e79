import { type DomainName, isAncestor, registrableDomain, registrableLabel } from './domain-name.js';

const ANY_SUFFIX = '.*';

/**
 * The names that only master may create: those of large mailbox providers, and those of this platform's own mail
 * servers.
 */
export class ReservedNames {
  private readonly names: DomainName[];
  private readonly labels: Set<string>;

  /**
   * @param reserved lower-case names, reserved with all names below them. `yahoo.*` reserves `yahoo` below every ICANN
   * public suffix.
   * @param mxHosts the platform's mail hosts. Their registrable domains are reserved with all names below them.
   */
  constructor(reserved: readonly string[], mxHosts: readonly string[]) {
    const own = mxHosts
      .map((host) => host.toLowerCase().replace(/\.$/, ''))
      .map((host) => registrableDomain(host) ?? host);
    const isLabel = (name: string) => name.endsWith(ANY_SUFFIX);
    this.names = [...reserved.filter((name) => !isLabel(name)), ...own] as DomainName[];
    this.labels = new Set(reserved.filter(isLabel).map((name) => name.slice(0, -ANY_SUFFIX.length)));
  }

  has(name: DomainName): boolean {
    if (this.names.some((reserved) => reserved === name || isAncestor(reserved, name))) return true;
    const label = this.labels.size === 0 ? null : registrableLabel(name);
    return label !== null && this.labels.has(label);
  }
}
