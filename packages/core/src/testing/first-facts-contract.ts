import type { Domain } from '../domains/domain.js';
import type { FirstFactsReader } from '../first-steps/first-facts-reader.js';
import type { FirstFacts } from '../first-steps/first-steps.js';
import type { Partner } from '../partners/partner.js';
import { allRowsOf } from '../partners/partner-scope.js';
import { type OutboundPorts, OutboundWorld } from './outbound-world.js';
import { type RepositoryPorts, RepositoryWorld } from './repository-world.js';

export interface FirstFactsPorts extends OutboundPorts, RepositoryPorts {
  firstFacts: FirstFactsReader;
}

/** The guarantees of every `FirstFactsReader`, on a database that is empty at first. */
export function firstFactsContract(open: () => Promise<FirstFactsPorts>): void {
  let ports: FirstFactsPorts;
  let world: RepositoryWorld;
  let outbound: OutboundWorld;

  beforeAll(async () => {
    ports = await open();
    world = new RepositoryWorld(ports);
    outbound = new OutboundWorld(ports);
  });

  const ofAll = () => ports.firstFacts.read('all', undefined, outbound.clock.now());
  const of = ({ id }: Partner, domainIds: readonly number[] | null = null): Promise<FirstFacts> =>
    ports.firstFacts.read({ ...allRowsOf(id), domainIds }, undefined, outbound.clock.now());
  const verified = (partner: Partner, fields: Partial<Domain> = {}) =>
    world.domain(partner, fields, { status: 'verified' });
  /** As a use case adds it. @returns its address */
  const mailbox = async (domain: Domain, localPart: string) => {
    await ports.unitOfWork.run(() => ports.domains.addToCounts(domain.id, { mailboxes: 1 }));
    return (await world.mailbox(domain, localPart)).email;
  };
  const NOTHING: FirstFacts = { hasSent: false, hasPartner: null, domain: null };

  it('of an empty installation are none, nor is the row of no partner one', async () => {
    expect(await ofAll()).toEqual({ ...NOTHING, hasPartner: false });
    const own = await world.domain(await world.partner(null));
    expect(await ofAll()).toEqual({
      hasSent: false,
      hasPartner: false,
      domain: { name: own.name, verified: false, mailbox: null },
    });
    const partner = await world.partner();
    expect(await ofAll()).toMatchObject({ hasPartner: true });
    expect(await of(partner)).toEqual(NOTHING);
  });

  it('lead to the newest unverified domain, then to the newest verified one, then to one with a mailbox', async () => {
    const partner = await world.partner();
    const domain = async () => (await of(partner)).domain;
    await world.domain(partner);
    const newest = await world.domain(partner);
    expect(await domain()).toEqual({ name: newest.name, verified: false, mailbox: null });
    const ann = await mailbox(newest, 'ann');
    await world.domain(partner);
    expect(await domain()).toEqual({ name: newest.name, verified: false, mailbox: ann });
    const first = await verified(partner);
    const second = await verified(partner);
    expect(await domain()).toEqual({ name: second.name, verified: true, mailbox: null });
    const ben = await mailbox(first, 'ben');
    await mailbox(first, 'cleo');
    expect(await domain()).toEqual({ name: first.name, verified: true, mailbox: ben });
  });

  it('have a domain below a verified one for a verified one', async () => {
    const partner = await world.partner();
    const parent = await verified(partner);
    const below = await world.domain(partner, { parentId: parent.id });
    const ann = await mailbox(below, 'ann');
    expect((await of(partner)).domain).toEqual({ name: below.name, verified: true, mailbox: ann });
  });

  it('tell of a message when it was counted, in every scope with its domain, and in no other one', async () => {
    const [partner, other] = [await world.partner(), await world.partner()];
    const [domain, silent] = [await verified(partner), await verified(partner)];
    const sent = async () => [
      (await of(partner)).hasSent,
      (await of(partner, [domain.id])).hasSent,
      (await of(partner, [silent.id])).hasSent,
      (await of(partner, [])).hasSent,
      (await of(other)).hasSent,
    ];
    expect(await sent()).toEqual([false, false, false, false, false]);
    expect((await ofAll()).hasSent).toBe(false);
    await outbound.send(domain);
    expect(await sent()).toEqual([true, true, false, false, false]);
    expect(await ofAll()).toEqual({ hasSent: true, hasPartner: true, domain: null });
  });

  it('of a caller that is limited to some domains are theirs, and nothing of others is in them', async () => {
    const [partner, other] = [await world.partner(), await world.partner()];
    const [own, neighbour, foreign] = [await world.domain(partner), await verified(partner), await verified(other)];
    await mailbox(neighbour, 'ann');
    expect((await of(partner, [own.id])).domain).toEqual({ name: own.name, verified: false, mailbox: null });
    expect((await of(partner, [own.id, foreign.id])).domain?.name).toBe(own.name);
    expect((await of(partner, [foreign.id])).domain).toBeNull();
    expect((await of(partner, [])).domain).toBeNull();
  });

  it('are those of the partner that is named, and none of one outside of the scope', async () => {
    const [partner, other] = [await world.partner(), await world.partner()];
    const domain = await verified(partner);
    const now = outbound.clock.now();
    const named = (scope: 'all' | Partner, { ref }: Pick<Partner, 'ref'>) =>
      ports.firstFacts.read(scope === 'all' ? scope : allRowsOf(scope.id), ref ?? undefined, now);
    const found = { hasSent: false, hasPartner: null, domain: { name: domain.name, verified: true, mailbox: null } };
    expect(await named('all', partner)).toEqual(found);
    expect(await named(partner, partner)).toEqual(found);
    expect(await named(other, partner)).toEqual(NOTHING);
    expect(await named('all', { ref: world.ref() })).toEqual(NOTHING);
  });
}
