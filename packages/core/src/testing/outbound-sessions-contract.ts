import type { Domain } from '../domains/domain.js';
import type { Mailbox } from '../mailboxes/mailbox.js';
import { OpenSession } from '../outbound/open-session.js';
import { PreviewOutbound } from '../outbound/preview-outbound.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import { type OutboundPorts, OutboundWorld } from './outbound-world.js';

const HOUR_MS = 3_600_000;

/** The guarantees of every `OutboundLedger` about the sessions in which mailboxes submit. */
export function outboundSessionsContract(open: () => Promise<OutboundPorts>): void {
  describe('the session of a mailbox whose login was taken away an hour ago', () => {
    let world: OutboundWorld;
    let own: Domain;
    let mailbox: Mailbox;

    beforeAll(async () => {
      world = new OutboundWorld(await open());
    });

    beforeEach(async () => {
      // That of the database server too.
      world.clock.set(new Date());
      own = await world.domain();
      mailbox = await world.mailbox(own, 'anna', 0);
      await world.ports.mailboxes.noteRevoked(mailbox, new Date(Date.now() - HOUR_MS));
    });

    const send = (ageMs: number | null, fields: Parameters<OutboundWorld['send']>[1] = {}) =>
      world.send(own, { sender: mailbox.email, session: ageMs === null ? null : new OpenSession(ageMs), ...fields });
    const preview = async (ageMs: number | null, sender: string = mailbox.email) => {
      const { ledger, suppressions } = world.ports;
      const previews = new PreviewOutbound(ledger, suppressions, world.clock, new RestoreGate());
      const none = { recipient: null, recipientDomain: null, address: null, forwarded: false };
      const session = ageMs === null ? null : new OpenSession(ageMs);
      return (await previews.execute([{ domain: own.name, sender, session, ...none }]))[0];
    };
    const ENDED = { allowed: false, action: 'defer', reason: 'session_ended' };

    it('sends and previews nothing when it is older, and everything when it is younger or of unknown age', async () => {
      expect(await send(HOUR_MS + 60_000)).toMatchObject({ ...ENDED, sentToday: 0, headroom: 0 });
      expect(await preview(HOUR_MS + 60_000)).toMatchObject({ verdict: ENDED, headroom: 0 });
      expect(await preview(HOUR_MS - 60_000)).toMatchObject({ verdict: { allowed: true } });
      expect(await preview(null)).toMatchObject({ verdict: { allowed: true } });
      expect(await send(HOUR_MS - 60_000)).toMatchObject({ allowed: true, sentToday: 1 });
      expect(await send(null)).toMatchObject({ allowed: true, sentToday: 2 });
    });

    it('sends nothing to mailboxes of the platform either', async () => {
      const recipients = [{ domain: own.name, address: mailbox.email }];
      expect(await send(HOUR_MS + 60_000, { count: 0, recipients })).toMatchObject({ ...ENDED, count: 0 });
      expect(await send(HOUR_MS - 60_000, { count: 0, recipients })).toMatchObject({ allowed: true, count: 0 });
    });

    it('sends no message under an id that is counted, and a younger one gets the answer of the count', async () => {
      expect(await send(0, { id: 'message:1', count: 2 })).toMatchObject({ allowed: true, sentToday: 2 });
      expect(await send(HOUR_MS + 60_000, { id: 'message:1', count: 2 })).toMatchObject({ ...ENDED, sentToday: 2 });
      expect(await send(0, { id: 'message:1', count: 2 })).toMatchObject({ allowed: true, sentToday: 2 });
    });

    it('is not asked for a message that left already', async () => {
      expect(await send(null, { alreadySent: true })).toMatchObject({ allowed: true, sentToday: 1 });
    });

    it('does not concern other mailboxes, and no mailbox that does not exist any more sends', async () => {
      const other = await world.mailbox(own, 'ben', 0);
      expect(await preview(HOUR_MS + 60_000, other.email)).toMatchObject({ verdict: { allowed: true } });
      expect(await preview(0, `gone@${own.name}`)).toMatchObject({ verdict: ENDED });
      expect(await preview(null, `gone@${own.name}`)).toMatchObject({ verdict: { allowed: true } });
    });
  });
}
