import { describeStack } from './testing/describe-stack.js';
import { LineSocket } from './testing/line-socket.js';
import { PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';

describeStack('POP3', () => {
  let stack: WholeStack<PolicyStandIn>;

  beforeAll(async () => {
    stack = await WholeStack.start();
  });
  afterAll(async () => {
    await stack?.stop();
  });

  /** Logs in. @returns the connection, and the reply to the password. */
  const login = async (password: string): Promise<{ socket: LineSocket; reply: string }> => {
    const socket = await LineSocket.open(stack.rig.ports.pop3s, stack.rig.certificate.cert);
    await socket.readLine();
    socket.write(`USER ${ALICE}\r\n`);
    await socket.readLine();
    socket.write(`PASS ${password}\r\n`);
    return { socket, reply: await socket.readLine() };
  };

  it('reads a message with the right password only, and not in a suspended domain', async () => {
    await stack.receive({ to: ALICE, subject: 'by pop' });
    await stack.rig.arrival(ALICE, 'by pop');
    const { socket, reply } = await login(PASSWORD);
    expect(reply).toMatch(/^\+OK/);
    socket.write('STAT\r\n');
    expect(await socket.readLine()).toMatch(/^\+OK 1 /);
    socket.close();
    expect((await login('wrong password')).reply).toMatch(/^-ERR/);
    await stack.acme.put('/domains/acme.test/suspend');
    expect((await login(PASSWORD)).reply).toMatch(/^-ERR/);
  });
});
