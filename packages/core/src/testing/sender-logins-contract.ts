import { Alias } from '../aliases/alias.js';
import type { AliasRepository } from '../aliases/alias-repository.js';
import type { Domain } from '../domains/domain.js';
import { type Address, type AliasAddress, inLowerCase } from '../mailboxes/address.js';
import type { Mailbox } from '../mailboxes/mailbox.js';
import { CheckSenders, type SenderClaim } from '../outbound/check-senders.js';
import type { SenderLogins } from '../outbound/sender-logins.js';
import { anIncrement, type OutboundPorts, OutboundWorld } from './outbound-world.js';

export interface SenderLoginsPorts extends OutboundPorts {
  aliases: AliasRepository;
  senderLogins: SenderLogins;
}

/** The guarantees of every `SenderLogins`: the rule is that of the view which Postfix reads. */
export function senderLoginsContract(open: () => Promise<SenderLoginsPorts>): void {
  let ports: SenderLoginsPorts;
  let world: OutboundWorld;
  let acme: Domain;
  let beta: Domain;
  let pending: Domain;

  beforeAll(async () => {
    ports = await open();
    world = new OutboundWorld(ports);
    acme = await world.domain();
    beta = await world.domain();
    pending = await world.domain({ inbound: 'pending' });
    const alice = await world.mailbox(acme, 'alice', 0);
    const off = await world.mailbox(acme, 'off', 0);
    const frank = await world.mailbox(beta, 'frank', 0);
    const pia = await world.mailbox(pending, 'pia', 0);
    const bob = await world.mailbox(acme, 'bob', 0);
    await alias(acme, 'info', alice);
    await alias(acme, 'info', bob);
    await alias(acme, 'mute', off);
    await alias(acme, 'far', frank);
    await alias(acme, 'out', null);
    await alias(acme, '', alice);
    await alias(beta, '', off);
    await alias(pending, 'x', pia);
    off.active = false;
    await ports.unitOfWork.run(() => ports.mailboxes.save(off));
  });

  async function alias(domain: Domain, localPart: string, mailbox: Mailbox | null): Promise<void> {
    await ports.unitOfWork.run(() =>
      ports.aliases.add(
        Alias.create({
          domainId: domain.id,
          address: `${localPart}@${domain.name}` as Address | AliasAddress,
          destination: mailbox?.email ?? ('friend@elsewhere.example' as Address),
          destinationMailboxId: mailbox?.id ?? null,
          createdAt: world.clock.now(),
        }),
      ),
    );
  }

  /** Whether alice may send as each address. In an address `#` is the domain acme, `%` is beta. */
  async function ofAlice(...addresses: string[]): Promise<boolean[]> {
    return ask(...addresses.map((address) => ['alice@#', address] as const));
  }

  async function ask(...pairs: (readonly [login: string, address: string])[]): Promise<boolean[]> {
    const full = (text: string) =>
      inLowerCase(text.replace('#', acme.name).replace('%', beta.name).replace('!', pending.name));
    const claims = pairs.map(([login, address]) => ({ login: full(login), address: full(address) }));
    const answers = await new CheckSenders(ports.senderLogins).execute(claims);
    expect(await askTheCount(claims)).toEqual(answers);
    return answers;
  }

  /** Asks with increments without outside recipients, so that no limit decides. */
  async function askTheCount(claims: readonly SenderClaim[]): Promise<boolean[]> {
    const increments = claims.map(({ login, address }) => {
      const sender = login === '' ? null : login;
      return anIncrement(acme, { sender, claims: [address], count: 0 });
    });
    const outcomes = await world.countOutbound.executeAll(increments);
    return outcomes.map((outcome, index) => {
      expect(outcome).toMatchObject(
        'allowed' in outcome && !outcome.allowed
          ? { reason: 'sender_not_allowed', foreignSender: increments[index]?.claims[0] }
          : { reason: null },
      );
      return 'allowed' in outcome && outcome.allowed;
    });
  }

  describe('a login may send as', () => {
    it('its own address, in upper or lower case, and not as another mailbox', async () => {
      expect(await ofAlice('alice@#', 'ALICE@#', 'bob@#', 'frank@%')).toEqual([true, true, false, false]);
      expect(await ask(['ALICE@#', 'alice@#'], ['nobody@#', 'alice@#'], ['', 'alice@#'])).toEqual([true, false, false]);
    });

    it('the aliases that deliver to it, also when they deliver to several logins', async () => {
      expect(await ask(['alice@#', 'info@#'], ['bob@#', 'info@#'], ['off@#', 'info@#'])).toEqual([true, true, false]);
    });

    it('every address of the catch-all that delivers to it, but not as another mailbox, active or disabled, or as an alias of another login', async () => {
      expect(await ofAlice('anything@#', 'off@#', 'bob@#', 'mute@#', 'far@#', 'out@#')).toEqual([
        true,
        false,
        false,
        false,
        false,
        false,
      ]);
      expect(await ask(['bob@#', 'anything@#'])).toEqual([false]);
    });

    it('no address of an alias or a catch-all of another domain or of a disabled mailbox', async () => {
      expect(await ask(['frank@%', 'far@#'], ['off@#', 'mute@#'], ['off@#', 'anything@%'])).toEqual([
        false,
        false,
        false,
      ]);
    });

    it('subaddresses of the addresses that it may send as, and of no others', async () => {
      expect(await ofAlice('alice+tag@#', 'info+a+b@#', 'alice+@#', 'bob+tag@#', 'off+tag@#')).toEqual([
        true,
        true,
        true,
        false,
        false,
      ]);
      expect(await ask(['bob@#', '+bob@#'])).toEqual([false]);
    });

    it('no address of a domain whose inbound is not open or that is not on this platform', async () => {
      expect(await ask(['pia@!', 'pia@!'], ['pia@!', 'x@!'], ['alice@#', 'alice@absent.example'])).toEqual([
        false,
        false,
        false,
      ]);
    });

    it('no text that is not an address', async () => {
      const odd = [
        '',
        '@',
        '@#',
        'alice',
        'alice@',
        'alice@# ',
        ' alice@#',
        'ålice@#',
        'alice\0@#',
        '"alice"@%',
        "' OR 1=1 --@%",
        '%@%',
        '_lice@%',
      ];
      expect(await ofAlice(...odd)).toEqual(odd.map(() => false));
    });
  });

  it('returns the results of a thousand claims in order', async () => {
    const pairs = Array.from(
      { length: 1_000 },
      (_, index) => ['alice@#', index % 3 === 0 ? 'bob@#' : `a${index}+x@#`] as const,
    );
    expect(await ask(...pairs)).toEqual(pairs.map((_, index) => index % 3 !== 0));
    expect(await ask()).toEqual([]);
  });
}
