import type { Page } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerRows, PartnerScope } from '@mailstead/core/partners/partner-scope';
import { type Parameter, placeholders } from './database.js';

/** The id of no row. Databases refuse an empty IN list. */
export const NO_ID = 0;

/** The conditions of a list, joined by AND, with their parameters in order. */
export class Filter {
  private readonly conditions: string[];
  readonly parameters: Parameter[];

  constructor(condition: string, ...parameters: Parameter[]) {
    this.conditions = [condition];
    this.parameters = parameters;
  }

  /** The rows of a page by their ids. Read them in the order `orderOf`. */
  static ofPage(column: string, { after, order }: Page): Filter {
    return new Filter(`${column} ${order === 'desc' ? '<' : '>'} ?`, after);
  }

  /** For ORDER BY. */
  static orderOf(column: string, { order }: Page): string {
    return `${column} ${order === 'desc' ? 'DESC' : 'ASC'}`;
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

  /** Adds a condition with any number of parameters. */
  where(condition: string, ...values: Parameter[]): this {
    this.conditions.push(condition);
    this.parameters.push(...values);
    return this;
  }

  /** Adds the condition that a row of domains is in the scope. */
  inScope(scope: PartnerScope, partnerColumn: string, domainColumn: string): this {
    if (scope === 'all') return this;
    return this.and(`${partnerColumn} = ?`, scope.partnerId).amongDomains(scope, domainColumn);
  }

  /**
   * Adds the condition that the domain belongs to the scope and, when given, to this partner. For rows that are found
   * by their ids: the database checks it for each row.
   */
  withinDomains(scope: PartnerScope, partnerRef: PartnerRef | undefined, column: string): this {
    if (scope !== 'all') {
      this.and(`EXISTS (SELECT 1 FROM domain d WHERE d.id = ${column} AND d.partner_id = ?)`, scope.partnerId);
      this.amongDomains(scope, column);
    }
    return this.and(
      `EXISTS (SELECT 1 FROM domain d JOIN partner p ON p.id = d.partner_id WHERE d.id = ${column} AND p.ref = ?)`,
      partnerRef,
    );
  }

  private amongDomains({ domainIds }: PartnerRows, column: string): this {
    return this.among(column, domainIds === null ? undefined : [NO_ID, ...domainIds]);
  }

  /** Adds an IN condition, unless `values` is undefined. */
  among(column: string, values: readonly Parameter[] | undefined): this {
    return values === undefined ? this : this.where(`${column} IN (${placeholders(values)})`, ...values);
  }
}
