import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createPostJson } from '@mailstead/client/post-json';
import { CountMessages } from './count-messages.js';
import { FailOpen } from './fallback/fail-open.js';
import { Journal } from './fallback/journal.js';
import { RefusalMemory } from './fallback/refusal-memory.js';
import { UnusedCounts } from './fallback/unused-counts.js';
import { createLogger } from './logger.js';
import { PolicydMetrics } from './metrics.js';
import { MilterServer } from './milter/milter-server.js';
import { type ClientMessage, MilterClient } from './milter/testing/milter-client.js';
import { OpenSessions } from './open-sessions.js';
import { OutboundApi } from './outbound-api.js';
import { HeadroomMemory } from './policy/headroom-memory.js';
import { RecipientMemory } from './policy/recipient-memory.js';
import { relayFields } from './relay-fields.js';

const LOGIN = 'alice@acme.test';
const MESSAGE: ClientMessage = { login: LOGIN, headers: [['From', LOGIN]], queueId: '4Xy.Z' };
const TAG = 'X-SES-MESSAGE-TAGS: mailstead=mx_acme_test-4Xy_Z';

describe('the relay fields of a message', () => {
  /** What the API answers for each item; null closes the connection. */
  let verdict: object | null;
  let api: Server;
  let folder: string;
  let journal: Journal;
  let refusals: RefusalMemory;

  beforeEach(async () => {
    verdict = { action: 'accept', reason: null };
    api = createServer((request, response) => {
      void json(request).then((body) => {
        if (verdict === null) return request.socket.destroy();
        const { items } = body as { items: unknown[] };
        response.setHeader('Content-Type', 'application/json');
        return response.end(JSON.stringify(items.map(() => verdict)));
      });
    });
    await once(api.listen(0, '127.0.0.1'), 'listening');
    folder = await mkdtemp(join(tmpdir(), 'mailstead-relay-fields-'));
    journal = await Journal.open(folder);
    refusals = await RefusalMemory.open(folder);
  });
  afterEach(async () => {
    await journal.close();
    await refusals.saved();
    await rm(folder, { recursive: true, force: true });
    api.closeAllConnections();
    await new Promise((resolve) => api.close(resolve));
  });

  async function outcome(relay: 'ses' | null, message: ClientMessage = MESSAGE) {
    const { port } = api.address() as AddressInfo;
    const post = createPostJson({ url: `http://127.0.0.1:${port}`, token: 'token', timeoutMs: 2_000 });
    const metrics = new PolicydMetrics(createLogger('error'));
    const fallback = new FailOpen(journal, refusals);
    const counter = new CountMessages(
      new OutboundApi(post, metrics.policy),
      fallback,
      await UnusedCounts.open(folder, () => undefined),
      new RecipientMemory(),
      new HeadroomMemory(),
      'mx-1',
      relay,
      0,
    );
    const milter = new MilterServer(counter, metrics.milter, new OpenSessions());
    await milter.listen({ host: '127.0.0.1', port: 0 });
    const client = await MilterClient.open({ port: Number(milter.address.split(':')[1]) });
    try {
      return await client.send(message);
    } finally {
      client.close();
      await milter.close(0);
    }
  }

  it('are the tag, and the configuration set when the API names one', async () => {
    for (const relay of [undefined, null, { configuration_set: null, tenant: null }]) {
      verdict = { action: 'accept', reason: null, relay };
      expect(await outcome('ses')).toEqual({ reply: null, removed: [], added: [TAG] });
    }
    verdict = { action: 'accept', reason: null, relay: { configuration_set: 'mailstead', tenant: null } };
    expect((await outcome('ses')).added).toEqual([TAG, 'X-SES-CONFIGURATION-SET: mailstead']);
    expect((await outcome(null)).added).toEqual([]);
  });

  it('name the tenant that the API names', async () => {
    verdict = { action: 'accept', reason: null, relay: { configuration_set: null, tenant: 'ms-1a2b3c4d-7' } };
    expect((await outcome('ses')).added).toEqual([TAG, 'X-SES-TENANT: ms-1a2b3c4d-7']);
  });

  describe('of a read receipt', () => {
    const receipt: ClientMessage = {
      ...MESSAGE,
      sender: '',
      headers: [...MESSAGE.headers, ['Content-Type', 'multipart/report; report-type=disposition-notification']],
    };
    const MARKED = ['Auto-Submitted: auto-replied', `${TAG}, mailstead_receipt=yes`];

    it('mark it in a tag that no sender can write; it leaves as the login unless the API says that it stays', async () => {
      for (const fields of [{}, { count: 1 }]) {
        verdict = { action: 'accept', reason: null, ...fields };
        expect(await outcome('ses', receipt)).toMatchObject({ reply: null, added: MARKED, sender: `<${LOGIN}>` });
      }
      verdict = { action: 'accept', reason: null, count: 0 };
      expect(await outcome('ses', receipt)).toEqual({ reply: null, removed: [], added: MARKED });
    });

    it.each([
      ['reject', 'message_exceeds_limit', /^550 5\.7\.1 A read receipt may have one recipient only, .*\[/],
      ['defer', 'mailbox_limit', /^450 4\.7\.1 .*read receipts, please try again tomorrow \[/],
    ])(
      'are none when it is over its limits (%s), and other mail of the domain passes without the API',
      async (...of) => {
        const [action, reason, reply] = of;
        verdict = { action, reason, count: 2 };
        expect(await outcome('ses', receipt)).toMatchObject({ reply: expect.stringMatching(reply), added: [] });
        verdict = null;
        expect(await outcome('ses')).toMatchObject({ reply: null });
        expect(await outcome('ses', receipt)).toMatchObject({ reply: expect.stringMatching(/^451 /), added: [] });
        expect(journal.size).toBe(1);
      },
    );
  });

  it('replace those of the sender', async () => {
    const headers: ClientMessage['headers'] = [
      ['From', LOGIN],
      ['x-ses-message-tags', 'mailstead=other'],
    ];
    expect(await outcome('ses', { ...MESSAGE, headers })).toEqual({
      reply: null,
      removed: ['x-ses-message-tags#1'],
      added: [TAG],
    });
  });

  it('are the tag alone for a message that passes while the API is unavailable', async () => {
    verdict = null;
    expect(await outcome('ses')).toEqual({ reply: null, removed: [], added: [TAG] });
    expect(journal.size).toBe(1);
  });

  it('are not in a refused message, and not in one without a login, which never leaves by a relay', async () => {
    verdict = { action: 'defer', reason: 'daily_limit', relay: { configuration_set: 'mailstead', tenant: null } };
    expect(await outcome('ses')).toMatchObject({ reply: expect.stringMatching(/^450 /), added: [] });
    verdict = { action: 'accept', reason: null, relay: { configuration_set: 'mailstead', tenant: null } };
    expect(await outcome('ses', { ...MESSAGE, login: null })).toEqual({ reply: null, removed: [], added: [] });
  });

  it('have a tag of at most 200 characters that ends with the queue id', () => {
    const [tag] = relayFields(`${'long.'.repeat(60)}test`, '4XyZ', null);
    expect(tag?.value).toMatch(/^mailstead=[A-Za-z0-9_-]{195}-4XyZ$/);
  });

  it.each(['', 'a b', 'a\r\nBcc: <x@y.test>', 'ä', 'x'.repeat(65)])('ignore %j as a set or a tenant', (name) => {
    expect(relayFields('mx', '4XyZ', { configuration_set: name, tenant: name })).toHaveLength(1);
  });
});
