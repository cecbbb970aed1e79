import { SilentMeters } from '@mailstead/core/meters';
import { allRowsOf } from '@mailstead/core/partners/partner-scope';
import { PortalLink } from '@mailstead/core/portal-links/portal-link';
import type { RelayEvent } from '@mailstead/core/relay-events/relay-event';
import { Session } from '@mailstead/core/sessions/session';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { foundInTwos, inPagesOfTwo, RepositoryWorld } from '@mailstead/core/testing/repository-world';
import { TypeormApiKeyRepository } from '../api-keys/api-key-repository.js';
import { LastUsedStamps } from '../api-keys/last-used-stamps.js';
import { SqlUsageReader } from '../api-keys/usage-reader.js';
import type { Database } from '../driver/database.js';
import { SqlDomainFinder } from '../finding/domain-finder.js';
import { TypeormIdempotencyStore } from '../operators/idempotency-store.js';
import { TypeormPortalLinkRepository } from '../portal-links/portal-link-repository.js';
import { TypeormRelayCalls } from '../relay/relay-calls.js';
import { TypeormBounceLog } from '../relay-events/bounce-log.js';
import { TypeormRelayEventInbox } from '../relay-events/relay-event-inbox.js';
import { SqlPurgeMarks } from '../retention/purge-marks.js';
import { TypeormSessionRepository } from '../sessions/session-repository.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';

const clock = new FixedClock();
const NOW = clock.now();
const later = (ms: number) => new Date(NOW.getTime() + ms);
const DAY_MS = 86_400_000;

/** The ports that have one implementation and no contract suite of their own. */
onEachDatabase((kind) => {
  let opened: TestDatabase;
  let database: Database;
  let ports: ReturnType<typeof outboundPorts> & { keys: TypeormApiKeyRepository };
  let world: RepositoryWorld;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    ({ database } = opened);
    const keys = new TypeormApiKeyRepository(database, new LastUsedStamps(database), new SilentMeters());
    ports = { ...outboundPorts(database, clock), keys };
    world = new RepositoryWorld(ports);
  });
  afterAll(() => opened.close());

  describe('an idempotency key', () => {
    const requestOf = (key: string, fingerprint = 'POST /domains/', caller = 'key:1') => ({
      caller,
      scope: 'all' as const,
      key,
      fingerprint,
    });
    const answerOf = (text: string) => ({ status: 201, body: { text, at: null, list: [1, '🦊'] } });
    const open = () => new TypeormIdempotencyStore(database, ports.unitOfWork, 'secret');
    const aSubject = async () => ({ table: 'domain' as const, id: (await world.domain(await world.partner())).id });

    it('has its response for a day and while its row exists, and is free after a failure', async () => {
      const [store, request, subject] = [open(), requestOf('one'), await aSubject()];
      expect(await store.begin(request, NOW)).toBeNull();
      await expect(store.begin(request, NOW)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
      await store.free(request, NOW);
      expect(await store.begin(request, NOW)).toBeNull();
      await ports.unitOfWork.run(() => store.keep(request, NOW, answerOf('first "x" \\'), subject));
      expect(await store.begin(request, later(DAY_MS))).toEqual(answerOf('first "x" \\'));
      await expect(store.begin(requestOf('one', 'other'), NOW)).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
      expect(await store.begin(requestOf('ONE'), NOW)).toBeNull();
      expect(await store.begin(requestOf('one ', 'POST /domains/'), NOW)).toBeNull();
      expect(await store.begin(request, later(DAY_MS + 1))).toBeNull();
    });

    it('is kept and freed under its own lease only: a process that was frozen until the lease ended repeats nothing', async () => {
      const [store, request] = [open(), requestOf('frozen')];
      const [first, second] = [await aSubject(), await aSubject()];
      const again = later(60_001);
      const keep = (begunAt: Date, text: string, subject: typeof first) =>
        ports.unitOfWork.run(() => store.keep(request, begunAt, answerOf(text), subject));
      expect(await store.begin(request, NOW)).toBeNull();
      expect(await store.begin(request, again)).toBeNull();

      await expect(keep(NOW, 'first', first)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
      await store.free(request, NOW);
      await expect(store.begin(request, again)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
      await keep(again, 'second', second);
      await expect(keep(NOW, 'first', first)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
      await store.free(request, again);
      expect(await store.begin(request, again)).toEqual(answerOf('second'));
    });

    it('of many requests is reserved and kept with the others', async () => {
      const [store, subject] = [open(), await aSubject()];
      const [kept, failed, fresh] = [requestOf('m1'), requestOf('m2'), requestOf('m3')];
      await ports.unitOfWork.run(async () => {
        expect(await store.reserveAll([kept, failed], NOW)).toEqual([null, null]);
        await store.keepAll([{ request: kept, answer: answerOf('kept'), subject }]);
        await store.freeAll([failed]);
      });
      expect(await store.findAll([fresh, kept, requestOf('m1', 'other')], NOW)).toEqual([
        null,
        answerOf('kept'),
        expect.objectContaining({ code: 'idempotency_key_reused' }),
      ]);
      await database.write('UPDATE idempotency SET created_at = 0');
      const rows = await database.read('SELECT key_hash FROM idempotency');
      expect(await store.purge(NOW)).toBe(rows.length);
      expect(await store.purge(NOW)).toBe(0);
    });
  });

  describe('portal links and their sessions', () => {
    it('are found, listed, limited and removed', async () => {
      const links = new TypeormPortalLinkRepository(database, clock);
      const sessions = new TypeormSessionRepository(database, new LastUsedStamps(database), clock, new SilentMeters());
      const partner = await world.partner();
      const domain = await world.domain(partner);
      const made = [];
      for (const code of ['a', 'b', 'c']) {
        const link = PortalLink.create({
          codeHash: `${code}${world.ref()}`.padEnd(64, '0'),
          kind: 'manage',
          domainId: domain.id,
          domainName: domain.name,
          partnerId: partner.id,
          partnerRef: partner.ref,
          keyId: null,
          operatorHash: 'o'.repeat(64),
          createdAt: NOW,
          expiresAt: later(1_000),
        });
        made.push(await links.add(link));
      }
      const [first, second, third] = made as [PortalLink, PortalLink, PortalLink];
      const limits = () => links.findByCode(first.codeHash).then((found) => found?.lowestLimits);
      expect(await limits()).toBeNull();
      await world.key(partner, { domainsAllowed: 0, mailboxesPerDomain: 9, aliasesPerMailbox: 0 });
      await world.key(partner, { domainsAllowed: 7, mailboxesPerDomain: 4, aliasesPerMailbox: 0 });
      await world.key(partner, { domainsAllowed: 1, active: false });
      await world.key(partner, { domainsAllowed: 1, expiresAt: NOW });
      const lowest = { domainsAllowed: 7, mailboxesPerDomain: 4, aliasesPerMailbox: 0 };
      expect([await limits(), await links.lowestLimits(partner.id, NOW)]).toEqual([lowest, lowest]);

      const ids = async (order: 'asc' | 'desc', after: number) =>
        (await links.page({ scope: allRowsOf(partner.id) }, { after, limit: 2, order })).map(({ id }) => id);
      expect(await ids('asc', 0)).toEqual([first.id, second.id]);
      expect(await ids('desc', third.id)).toEqual([second.id, first.id]);
      const stranger = allRowsOf((await world.partner()).id);
      await ports.unitOfWork.run(async () => {
        expect(await links.lock(stranger, second.id)).toBeNull();
        expect((await links.lock('all', second.id))?.codeHash).toBe(second.codeHash);
        expect(await links.lockByCode('absent')).toBe(false);
        expect(await links.lockByCode(second.codeHash)).toBe(true);
        await links.saveUse(Object.assign(second, { usedAt: later(5) }));
      });
      expect((await links.findByCode(second.codeHash))?.link.usedAt).toEqual(later(5));

      const owner = { kind: 'link' as const, id: first.id, use: 'manage' as const };
      const hash = (digit: string) => digit.repeat(64);
      for (const digit of ['1', '2']) await sessions.add(Session.open(hash(digit), owner, NOW), owner);
      const found = await sessions.findByHash(hash('1'));
      expect([found?.session.linkId, found?.link?.link.id, found?.chain]).toEqual([first.id, first.id, null]);
      const [one] = await sessions.list(owner);
      expect(await sessions.remove({ ...owner, id: second.id }, one?.id ?? 0)).toBe(false);
      expect(await sessions.remove(owner, one?.id ?? 0)).toBe(true);
      await sessions.removeAll(owner);
      expect([await sessions.findByHash(hash('2')), await sessions.list(owner)]).toEqual([null, []]);

      await links.remove(third);
      expect(await links.deleteExpired(later(999), 9)).toBe(0);
      expect(await links.deleteExpired(later(1_000), 9)).toBe(2);
    });
  });

  describe('the marks of the purge', () => {
    it('are stored for domains that exist, and are held, released and forgotten', async () => {
      const marks = new SqlPurgeMarks(database);
      const partner = await world.partner();
      const [one, two] = [await world.domain(partner, { retentionDays: 9 }), await world.domain(partner)];
      const markOf = (domainId: number, purgedDays: number, heldDays: number | null) => ({
        domainId,
        purgedDays,
        heldDays,
      });
      await marks.save([markOf(one.id, 0, 9), markOf(two.id, 30, null), markOf(999_999, 1, 1)]);
      await marks.save([markOf(one.id, 90, 9)]);
      const stored = () => marks.ofDomains([one.id, two.id, 999_999]).then((found) => [...found.values()]);
      expect(await stored()).toEqual([markOf(one.id, 90, 9), markOf(two.id, 30, null)]);
      expect([await marks.held(), await marks.release(), await marks.held()]).toEqual([1, 1, 0]);
      await marks.forgetUnlimited();
      expect(await stored()).toEqual([markOf(one.id, 9, null)]);
    });
  });

  describe('the last calls of the relay', () => {
    it('are the latest of each outcome', async () => {
      const calls = new TypeormRelayCalls(database);
      expect(await calls.last()).toEqual({ success: null, failure: null });
      await calls.noteSuccess({ at: later(2), operation: 'get_identity' });
      await calls.noteSuccess({ at: later(1), operation: 'ensure_identity' });
      await calls.noteFailure({ at: later(3), operation: 'read_account', reason: `Ünï 🦊 ${'x'.repeat(600)}` });
      const { success, failure } = await calls.last();
      expect(success).toEqual({ at: later(2), operation: 'get_identity' });
      expect(failure).toMatchObject({ at: later(3), operation: 'read_account' });
      expect(failure?.reason).toHaveLength(500);
    });
  });

  describe('the inbox of relay events', () => {
    const event = (providerId: string): RelayEvent => ({
      providerId,
      kind: 'bounce',
      bounceType: 'permanent',
      attempted: true,
      subType: null,
      notSpam: false,
      messageId: 'm',
      sentAt: NOW,
      sourceDomain: 'a.example',
      recipients: ['x@b.example'],
      sender: null,
      diagnostics: new Map(),
      statuses: new Map(),
      occurredAt: NOW,
    });

    it('stores each event once, whatever the case of its id, and knows which failed and when each is due', async () => {
      const inbox = new TypeormRelayEventInbox(database);
      const store = (...ids: string[]) =>
        ports.unitOfWork.run(() =>
          inbox.store(
            ids.map((id) => ({ event: event(id), requestId: null })),
            NOW,
          ),
        );
      const long = 'i'.repeat(254);
      expect(await store(`${long}a`, `${long}b`, 'Same')).toBe(3);
      expect(await store(`${long}b`, 'same')).toBe(1);
      const pending = await ports.unitOfWork.run(() => inbox.lockPending({ maxEvents: 9, maxBytes: 1e6 }, NOW));
      expect(pending).toHaveLength(4);
      const [first, second, third, last] = pending.map(({ id }) => id) as [number, number, number, number];
      await inbox.markFailed(first, 'no\u0000\u2028 🦊', 1, later(5_000));
      await inbox.markFailed(second, 'never', 7, null);
      await inbox.markProcessed([third], 'counted', NOW);
      expect(await inbox.backlog()).toEqual({ waiting: 1, retried: 1, setAside: 1 });
      expect(await inbox.nextRetryAt(NOW)).toEqual(later(5_000));
      expect(await inbox.nextRetryAt(later(5_000))).toBeNull();
      expect(await inbox.failed(9)).toMatchObject([
        { id: second, attempts: 7, reason: 'never', nextAttemptAt: null },
        { id: first, attempts: 1, reason: 'no \u2028 🦊', nextAttemptAt: later(5_000), receivedAt: NOW },
      ]);
      await ports.unitOfWork.run(async () => {
        expect(await inbox.lock(third)).toBeNull();
        expect(await inbox.lock(first)).toMatchObject({ attempts: 1, hasFailed: true });
      });
      expect([await inbox.retryFailed(NOW), (await inbox.backlog()).retried]).toEqual([2, 2]);
      expect(await ports.unitOfWork.run(() => inbox.claimEffects([{ key: 'k' }, { key: 'K' }], NOW))).toEqual(
        new Set(['k', 'K']),
      );
      expect(await ports.unitOfWork.run(() => inbox.claimEffects([{ key: 'k' }], NOW))).toEqual(new Set());
      await inbox.markProcessed([first, second, last], 'ignored', NOW);
      expect(await inbox.deleteOld(later(1), 3)).toBeGreaterThanOrEqual(3);
    });
  });

  describe('the list of bounces', () => {
    it('has those of the domain under its present partner, newest first, and is deleted by age', async () => {
      const log = new TypeormBounceLog(database);
      const domain = await world.domain(await world.partner());
      const bounce = (at: number, partnerId = domain.partnerId) => ({
        domainId: domain.id,
        partnerId,
        at: later(at),
        kind: 'permanent' as const,
        recipient: 'x@b.example',
        sender: null,
        subtype: 'General',
        diagnostic: 'smtp; 550 Ünï 🦊',
        messageId: `m${at}`,
      });
      await log.add([bounce(1), bounce(2), bounce(3, domain.partnerId + 1), bounce(4)]);
      const { domainId: _, partnerId: __, ...shown } = bounce(4);
      const page = await log.page(domain, { before: Number.MAX_SAFE_INTEGER, limit: 2 });
      expect(page).toMatchObject([shown, { messageId: 'm2' }]);
      expect(await log.page(domain, { before: page[1]?.id ?? 0, limit: 2 })).toMatchObject([{ messageId: 'm1' }]);
      expect([await log.deleteOld(later(3), 9), await log.deleteOld(later(3), 9)]).toEqual([2, 0]);
    });
  });

  describe('what a partner has', () => {
    it('is reported, listed and found in order, from a time on', async () => {
      const partner = await world.partner();
      const scope = allRowsOf(partner.id);
      const domains = [];
      for (const at of [1, 2, 3]) domains.push(await world.domain(partner, { createdAt: later(at) }));
      const [domain] = domains as [(typeof domains)[number]];
      const names = domains.map(({ name }) => name);
      const { email, id: mailboxId } = await world.mailbox(domain, 'ann');
      await world.alias(domain, 'to', email, mailboxId);
      const usage = new SqlUsageReader(database);
      expect(await inPagesOfTwo(usage.domains(scope, null))).toEqual(
        domains.map(({ id, name, createdAt }) => ({ id, name, createdAt })),
      );
      expect(await inPagesOfTwo(usage.domains(scope, later(2)))).toMatchObject([{ name: names[2] }]);
      expect(await foundInTwos(usage.mailboxes(scope, null))).toMatchObject([{ email }]);
      expect(await foundInTwos(usage.aliases(scope, null))).toMatchObject([{ destination: email }]);
      expect(await foundInTwos(usage.aliases(scope, NOW))).toEqual([]);
      const finder = new SqlDomainFinder(database);
      const summaries = await ports.domains.page(
        'all',
        { partnerRef: partner.ref ?? undefined },
        { after: 0, limit: 9 },
      );
      expect(summaries.map(({ name }) => name)).toEqual(names);
      expect((await foundInTwos(finder.summaries(scope, {}, NOW))).map(({ name }) => name)).toEqual(names);
      expect((await foundInTwos(finder.domains(scope, {}, NOW))).map((found) => found.domain.name)).toEqual(names);
    });

    it('a verification that never started is started, except below a verified parent', async () => {
      const partner = await world.partner();
      const parent = await world.domain(partner, {}, { status: 'verified' });
      const below = await world.domain(partner, { parentId: parent.id }, { status: 'unverified' });
      const alone = await world.domain(partner, {}, { status: 'unverified' });
      expect(await ports.verifications.startMissing(NOW)).toBeGreaterThanOrEqual(1);
      const statusOf = async (id: number) => (await ports.verifications.find(id))?.status;
      expect([await statusOf(below.id), await statusOf(alone.id)]).toEqual(['unverified', 'pending']);
    });
  });
});
