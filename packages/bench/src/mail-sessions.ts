import type { Session } from './closed-loop.js';
import { Dialogue } from './dialogue.js';

export type PolicyStage = 'RCPT' | 'END-OF-MESSAGE';

/** One message of a login, as Postfix describes it to its policy services and milters. */
interface Message {
  number: number;
  login: string;
  clientPort: number;
}

const RECIPIENT = 'someone@elsewhere.example';
const FIRST_CLIENT_PORT = 40_000;
const BODY = Buffer.alloc(12_000, 'x');
/** The version and everything that Postfix offers. */
const NEGOTIATION = Buffer.from('00000006000001ff001fffff', 'hex');

/** Asks a policy service at each of the stages of every message, over one connection like Postfix. */
export async function policySession(
  port: number,
  stages: readonly PolicyStage[],
  login: () => string,
  index: number,
): Promise<Session> {
  const service = await openPolicy(port);
  return {
    send: async () => {
      const message = newMessage(login(), index);
      for (const stage of stages) await askPolicy(service, stage, message);
    },
    close: () => service.close(),
  };
}

/**
 * Asks a policy service at RCPT, with the context that the rendered Postfix names for recipients outside, and passes
 * the whole message through a milter.
 */
export async function mailSession(
  ports: { policy: number; milter: number },
  login: () => string,
  index: number,
): Promise<Session> {
  const service = await openPolicy(ports.policy);
  const milter = await openMilter(ports.milter).catch((error: unknown) => {
    service.close();
    throw error;
  });
  return {
    send: async () => {
      const message = newMessage(login(), index);
      await askPolicy(service, 'RCPT', message, 'outside');
      await passMilter(milter, message);
    },
    close: () => {
      service.close();
      milter.close();
    },
  };
}

let messages = 0;

function newMessage(login: string, index: number): Message {
  messages += 1;
  return { number: messages, login, clientPort: FIRST_CLIENT_PORT + index };
}

function openPolicy(port: number): Promise<Dialogue> {
  return Dialogue.open(port, (answer) => answer.toString('latin1').endsWith('\n\n'));
}

/** @throws Error when the service does not let the message pass. */
async function askPolicy(service: Dialogue, stage: PolicyStage, message: Message, context = ''): Promise<void> {
  const answer = (await service.ask(policyRequest(stage, message, context))).toString('latin1');
  if (!/^action=dunno/i.test(answer)) throw new Error(`The policy service answered ${answer.trim()}`);
}

/** Returns a request with the same number and length of attributes as Postfix 3.7. */
function policyRequest(stage: PolicyStage, { number, login, clientPort }: Message, context: string): string {
  return `request=smtpd_access_policy
protocol_state=${stage}
protocol_name=ESMTP
client_address=192.0.2.1
client_name=client.example.net
client_port=${clientPort}
reverse_client_name=client.example.net
server_address=192.0.2.25
server_port=587
helo_name=client.example.net
sender=${login}
recipient=${RECIPIENT}
recipient_count=${stage === 'RCPT' ? 0 : 1}
queue_id=4Xyz${number}
instance=${process.pid}.${number}.0
size=12345
etrn_domain=
stress=
sasl_method=PLAIN
sasl_username=${login}
sasl_sender=
ccert_subject=
ccert_issuer=
ccert_fingerprint=
ccert_pubkey_fingerprint=
encryption_protocol=TLSv1.3
encryption_cipher=TLS_AES_256_GCM_SHA384
encryption_keysize=256
policy_context=${context}

`;
}

async function openMilter(port: number): Promise<Dialogue> {
  const milter = await Dialogue.open(
    port,
    (answer) => answer.length >= 4 && answer.length >= 4 + answer.readUInt32BE(0),
  );
  await milter.ask(packet('O', NEGOTIATION));
  return milter;
}

/** @throws Error when the milter does not accept the message. */
async function passMilter(milter: Dialogue, message: Message): Promise<void> {
  const answer = (await milter.ask(milterMessage(message))).toString('latin1', 4);
  if (answer !== 'c') throw new Error(`The milter answered ${answer}`);
}

function milterMessage({ number, login, clientPort }: Message): Buffer {
  const macros = ['{auth_authen}', login, '{client_addr}', '192.0.2.1', '{client_port}', String(clientPort)];
  return Buffer.concat([
    packet('D', `M${macros.map((text) => `${text}\0`).join('')}`),
    packet('M', `<${login}>\0`),
    packet('D', `R{rcpt_addr}\0${RECIPIENT}\0`),
    packet('R', `<${RECIPIENT}>\0`),
    packet('L', `From\0 ${login}\0`),
    packet('L', 'Subject\0 a message of the bench\0'),
    packet('B', BODY),
    packet('D', `Ei\0bench-${process.pid}-${number}\0j\0mx.example\0`),
    packet('E', ''),
  ]);
}

/** Returns a packet: the length including the letter, the letter, and the data. */
function packet(letter: string, data: Buffer | string): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length + 1, 0);
  head.write(letter, 4, 'latin1');
  return Buffer.concat([head, bytes]);
}
