import { once } from 'node:events';
import { connect } from 'node:net';

const ROUND_SECONDS = 4;

/**
 * Runs one closed-loop round like Postfix: persistent connections, one request at a time on each, each for a new message.
 */
export async function policyRound(
  port: number,
  stage: string,
  connections: number,
  login: () => string,
): Promise<number> {
  const deadline = performance.now() + ROUND_SECONDS * 1_000;
  const started = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connections }, () => oneConnection(port, stage, deadline, login)),
  );
  const seconds = (performance.now() - started) / 1_000;
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

let messages = 0;

async function oneConnection(port: number, stage: string, deadline: number, login: () => string): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  socket.setNoDelay(true);
  return await new Promise<number>((resolve, reject) => {
    let answered = 0;
    let text = '';
    const ask = () => {
      messages += 1;
      socket.write(request(stage, login(), messages));
    };
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The policy daemon closed the connection')));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!text.endsWith('\n\n')) return;
      if (!/^action=dunno/i.test(text)) {
        reject(new Error(`The policy daemon answered ${text.trim()}`));
        return;
      }
      text = '';
      answered += 1;
      if (performance.now() < deadline) ask();
      else finish();
    });
    const finish = () => {
      clearTimeout(silence);
      socket.removeAllListeners('close');
      socket.destroy();
      resolve(answered);
    };
    // When a daemon stops replying, the replies so far are counted.
    const silence = setTimeout(finish, deadline - performance.now() + 1_000);
    ask();
  });
}

/** Returns a request with the same number and length of attributes as Postfix 3.7. */
function request(stage: string, login: string, message: number): string {
  return `request=smtpd_access_policy
protocol_state=${stage}
protocol_name=ESMTP
client_address=192.0.2.1
client_name=client.example.net
client_port=43210
reverse_client_name=client.example.net
server_address=192.0.2.25
server_port=587
helo_name=client.example.net
sender=${login}
recipient=someone@elsewhere.example
recipient_count=${stage === 'RCPT' ? 0 : 1}
queue_id=4Xyz${message}
instance=${process.pid}.${message}.0
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
policy_context=

`;
}
