import type { MailsteadClient } from '@mailstead/client';
import { ApiProblem } from '@mailstead/client/api-problem';
import { pages } from '@mailstead/client/pages';
import { parseDomainName } from '@mailstead/core/domains/domain-name';
import { reasonOf } from '@mailstead/core/errors';
import type { BilledDomain } from './subscriptions/decide.js';

/** The API did not answer, or refuses the token. */
export class MailsteadUnavailable extends Error {
  constructor(readonly reason: string) {
    super(`The API: ${reason}`);
    this.name = 'MailsteadUnavailable';
  }
}

/** The domain changed since it was read: it is gone, or stores another subscription. */
export class DomainChanged extends Error {}

/** BILLING_TOKEN is of another kind than `billing`. */
export class WrongToken extends Error {}

/** A domain in an answer of the API; `billing_ref` is shown to the scope billing. */
interface DomainRow {
  name: string;
  partner_ref: string | null;
  plan: string | null;
  suspension_causes: string[];
  billing_ref: string | null;
}

/** The API, as far as billing uses it: it creates and deletes nothing. */
export class MailsteadApi {
  constructor(private readonly client: MailsteadClient) {}

  /**
   * Checks the kind of the token.
   *
   * @throws WrongToken; MailsteadUnavailable
   */
  async checkToken(): Promise<void> {
    const { kind, scope } = await this.me();
    if (kind === 'operator' && scope === 'billing') return;
    const found =
      kind === 'master' ? 'the master token' : kind === 'client' ? "a partner's API key" : `of scope ${scope}`;
    throw new WrongToken(
      `BILLING_TOKEN is ${found}: use an operator token of scope billing, which can do no more than billing`,
    );
  }

  private async me() {
    try {
      return dataOf(await this.client.GET('/me'));
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) {
        throw new WrongToken(
          'BILLING_TOKEN is no token of this API: name it in OPERATOR_TOKENS with the scope billing',
        );
      }
      throw translated(error);
    }
  }

  async plans(): Promise<string[]> {
    const plans = await this.call(async () => dataOf(await this.client.GET('/plans')));
    return plans.map(({ plan }) => plan);
  }

  /** @returns null when there is no such domain, also for text that is no domain name */
  async domain(text: string): Promise<BilledDomain | null> {
    const name = parseDomainName(text);
    if (name === null) return null;
    try {
      const get = async () => dataOf(await this.client.GET('/domains/{domain_name}', pathOf(name)));
      return toBilledDomain(await this.call(get));
    } catch (error) {
      if (error instanceof DomainChanged) return null;
      throw error;
    }
  }

  /** All domains, oldest first, page by page. */
  async *domains(): AsyncGenerator<BilledDomain, void, undefined> {
    const rows = pages(this.client, '/domains/', { view: 'full' });
    for (;;) {
      const next = await this.call(() => rows.next());
      if (next.done === true) return;
      // Rows of `view=full` are whole records.
      yield toBilledDomain(next.value as unknown as DomainRow);
    }
  }

  /**
   * Sets the plan and stores the subscription, when the domain stores `replaces` or this subscription now.
   *
   * @throws DomainChanged when it stores another one; ApiProblem 422 when there is no such plan; MailsteadUnavailable
   */
  async setPlan(name: string, plan: string, billingRef: string, replaces: string | null): Promise<void> {
    const body = { plan: plan as PlanName, billing_ref: billingRef, replaces };
    await this.call(() => this.client.PUT('/domains/{domain_name}/plan', { ...pathOf(name), body }));
  }

  /** Adds the cause `billing`. @throws DomainChanged; MailsteadUnavailable */
  async suspend(name: string): Promise<void> {
    const body = { cause: 'billing' as const };
    await this.call(() => this.client.PUT('/domains/{domain_name}/suspend', { ...pathOf(name), body }));
  }

  /** Removes the cause `billing`; others stay. @throws DomainChanged; MailsteadUnavailable */
  async activate(name: string): Promise<void> {
    const body = { cause: 'billing' as const };
    await this.call(() => this.client.PUT('/domains/{domain_name}/activate', { ...pathOf(name), body }));
  }

  private async call<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      throw translated(error);
    }
  }
}

type PlanName = 'starter' | 'business' | 'enterprise';

/** The client sets the data of every answer that it does not throw. */
function dataOf<T>({ data }: { data?: T }): T {
  if (data === undefined) throw new MailsteadUnavailable('its answer has no body');
  return data;
}

function pathOf(domain_name: string) {
  return { params: { path: { domain_name } } };
}

function toBilledDomain(row: DomainRow): BilledDomain {
  return {
    name: row.name,
    partnerRef: row.partner_ref,
    plan: row.plan,
    billingRef: row.billing_ref,
    isSuspendedByBilling: row.suspension_causes.includes('billing'),
  };
}

function translated(error: unknown): unknown {
  if (error instanceof MailsteadUnavailable) return error;
  if (!(error instanceof ApiProblem)) {
    return new MailsteadUnavailable(`it does not answer (${reasonOf(error)})`);
  }
  const { status, code, detail } = error;
  if (status === 404 || code === 'billing_ref_differs') return new DomainChanged(detail);
  if (status === 401 || status === 403) {
    return new MailsteadUnavailable(`it refuses BILLING_TOKEN (${code}); check OPERATOR_TOKENS and restart`);
  }
  if (status === 422) return error;
  return new MailsteadUnavailable(`it answers ${status} (${code})`);
}
