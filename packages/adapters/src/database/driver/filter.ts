import type { PartnerRef, PartnerScope } from '@mailstead/core/partners/partner';
import { type Parameter, placeholders } from './database.js';

/** The conditions of a list, joined by AND, with their parameters in order. */
export class Filter {
  private readonly conditions: string[];
  readonly parameters: Parameter[];

  constructor(condition: string, ...parameters: Parameter[]) {
    this.conditions = [condition];
    this.parameters = parameters;
  }

  get sql(): string {
    return this.conditions.join(' AND ');
  }

  and(condition: string, value: Parameter | undefined): this {
    if (value === undefined) return this;
    this.conditions.push(condition);
    this.parameters.push(value);
    return this;
  }

  /** Adds the condition that the domain belongs to the scope and, when given, to this partner. */
  ofDomains(scope: PartnerScope, partnerRef: PartnerRef | undefined, column: string): this {
    if (scope !== 'all') this.and(`${column} IN (SELECT id FROM domain WHERE partner_id = ?)`, scope);
    return this.and(
      `${column} IN (SELECT d.id FROM domain d JOIN partner p ON p.id = d.partner_id WHERE p.ref = ?)`,
      partnerRef,
    );
  }

  /**
   * The same condition for rows that are found by their ids. The database checks it for each row, whereas with
   * `ofDomains` it first collects the domains of the partner.
   */
  withinDomains(scope: PartnerScope, partnerRef: PartnerRef | undefined, column: string): this {
    if (scope !== 'all') {
      this.and(`EXISTS (SELECT 1 FROM domain d WHERE d.id = ${column} AND d.partner_id = ?)`, scope);
    }
    return this.and(
      `EXISTS (SELECT 1 FROM domain d JOIN partner p ON p.id = d.partner_id WHERE d.id = ${column} AND p.ref = ?)`,
      partnerRef,
    );
  }

  /** Adds an IN condition, unless `values` is undefined. */
  among(column: string, values: readonly Parameter[] | undefined): this {
    if (values === undefined) return this;
    this.conditions.push(`${column} IN (${placeholders(values)})`);
    this.parameters.push(...values);
    return this;
  }

  ofDomain(name: string | undefined, column: string): this {
    return this.and(`${column} = (SELECT id FROM domain WHERE name = ?)`, name);
  }
}
