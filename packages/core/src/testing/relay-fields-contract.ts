import type { Domain } from '../domains/domain.js';
import type { RelayReport } from '../relay/relay-provider.js';
import { anIncrement, type OutboundPorts, OutboundWorld } from './outbound-world.js';

const SET = 'mailstead';
const ofDomain = ({ id, partnerId }: Domain) => ({ domainId: id, partnerId });

/** The relay fields in the answers of every outbound ledger. */
export function relayFieldsContract(open: () => Promise<OutboundPorts>): void {
  let world: OutboundWorld;

  beforeAll(async () => {
    world = new OutboundWorld(await open());
  });
  beforeEach(async () => {
    world.relay.configurationSet = SET;
    await checkFinds(SET);
  });

  /** Stores the report of a check that found this set. */
  const checkFinds = async (name: string | null) => {
    const report: RelayReport = { account: null, configurationSet: name === null ? null : { name, destinations: [] } };
    await world.ports.relayStates.saveReport({ provider: 'ses', ...report }, [], world.clock.now());
  };
  const relayOf = async (domain: Domain) => (await world.send(domain)).relay;

  it('name the configuration set until the identity of the domain has it', async () => {
    const without = await world.domain();
    expect(await relayOf(without)).toEqual({ configurationSet: SET, tenant: null });
    await world.ports.verifications.noteAlignment(ofDomain(without), world.clock.now(), 'of-earlier-settings');
    expect(await relayOf(without)).toEqual({ configurationSet: SET, tenant: null });
    await world.ports.verifications.noteAlignment(ofDomain(without), world.clock.now(), SET);
    expect(await relayOf(without)).toEqual({ configurationSet: null, tenant: null });
  });

  it('name it for a subdomain until the identity that verifies it has it', async () => {
    const parent = await world.domain();
    const inherits = await world.domain({ parentId: parent.id }, { status: 'unverified', configurationSet: SET });
    const own = await world.domain({ parentId: parent.id }, { configurationSet: SET });
    expect([await relayOf(inherits), await relayOf(own)]).toEqual([
      { configurationSet: SET, tenant: null },
      { configurationSet: null, tenant: null },
    ]);
    await world.ports.verifications.noteAlignment(ofDomain(parent), world.clock.now(), SET);
    expect(await relayOf(inherits)).toEqual({ configurationSet: null, tenant: null });
  });

  it('name no set that the last check of the account did not find', async () => {
    const domain = await world.domain();
    for (const found of [null, 'of-earlier-settings']) {
      await checkFinds(found);
      expect(await relayOf(domain)).toEqual({ configurationSet: null, tenant: null });
    }
    await checkFinds(SET);
    expect(await relayOf(domain)).toEqual({ configurationSet: SET, tenant: null });
  });

  it('are null for a relay provider without sets', async () => {
    world.relay.configurationSet = null;
    expect(await relayOf(await world.domain())).toBeNull();
  });

  it('are in each answer of a batch, whatever its verdict, and those of its own time in a repeat', async () => {
    const [open, suspended] = [await world.domain(), await world.domain({ suspensionCauses: ['operator'] })];
    const first = anIncrement(open, { id: 'message:1' });
    const answers = await world.countOutbound.executeAll([first, first, anIncrement(suspended)]);
    const relay = { configurationSet: SET, tenant: null };
    expect(answers).toMatchObject([{ relay }, { relay }, { relay, allowed: false, reason: 'domain_suspended' }]);
    await world.ports.verifications.noteAlignment(ofDomain(open), world.clock.now(), SET);
    expect(await world.countOutbound.execute(first)).toMatchObject({ sentToday: 1, relay: { configurationSet: null } });
  });
}
