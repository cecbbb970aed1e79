import { type RelayState, RelayStates, type RelayTraffic } from '@mailstead/core/relay/relay-state';
import { RelayTrafficStamps } from './relay-traffic-stamps.js';

const AT = new Date('2026-03-15T12:00:00.000Z');

class CollectedTraffic extends RelayStates {
  readonly written: RelayTraffic[] = [];
  isDown = false;

  override async addTraffic(traffic: RelayTraffic): Promise<void> {
    if (this.isDown) throw new Error('The database is away');
    this.written.push(traffic);
  }

  override read(): Promise<RelayState> {
    throw new Error('not read');
  }

  override lock(): Promise<RelayState> {
    throw new Error('not read');
  }

  override async saveReport(): Promise<void> {}

  override async forgetTraffic(): Promise<void> {}
}

describe('the traffic of the relay', () => {
  it('thousands of counts are one write', async () => {
    const states = new CollectedTraffic();
    const stamps = new RelayTrafficStamps(states);
    for (let index = 0; index < 5_000; index += 1) stamps.counted(1, AT);
    await stamps.flush();
    expect(states.written).toHaveLength(1);
    expect(states.written.reduce((sum, { counted }) => sum + counted, 0)).toBe(5_000);
  });

  it('what was counted before a signed message does not count after it', async () => {
    const states = new CollectedTraffic();
    const stamps = new RelayTrafficStamps(states);
    await stamps.heard(AT, true);
    stamps.counted(7, AT);
    void stamps.heard(AT, false);
    stamps.counted(2, AT);
    await stamps.flush();
    expect(states.written.at(-1)).toEqual({ counted: 2, countedAt: AT, heardAt: AT, eventAt: null });
  });

  it('a database that is away fails no webhook, and later traffic is written', async () => {
    const states = new CollectedTraffic();
    const stamps = new RelayTrafficStamps(states);
    states.isDown = true;
    await stamps.heard(AT, true);
    states.isDown = false;
    stamps.counted(1, AT);
    await stamps.flush();
    expect(states.written).toHaveLength(1);
  });
});
