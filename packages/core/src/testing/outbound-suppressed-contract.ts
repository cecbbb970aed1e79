import { Alias } from '../aliases/alias.js';
import { DAY_MS } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import type { Address } from '../mailboxes/address.js';
import { type Preview, PreviewOutbound } from '../outbound/preview-outbound.js';
import { parseRecipient } from '../outbound/recipients.js';
import type { PartnerRef, SuppressionMode } from '../partners/partner.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import { parseSuppressedAddress } from '../suppressions/suppression-address.js';
import type { Suppressions } from '../suppressions/suppressions.js';
import { type OutboundPorts, OutboundWorld } from './outbound-world.js';

/** The guarantees of previews of suppressed recipients, of every `OutboundLedger` and `Suppressions` together. */
export function outboundSuppressedContract(open: () => Promise<OutboundPorts>): void {
  let world: OutboundWorld;
  let previews: PreviewOutbound;
  /** The number of reads of suppressions. */
  let reads = 0;

  beforeAll(async () => {
    world = new OutboundWorld(await open());
    world.clock.set(new Date('2026-03-15T12:00:00.000Z'));
    const { suppressions, ledger } = world.ports;
    const counted = Object.assign(Object.create(suppressions) as Suppressions, {
      suppressed: (...given: Parameters<Suppressions['suppressed']>) => {
        reads += 1;
        return suppressions.suppressed(...given);
      },
    });
    previews = new PreviewOutbound(ledger, counted, world.clock, new RestoreGate());
  });
  beforeEach(() => {
    reads = 0;
  });

  /** A domain of a new partner. */
  const ownDomain = async (fields: Partial<Domain> = {}): Promise<Domain> => {
    const ref = `suppressed-${Math.random().toString(36).slice(2)}` as PartnerRef;
    const { id } = await world.ports.unitOfWork.run(() => world.ports.partners.lockOrCreate(ref));
    return world.domain({ partnerId: id, partnerRef: ref, ...fields });
  };
  /** Suppresses addresses for the domain, and sets the mode of its partner. */
  const suppress = (domain: Domain, addresses: readonly string[], mode: SuppressionMode = 'refuse') =>
    world.ports.unitOfWork.run(async () => {
      const { partners, suppressions } = world.ports;
      const partner = await partners.lock(domain.partnerId);
      partner.suppressionMode = mode;
      await partners.save(partner);
      const now = world.clock.now();
      const events = addresses.map((text) => ({
        partnerId: partner.id,
        domainId: domain.id,
        address: parseSuppressedAddress(text) ?? raise(text),
        reason: 'complaint' as const,
        since: now,
        expiresAt: new Date(now.getTime() + DAY_MS),
      }));
      await suppressions.addFromEvents(partner.id, events, { now, most: 100 });
    });
  const queryOf = (domain: Domain, recipient: string, forwarded = false) => ({
    domain: domain.name,
    sender: null,
    recipient: parseRecipient(recipient),
    recipientDomain: null,
    session: null,
    address: parseSuppressedAddress(recipient),
    forwarded,
  });
  const preview = async (domain: Domain, recipient: string, forwarded = false): Promise<Preview> =>
    (await previews.execute([queryOf(domain, recipient, forwarded)]))[0] ?? raise(recipient);
  const reasonOf = ({ verdict }: Preview) => ('refused' in verdict ? verdict.refused : verdict.reason);

  describe('a suppressed recipient', () => {
    it('is refused in any letter case, with the day; others pass, with the headroom that they had', async () => {
      const domain = await ownDomain({ operatorDailyLimit: 5 });
      await suppress(domain, ['gone@out.example']);
      const refused = await preview(domain, 'GONE@Out.Example');
      expect(refused).toMatchObject({
        verdict: { allowed: false, action: 'reject', reason: 'recipient_suppressed', sentToday: 0 },
        countsAs: 1,
        headroom: 5,
        eachRecipient: true,
        suppressedSince: world.clock.now(),
      });
      const others = await preview(domain, 'other@out.example');
      expect(others).toMatchObject({ verdict: { allowed: true, reason: null }, headroom: 5, suppressedSince: null });
      expect(others.eachRecipient).toBe(true);
    });

    it('of a batch costs one read, whatever the number of domains', async () => {
      const domains = [await ownDomain(), await ownDomain(), await ownDomain()];
      for (const domain of domains) await suppress(domain, [`r@${domain.name}.out.example`]);
      const queries = domains.flatMap((own) => domains.map(({ name }) => queryOf(own, `r@${name}.out.example`)));
      const found = await previews.execute(queries);
      expect(found.map(reasonOf)).toEqual(
        domains.flatMap((own) => domains.map(({ id }) => (id === own.id ? 'recipient_suppressed' : null))),
      );
      expect(reads).toBe(1);
    });

    it('costs no read of partners that only list, or have none', async () => {
      const [listing, empty] = [await ownDomain(), await ownDomain()];
      await suppress(listing, ['gone@out.example'], 'list');
      await suppress(empty, []);
      for (const domain of [listing, empty]) {
        const found = await preview(domain, 'gone@out.example');
        expect([reasonOf(found), found.eachRecipient]).toEqual([null, false]);
      }
      expect(reads).toBe(0);
    });

    it('is no longer one when it expires', async () => {
      const domain = await ownDomain();
      await suppress(domain, ['late@out.example']);
      world.clock.advance(DAY_MS - 1);
      expect(reasonOf(await preview(domain, 'late@out.example'))).toBe('recipient_suppressed');
      world.clock.advance(1);
      expect(reasonOf(await preview(domain, 'late@out.example'))).toBeNull();
    });

    it('is left to the relay behind an alias and in forwarded mail, and is none on the platform', async () => {
      const domain = await ownDomain({ inbound: 'open' });
      const alias = `team@${domain.name}`;
      await world.ports.unitOfWork.run(() =>
        world.ports.aliases.add(
          Alias.create({
            domainId: domain.id,
            address: alias as Address,
            destination: 'gone@out.example' as Address,
            destinationMailboxId: null,
            createdAt: world.clock.now(),
          }),
        ),
      );
      await suppress(domain, ['gone@out.example', alias]);
      expect(reasonOf(await preview(domain, alias))).toBeNull();
      expect(reasonOf(await preview(domain, alias, true))).toBeNull();
      expect(reasonOf(await preview(domain, 'gone@out.example', true))).toBeNull();
      expect(reasonOf(await preview(domain, 'gone@out.example'))).toBe('recipient_suppressed');
    });

    it('stands behind the state of the domain and before its limits, in monitor too', async () => {
      const domain = await ownDomain({ outboundStatus: 'blocked' });
      await suppress(domain, ['gone@out.example']);
      expect(reasonOf(await preview(domain, 'gone@out.example'))).toBe('outbound_blocked');
      const limited = await ownDomain({ operatorDailyLimit: 1, outboundEnforcement: 'monitor' });
      await suppress(limited, ['gone@out.example']);
      await world.send(limited, { count: 1 });
      expect(reasonOf(await preview(limited, 'gone@out.example'))).toBe('recipient_suppressed');
      const full = await ownDomain({ operatorDailyLimit: 1 });
      await suppress(full, ['gone@out.example']);
      await world.send(full, { count: 1 });
      expect(await preview(full, 'gone@out.example')).toMatchObject({ headroom: 0 });
      expect(reasonOf(await preview(full, 'other@out.example'))).toBe('daily_limit');
    });

    it('is still counted by an increment', async () => {
      const domain = await ownDomain();
      await suppress(domain, ['gone@out.example']);
      const recipients = [parseRecipient('gone@out.example')];
      expect(await world.send(domain, { count: 0, recipients })).toMatchObject({ allowed: true, count: 1 });
    });
  });
}

function raise(text: string): never {
  throw new Error(`There is no preview of ${text}`);
}
