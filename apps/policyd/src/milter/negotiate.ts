import { ACTION, MACRO_STEP, MILTER_VERSION, packetOf, REPLY, STEP } from './milter-protocol.js';
import { MilterProtocolError } from './milter-protocol-error.js';

/**
 * Steps that nobody here needs, values as they were written, and answers that nobody needs to wait for. DATA is answered, the last step before another
 * process of Postfix goes on with the header: the answer tells its TCP that all before has arrived. Without it the header
 * would be held back until a delayed ACK, some 40 ms for each message.
 */
const LEFT_OUT =
  STEP.noConnect |
  STEP.noHelo |
  STEP.noEndOfHeaders |
  STEP.noUnknown |
  STEP.noAnswerToHeader |
  STEP.noAnswerToMail |
  STEP.noAnswerToRcpt |
  STEP.noAnswerToBody |
  STEP.blankBeforeValue;

/**
 * Asked for by name, so that no setting of the mail server can hide who logged in. The recipient as the mail server reads it,
 * not as the client wrote it: one address may be written in many ways.
 */
const MACROS: [step: number, names: string][] = [
  [MACRO_STEP.mail, '{auth_authen} {client_addr} {client_port}'],
  [MACRO_STEP.rcpt, '{rcpt_addr}'],
  [MACRO_STEP.endOfMessage, 'i j'],
];

export interface Agreement {
  reply: Buffer;
  /** The bits of STEP that the mail server will honour. */
  steps: number;
}

/**
 * Answers the mail server's offer with what is needed of it.
 *
 * @throws MilterProtocolError when it offers an older version, or no change of headers or choice of macros.
 */
export function negotiate(offer: Buffer): Agreement {
  if (offer.length < 12) throw new MilterProtocolError('an offer that is too short');
  const [version, actions, offered] = [offer.readUInt32BE(0), offer.readUInt32BE(4), offer.readUInt32BE(8)];
  const wanted = ACTION.changeHeaders | ACTION.chooseMacros;
  if (version < MILTER_VERSION || (actions & wanted) !== wanted) {
    throw new MilterProtocolError(
      `an offer of version ${version} and actions ${actions}: version 6, changes of headers and a choice of macros are needed`,
    );
  }
  const steps = LEFT_OUT & offered;
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
