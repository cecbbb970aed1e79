import { api } from '../../api/client.js';
import { sentence } from '../../api/problem.js';

const ITEMS_PER_REQUEST = 50;

export interface Added {
  name: string;
  /** Why it was not added; null when it was. */
  refusal: string | null;
}

/**
 * Adds domains, many with one request. A name that is refused stops no other.
 *
 * @yields the results of each request, in the order of the names.
 */
export async function* addDomains(names: readonly string[], partnerRef: string | null): AsyncGenerator<Added[]> {
  const owner = partnerRef === null ? {} : { partner_ref: partnerRef };
  for (let from = 0; from < names.length; from += ITEMS_PER_REQUEST) {
    const part = names.slice(from, from + ITEMS_PER_REQUEST);
    const items = part.map((name) => ({ name, ...owner }));
    const { data = [] } = await api.POST('/domains/bulk', { body: { items } });
    yield data.map(({ body, problem }, index) => ({
      name: body?.name ?? part[index] ?? '',
      refusal: problem === undefined ? null : sentence(problem.detail),
    }));
  }
}
