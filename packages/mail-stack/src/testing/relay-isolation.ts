import { appendFile } from 'node:fs/promises';
import fc from '../../../../scripts/fast-check.mjs';
import { describeStack } from './describe-stack.js';
import { MailRig } from './mail-rig.js';
import { type AcceptedMessage, MessageFates } from './message-fates.js';
import { MilterStandIn } from './milter-stand-in.js';
import { PolicyStandIn } from './policy-stand-in.js';
import {
  keepStrictView,
  type RandomCase,
  type RandomMessage,
  type RandomPlatform,
  randomCase,
  reachedFrom,
  setPlatform,
  textOf,
} from './random-platform.js';
import { sendmail } from './run-program.js';
import { SrsStandIn } from './srs-stand-in.js';

const SRS_DOMAIN = 'srs.rig.test';

/**
 * Tests with random platforms that change between the acceptance of mail (from outside and from root) and its delivery.
 * The relays must receive nothing, and no message may be lost silently. The real servers start once for all runs.
 */
export function describeRelayIsolation(runs: number): void {
  for (const forwards of [false, true]) describeWith(forwards, runs);
}

function describeWith(forwards: boolean, runs: number): void {
  describeStack(`random platforms on a Postfix that ${forwards ? 'forwards' : 'does not forward'}`, () => {
    let rig: MailRig;
    let fates: MessageFates;
    const standIns: { stop(): Promise<void> }[] = [];
    let caseNumber = 0;

    beforeAll(async () => {
      const [policy, milter, srs, reverse] = await Promise.all([
        PolicyStandIn.start(),
        MilterStandIn.start(),
        SrsStandIn.start(SRS_DOMAIN, 'forward'),
        SrsStandIn.start(SRS_DOMAIN, 'reverse'),
      ]);
      standIns.push(policy, milter, srs, reverse);
      rig = await MailRig.start({
        policyd: policy.address,
        milter: milter.address,
        settings: forwards
          ? { forwarding: { srsDomain: SRS_DOMAIN, senderMap: srs.table, recipientMap: reverse.table } }
          : {},
      });
      fates = new MessageFates(rig);
      await keepStrictView(rig.services.database);
      // Accepted mail is held until the platform has changed. Bounces are not held.
      await appendFile(`${rig.settings.postfix.configDirectory}/main.cf`, 'header_checks = static:HOLD\n');
      await rig.postfix('postfix', 'reload');
    });

    afterAll(async () => {
      await rig?.stop();
      await Promise.all(standIns.map(async (standIn) => await standIn.stop()));
    });

    it('send no mail without a login by a relay and no notice to the outside, and lose no mail silently', async () => {
      await fc.assert(fc.asyncProperty(randomCase, check), { numRuns: runs, endOnFailure: true });
    });

    async function check(drawn: RandomCase): Promise<void> {
      caseNumber += 1;
      const [first, ...later] = drawn.platforms;
      const { database } = rig.services;
      await setPlatform(database, caseNumber, first);
      const accepted: AcceptedMessage[] = [];
      for (const [index, message] of drawn.messages.entries()) {
        const taken = await send(message, `m${index}.case${caseNumber}@rig.test`, first);
        accepted.push(...(taken === null ? [] : [taken]));
      }
      const ids = await Promise.all(accepted.map(async ({ messageId }) => await fates.queueId(messageId)));
      for (const platform of later) {
        await setPlatform(database, caseNumber, platform);
        await rig.postfix('postsuper', '-H', 'ALL');
        await fates.attemptAll(ids);
      }
      await expectNoLosses(accepted);
      await fates.expireAll(ids);
      await expectNoLosses(accepted);
      expect(await fates.leaks()).toEqual([]);
      for (const relay of rig.relays) {
        expect(relay.messages).toEqual([]);
        expect(relay.connections).toBe(0);
      }
    }

    async function expectNoLosses(accepted: AcceptedMessage[]): Promise<void> {
      const losses = await Promise.all(accepted.map(async (message) => await fates.losses(message)));
      expect(losses.flat()).toEqual([]);
    }

    /** @returns null when the message was refused. */
    async function send(
      message: RandomMessage,
      messageId: string,
      platform: RandomPlatform,
    ): Promise<AcceptedMessage | null> {
      const from = message.from === null ? '' : textOf(message.from, caseNumber);
      const to = message.to.map((address) => textOf(address, caseNumber));
      const accepted = (recipients: string[]): AcceptedMessage => ({
        messageId,
        hasSender: from !== '',
        recipients: recipients.map((recipient) => {
          const address = recipient.toLowerCase();
          return { address, reached: reachedFrom(address, platform, caseNumber) };
        }),
      });
      const body = message.large ? 'x'.repeat(70).concat('\n').repeat(16_000) : 'Hello';
      if (message.via === 'sendmail') {
        const text = `From: root@mx.rig.test\nMessage-ID: <${messageId}>\nSubject: of root\n\n${body}\n`;
        const options = message.notices ? ['-Nsuccess,delay,failure', '-Rfull'] : [];
        await sendmail(rig.settings.postfix.configDirectory, to, text, { from: from === '' ? '<>' : from, options });
        if (await fates.isTaken(messageId)) return accepted(to);
        // Only the aliases of a lax platform can loop.
        expect(platform.lax).toBe(true);
        return null;
      }
      const client = await rig.stranger();
      const { reply, recipients } = await client.send({
        from,
        to,
        body,
        headers: [`Message-ID: <${messageId}>`],
        ...(message.notices && { notices: { ret: 'FULL', notify: 'SUCCESS,DELAY,FAILURE' } as const }),
      });
      await client.quit();
      return reply.code === 250 ? accepted(to.filter((_, index) => recipients[index]?.code === 250)) : null;
    }
  });
}
