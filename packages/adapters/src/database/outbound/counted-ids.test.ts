import { DAY_MS } from '@mailstead/core/clock';
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

  it('an id is a repeat for 24 hours, and is deleted then', async () => {
    const domain = await world.domain();
    const answer = await world.send(domain, { count: 2, id: 'message:Q1' });
    expect(await world.send(domain, { count: 2, id: 'message:Q1' })).toEqual(answer);
    await expect(world.send(domain, { count: 3, id: 'message:Q1' })).rejects.toMatchObject({
      code: 'increment_id_reused',
    });
    world.clock.advance(DAY_MS);
    expect(await world.send(domain, { count: 2, id: 'message:Q1' })).toMatchObject({ sentToday: 2 });
    world.clock.advance(DAY_MS + 1);
    await new PurgeOutboundRows(world.ports.periods, world.clock).execute();
    expect(await opened.database.read('SELECT COUNT(*) AS ids FROM outbound_counted_id')).toEqual([{ ids: 0 }]);
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
