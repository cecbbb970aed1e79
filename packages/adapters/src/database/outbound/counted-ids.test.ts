import { hash } from 'node:crypto';
import { DAY_MS } from '@mailstead/core/clock';
import type { Domain } from '@mailstead/core/domains/domain';
import { PurgeOutboundRows } from '@mailstead/core/outbound/purge-outbound-rows';
import { OutboundWorld } from '@mailstead/core/testing/outbound-world';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let world: OutboundWorld;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    world = new OutboundWorld(outboundPorts(opened.database));
    world.clock.set(new Date('2026-03-15T12:00:00.000Z'));
  });
  afterAll(() => opened.close());

  /** Stores an id as the former release did. */
  async function storeAsBefore({ id: domainId, name }: Domain, id: string): Promise<object> {
    const answer = {
      name,
      allowed: true,
      action: 'accept',
      reason: null,
      limitedBy: null,
      sentToday: 7,
      sentThisMonth: 9,
      dailyLimit: 200,
      monthlyLimit: 3_000,
      outboundStatus: 'active',
      verified: true,
    };
    await opened.database.write(
      'INSERT INTO outbound_increment (domain_id, id_hash, message_count, verdict, counted_at) VALUES (?, ?, 2, ?, ?)',
      [
        domainId,
        hash('sha256', id, 'base64url').slice(0, 32),
        JSON.stringify({ ...answer, fingerprint: null }),
        world.clock.now().getTime(),
      ],
    );
    return answer;
  }

  it('ids that the former release counted are repeats for their 24 hours, and are deleted then', async () => {
    const domain = await world.domain();
    const answer = await storeAsBefore(domain, 'message:Q1');
    await storeAsBefore(domain, 'message:Q2');
    expect(await world.send(domain, { count: 2, id: 'message:Q1' })).toEqual({ ...answer, relay: null });
    await expect(world.send(domain, { count: 3, id: 'message:Q1' })).rejects.toMatchObject({
      code: 'increment_id_reused',
    });
    expect(await world.send(domain, { count: 2, id: 'message:q1' })).toMatchObject({ sentToday: 2 });
    world.clock.advance(DAY_MS);
    expect(await world.send(domain, { count: 2, id: 'message:Q2' })).toMatchObject({ sentToday: 2 });
    world.clock.advance(1);
    await new PurgeOutboundRows(world.ports.periods, world.clock).execute();
    expect(await opened.database.read('SELECT id_hash FROM outbound_increment')).toEqual([]);
    expect(await opened.database.read('SELECT COUNT(*) AS ids FROM outbound_counted_id')).toEqual([{ ids: 1 }]);
  });

  it('ids go with the counters to the next domain of the same partner and name', async () => {
    const domain = await world.domain();
    const first = await world.send(domain, { count: 2, id: 'message:kept' });
    const { tombstones, unitOfWork } = world.ports;
    await world.delete(domain);
    const heir = await world.domain({ name: domain.name });
    await unitOfWork.run(async () => {
      const { own } = await tombstones.ofName(heir.name, heir.partnerId, world.clock.now());
      if (own !== null) await tombstones.handOver(own, heir, world.clock.now());
    });
    expect(await world.send(heir, { count: 2, id: 'message:kept' })).toEqual(first);
  });
});
