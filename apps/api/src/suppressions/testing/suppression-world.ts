import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { DAY_MS } from '@mailstead/core/clock';
import type { SuppressedAddress } from '@mailstead/core/suppressions/suppression-address';
import { Suppressions } from '@mailstead/core/suppressions/suppressions';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { TestApi } from '../../testing/api-fixture.js';
import { LinkWorld } from '../../testing/link-world.js';

/** Makes partners with domains, and suppressions of them. */
export class SuppressionWorld {
  readonly links: LinkWorld;

  constructor(private readonly api: TestApi) {
    this.links = new LinkWorld(api);
  }

  /** Makes a partner with two domains, a key for all, and one that is limited to the first. */
  readonly someone = async () => {
    const { partner, key, domain, other } = await this.links.partner();
    const limited = await this.api.key(partner, { domains: [domain] });
    return { partner, key, domain, other, limited };
  };

  /** @returns the id of the suppression */
  readonly suppress = async (token: string, body: object): Promise<number> => {
    const response = await this.api.as(token).post('/suppressions', body).expect(201);
    return (response.body as { id: number }).id;
  };

  readonly listOf = async (token: string, query = ''): Promise<string[]> => {
    const { body } = await this.api.as(token).get(`/suppressions${query}`).expect(200);
    return (body as { address: string }[]).map(({ address }) => address);
  };

  /** Stores what an event of the relay finds. @returns the id of the suppression */
  readonly found = async (domain: string, text: string, reason: 'bounce' | 'complaint', days = 90): Promise<number> => {
    const { database, container, clock } = this.api;
    const [row] = await database.read('SELECT id, partner_id FROM domain WHERE name = ?', [domain]);
    const [domainId, partnerId] = [Number(row?.id), Number(row?.partner_id)];
    const [since, address] = [clock.now(), text as SuppressedAddress];
    const expiresAt = new Date(since.getTime() + days * DAY_MS);
    const event = { partnerId, domainId, address, reason, since, expiresAt };
    const bounds = { now: since, most: 100_000 };
    await container.get(UnitOfWork).run(() => container.get(Suppressions).addFromEvents(partnerId, [event], bounds));
    const [made] = await database.read('SELECT id FROM suppression WHERE address = ?', [address]);
    return Number(made?.id);
  };

  readonly eventsOf = async (token: string, types: string): Promise<object[]> => {
    await this.api.container.get(EventPositioner).giveAll();
    return (await this.api.as(token).get(`/events?types=${types}`).expect(200)).body as object[];
  };
}
