import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@mailstead/core/testing/until';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../../../scripts/free-port.mjs';
import { describeWith, pathOf } from '../../../../scripts/needed-programs.mjs';
import { describePhp, PHP } from '../testing/describe-php.js';

const PAGE = fileURLToPath(new URL('../../../../docs/webhooks.md', import.meta.url));
/** Beside this file, so that Node finds the library of the receiver. */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const describePython = await describeWith('Python');

interface Receiver {
  language: string;
  file: string;
  command: (file: string, port: number) => string[];
}

const NODE: Receiver = { language: 'js', file: 'hook.mjs', command: (file) => [process.execPath, file] };
const IN_PHP: Receiver = {
  language: 'php',
  file: 'hook.php',
  command: (file, port) => [PHP, '-S', `127.0.0.1:${port}`, file],
};
const PYTHON: Receiver = { language: 'python', file: 'hook.py', command: (file) => [pathOf('python3') ?? '', file] };

describe('the documented receiver in Node', () => {
  behavesAsTheOthers(NODE);
});
describePhp('the documented receiver in PHP', () => {
  behavesAsTheOthers(IN_PHP);
});
describePython('the documented receiver in Python', () => {
  behavesAsTheOthers(PYTHON);
});

function behavesAsTheOthers({ language, file, command }: Receiver) {
  let folder: string;
  let process_: ChildProcess;
  let url: string;
  let output = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(FOLDER, 'receiver-'));
    const port = await freePort();
    const page = await readFile(PAGE, 'utf8');
    const [, source] = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(page) ?? [];
    if (source === undefined) throw new Error(`docs/webhooks.md has no receiver in ${language}`);
    await writeFile(join(folder, file), source.replace('8000', String(port)));
    const [program = '', ...args] = command(join(folder, file), port);
    process_ = spawn(program, args, { env: { PATH: process.env.PATH, SECRET }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [process_.stdout, process_.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    url = `http://127.0.0.1:${port}/`;
    await until(`the receiver, which printed ${output}`, () =>
      fetch(url, { method: 'POST', body: '' }).then(() => true),
    );
  });
  afterAll(async () => {
    const ended = once(process_, 'exit');
    process_.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true });
  });

  const post = (body: string, secret = SECRET, sentAt = new Date(), sent = body) => {
    const signature = new Webhook(secret).sign('7-1', sentAt, body);
    const headers = {
      'webhook-id': '7-1',
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
      'webhook-signature': signature,
    };
    return fetch(url, { method: 'POST', headers, body: sent });
  };

  it('echoes the challenge of a signed body', async () => {
    const challenge = randomBytes(32).toString('base64url');
    const answer = await post(JSON.stringify({ type: 'webhook.challenge', at: '2026-01-01T00:00:00', challenge }));
    expect(answer.status).toBe(200);
    expect(JSON.parse(await answer.text())).toEqual({ challenge });
  });

  it('prints the type of an event', async () => {
    expect((await post(JSON.stringify({ id: 7, type: 'domain.created', subject: 'größe.example' }))).status).toBe(200);
    await until(`the type, in ${output}`, async () => output.includes('domain.created'));
  });

  it('refuses another secret, another body and an old time', async () => {
    const body = JSON.stringify({ type: 'domain.deleted' });
    const other = `whsec_${randomBytes(32).toString('base64')}`;
    const old = new Date(Date.now() - 600_000);
    expect((await post(body, other)).status).toBe(400);
    expect((await post(body, SECRET, new Date(), body.replace('deleted', 'created'))).status).toBe(400);
    expect((await post(body, SECRET, old)).status).toBe(400);
  });
}
