import { SECOND_MS } from '@mailstead/core/clock';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { InstallationLease } from './installation-lease.js';

const LEASE_MS = 150 * SECOND_MS;

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let clock: FixedClock;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write("DELETE FROM installation WHERE name = 'a_lease'");
    clock = new FixedClock();
  });

  const aLease = () => new InstallationLease(opened.database, clock, 'a_lease', LEASE_MS);

  it('a process alone holds the lease at every call', async () => {
    const lease = aLease();
    for (let call = 0; call < 3; call += 1) {
      expect(await lease.hold()).toBe(true);
      clock.advance(2 * LEASE_MS);
    }
  });

  if (kind === 'sqlite') return;

  it('one of many processes holds it, also when they ask at once, and keeps it while it asks', async () => {
    const leases = Array.from({ length: 6 }, aLease);
    const held = async () => {
      const answers = await Promise.all(leases.map((lease) => lease.hold()));
      return answers.flatMap((isHeld, index) => (isHeld ? [index] : []));
    };
    const first = await held();
    expect(first).toHaveLength(1);
    for (let minute = 0; minute < 5; minute += 1) {
      clock.advance(60 * SECOND_MS);
      expect(await held()).toEqual(first);
    }
  });

  it('passes to another process when its holder was killed and the lease ended', async () => {
    const [killed, other] = [aLease(), aLease()];
    expect(await killed.hold()).toBe(true);
    clock.advance(LEASE_MS - 1);
    expect(await other.hold()).toBe(false);
    clock.advance(1);
    expect(await other.hold()).toBe(true);
    expect(await killed.hold()).toBe(false);
  });

  it('passes at once when its holder ends, and another process cannot give it away', async () => {
    const [holder, other] = [aLease(), aLease()];
    expect(await holder.hold()).toBe(true);
    await other.release();
    expect(await other.hold()).toBe(false);
    await holder.release();
    expect(await other.hold()).toBe(true);
  });

  it('is taken from a holder whose clock was set back', async () => {
    clock.advance(1_000 * LEASE_MS);
    expect(await aLease().hold()).toBe(true);
    clock.advance(-1_000 * LEASE_MS);
    expect(await aLease().hold()).toBe(true);
  });
});
