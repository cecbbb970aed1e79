import { ACTION, MACRO_STEP, MILTER_VERSION, packetOf, REPLY, STEP } from './milter-protocol.js';
import { MilterProtocolError } from './milter-protocol-error.js';

/**
 * The connection is announced and answered: it tells when a session began, before the first request about a recipient.
 * Omits unneeded steps and replies, and requests field values as written. DATA keeps its reply: the next packets come
 * from another process of Postfix, and without a reply they wait for a delayed TCP ACK, about 40 ms for each message.
 */
const OMITTED_STEPS =
  STEP.noHelo |
  STEP.noEndOfHeaders |
  STEP.noUnknown |
  STEP.noAnswerToHeader |
  STEP.noAnswerToMail |
  STEP.noAnswerToRcpt |
  STEP.noAnswerToBody |
  STEP.blankBeforeValue;

/**
 * Macros are requested by name, so that no setting of the mail server can hide the login. `mail_addr` and `rcpt_addr`
 * are sender and recipient as parsed by the mail server, because a client can write one address in many ways.
 */
const MACROS: [step: number, names: string][] = [
  [MACRO_STEP.mail, '{auth_authen} {mail_addr} {client_addr} {client_port}'],
  [MACRO_STEP.rcpt, '{rcpt_addr}'],
  [MACRO_STEP.endOfMessage, 'i j'],
];

export interface Negotiated {
  reply: Buffer;
  /** The bits of STEP that were negotiated. */
  steps: number;
}

/**
 * Accepts the needed part of the mail server's offer.
 *
 * @throws MilterProtocolError when the offer has an older version, no additions or changes of headers, no changes of
 * the sender, or no choice of macros.
 */
export function negotiate(offer: Buffer): Negotiated {
  if (offer.length < 12) throw new MilterProtocolError('an offer that is too short');
  const [version, actions, offered] = [offer.readUInt32BE(0), offer.readUInt32BE(4), offer.readUInt32BE(8)];
  const wanted = ACTION.addHeaders | ACTION.changeHeaders | ACTION.changeSender | ACTION.chooseMacros;
  if (version < MILTER_VERSION || (actions & wanted) !== wanted) {
    throw new MilterProtocolError(
      `an offer of version ${version} and actions ${actions}: version 6, additions and changes of headers, changes of the sender and a choice of macros are needed`,
    );
  }
  const steps = OMITTED_STEPS & offered;
  const head = Buffer.alloc(12);
  head.writeUInt32BE(MILTER_VERSION, 0);
  head.writeUInt32BE(wanted, 4);
  head.writeUInt32BE(steps, 8);
  const macros = MACROS.flatMap(([step, names]) => {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(step, 0);
    return [number, Buffer.from(`${names}\0`, 'latin1')];
  });
  return { reply: packetOf(REPLY.negotiate, Buffer.concat([head, ...macros])), steps };
}
