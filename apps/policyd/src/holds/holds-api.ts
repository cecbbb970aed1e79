import type { PostJson } from '@mailstead/client/post-json';
import type { DomainStop, DomainStops } from './fate.js';
import type { Waiting } from './hold-pass.js';

/** The API takes as many in one request. */
const MAX_ITEMS = 1_000;

/** The questions and reports of the program that holds mail. */
export class HoldsApi {
  constructor(private readonly post: PostJson) {}

  /** @throws ApiProblem, or the error of the connection */
  async stops(domains: readonly string[]): Promise<DomainStops> {
    const stops = new Map<string, DomainStop>();
    for (const part of partsOf(domains)) {
      const answers = await this.post('/mail-queue/looks', { domains: part });
      // A proxy may send any body with 200.
      if (!Array.isArray(answers) || answers.length !== part.length) throw new Error('The API answered something else');
      for (const [index, domain] of part.entries()) {
        const answer = answers[index];
        if (answer?.domain !== domain) throw new Error('The API answered something else');
        stops.set(domain, answer);
      }
    }
    return stops;
  }

  async report(waiting: ReadonlyMap<string, Waiting>, now: number): Promise<void> {
    const items = [...waiting].map(([domain, { messages, oldest }]) => ({
      domain,
      messages,
      waiting_seconds: Math.max(0, Math.floor(now - oldest)),
    }));
    for (const part of partsOf(items)) await this.post('/mail-queue/waiting', { items: part });
  }
}

function partsOf<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / MAX_ITEMS);
  return Array.from({ length: count }, (_, part) => items.slice(part * MAX_ITEMS, (part + 1) * MAX_ITEMS));
}
