import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type MailsteadClient } from '@mailstead/client/mailstead-client';
import { createPostJson } from '@mailstead/client/post-json';
import { Child } from '@mailstead/core/testing/child';
import { freePort } from '../../../../scripts/free-port.mjs';
import { ApiTransferReporter } from './api-transfer-reporter.js';
import { readDelivery } from './delivered-message.js';

const MASTER = 'master-token-of-the-reporter-0123456789';
const POLICY = 'policy-token-of-the-reporter-0123456789';

describe('a report of inbound bytes to the API', () => {
  let folder: string;
  let api: Child;
  let master: MailsteadClient;
  let reporter: ApiTransferReporter;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transfer-reporter-'));
    const port = await freePort();
    const environment = { PORT: String(port), DATA_DIR: folder, MASTER_TOKEN: MASTER };
    api = new Child('api', { ...environment, OPERATOR_TOKENS: `policyd:policy:${POLICY}` });
    const url = `http://127.0.0.1:${port}`;
    await api.until(async () => (await fetch(`${url}/health`)).ok);
    master = createClient({ url, token: MASTER });
    reporter = new ApiTransferReporter(createPostJson({ url, token: POLICY, timeoutMs: 10_000 }));
    await master.POST('/domains/', { body: { name: 'acme.test' } });
  });

  afterAll(async () => {
    await api.end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const bytes = async (): Promise<number> => {
    const { data } = await master.GET('/domains/{domain_name}/outbound', {
      params: { path: { domain_name: 'acme.test' } },
    });
    return data?.bytes_this_month ?? Number.NaN;
  };
  const delivery = (session: string, domain: string, size: number) => {
    const found = readDelivery(
      `Nov 21 07:07:20 lmtp(a@${domain})<75><${session}>: Info: msgid=<1@b.test>, size=${size}, saved mail to INBOX`,
    );
    if (found === null) throw new Error('The line is no delivery.');
    return found;
  };

  it('counts each delivery once when it is reported several times, and ignores deliveries to a deleted domain', async () => {
    const batch = [
      delivery('one', 'acme.test', 500),
      delivery('two', 'gone.test', 70),
      delivery('three', 'acme.test', 40),
    ];
    await reporter.report(batch);
    expect(await bytes()).toBe(540);
    await reporter.report([...batch, delivery('four', 'acme.test', 1)]);
    expect(await bytes()).toBe(541);
  });

  it('may contain a thousand deliveries', async () => {
    const before = await bytes();
    await reporter.report(Array.from({ length: 1_000 }, (_, index) => delivery(`many${index}`, 'acme.test', 2)));
    expect(await bytes()).toBe(before + 2_000);
  });

  it('fails when the API rejects it', async () => {
    const stranger = new ApiTransferReporter(
      createPostJson({ url: 'http://127.0.0.1:1', token: POLICY, timeoutMs: 10_000 }),
    );
    await expect(stranger.report([delivery('five', 'acme.test', 1)])).rejects.toThrow('ECONNREFUSED');
  });
});
