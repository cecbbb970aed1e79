import type { PartnerRef } from '@mailstead/core/partners/partner';
import { allRowsOf } from '@mailstead/core/partners/partner-scope';
import { inSearch, type Search } from '@mailstead/core/search';
import { TypeormAliasRepository } from '../aliases/alias-repository.js';
import { SqlUsageReader } from '../api-keys/usage-reader.js';
import { TypeormMailboxRepository } from '../mailboxes/mailbox-repository.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';

const DOMAINS = 40;
const MAILBOXES = 5_000;
const PAGE = 100;

onEachDatabase((kind) => {
  describe('the list of a partner with many domains', () => {
    let opened: TestDatabase;
    let own: number;
    let rival: number;

    beforeAll(async () => {
      opened = await openTestDatabase(kind);
      const { database } = opened;
      await database.write(
        "INSERT INTO partner (ref, domain_count, last_created_at) VALUES ('own', 0, 0), ('rival', 0, 0)",
      );
      const partners = await database.read("SELECT id FROM partner WHERE ref IN ('own', 'rival') ORDER BY ref");
      [own = 0, rival = 0] = partners.map(({ id }) => Number(id));
      await fill(
        'domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)',
        2 * DOMAINS,
        (row) => [`d${row}.example`, row % 2 === 0 ? own : rival, row, 0, 0, 0, '', 'active', 'none', 'open', 0, 0],
      );
      const domains = (await database.read('SELECT id FROM domain ORDER BY id')).map(({ id }) => Number(id));
      // Neighbouring rows belong to different domains, and alternate between the partners.
      await fill(
        'mailbox (domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)',
        MAILBOXES,
        (row) => [domains[row % domains.length] ?? 0, `m${row}@d.example`, `m${row}`, 'x', 1, 0, 1, `h${row}`, row],
      );
      const mailboxes = await database.read('SELECT id, domain_id, email FROM mailbox ORDER BY id');
      await fill('alias (domain_id, address, destination, destination_mailbox_id, created_at)', MAILBOXES, (row) => [
        Number(mailboxes[row]?.domain_id),
        `a${row}@d.example`,
        String(mailboxes[row]?.email),
        Number(mailboxes[row]?.id),
        row,
      ]);
      for (const table of ['mailbox', 'alias']) {
        await database.write(
          `UPDATE ${table} SET partner_id = (SELECT d.partner_id FROM domain d WHERE d.id = ${table}.domain_id)`,
        );
      }
    });
    afterAll(() => opened.close());

    async function fill(into: string, rows: number, toRow: (row: number) => (string | number)[]): Promise<void> {
      for (let start = 0; start < rows; start += 100) {
        const values = Array.from({ length: Math.min(100, rows - start) }, (_, index) => toRow(start + index));
        const tuple = `(${(values[0] ?? []).map(() => '?').join(', ')})`;
        await opened.database.write(
          `INSERT INTO ${into} VALUES ${values.map(() => tuple).join(', ')}`,
          values.flat(),
          [],
        );
      }
    }

    async function readAll<Row extends { id: number }>(
      search: Search<Row>,
      after = 0,
      limit?: number,
      afterPage: (read: number) => Promise<unknown> = async () => undefined,
    ): Promise<Row[]> {
      const all: Row[] = [];
      for await (const { rows } of inSearch(search, { after, limit, order: 'asc' }, PAGE)) {
        all.push(...rows);
        await afterPage(all.length);
      }
      return all;
    }

    const mailboxes = () => new TypeormMailboxRepository(opened.database);
    const aliases = () => new TypeormAliasRepository(opened.database);
    const usage = () => new SqlUsageReader(opened.database);
    const names = (first: string) =>
      Array.from({ length: MAILBOXES / 2 }, (_, index) => `${first}${2 * index}@d.example`);

    it.each<[string, () => Promise<string[]>, string]>([
      [
        'mailboxes of a client',
        async () => (await readAll(mailboxes().search(allRowsOf(own), {}))).map(({ email }) => email),
        'm',
      ],
      [
        'mailboxes by reference',
        async () =>
          (await readAll(mailboxes().search('all', { partnerRef: 'own' as PartnerRef }))).map(({ email }) => email),
        'm',
      ],
      ['aliases', async () => (await readAll(aliases().search(allRowsOf(own), {}))).map(({ address }) => address), 'a'],
      [
        'mailboxes of a report',
        async () => (await readAll(usage().mailboxes(allRowsOf(own), null))).map(({ email }) => email),
        'm',
      ],
      [
        'aliases of a report',
        async () => (await readAll(usage().aliases(allRowsOf(own), null))).map(({ address }) => address),
        'a',
      ],
    ])('has every row of the partner once and in order, and no other rows: %s', async (_, read, first) => {
      expect(await read()).toEqual(names(first));
    });

    it('contains only rows created since the given time: reports', async () => {
      const rows = await readAll(usage().mailboxes(allRowsOf(own), new Date(3_999)));
      expect(rows.map(({ createdAt }) => createdAt.getTime())).toEqual(
        Array.from({ length: 500 }, (_, index) => 4_000 + 2 * index),
      );
    });

    it('starts after the given id', async () => {
      const all = await readAll(mailboxes().search(allRowsOf(own), {}));
      const rows = await readAll(mailboxes().search(allRowsOf(own), {}), all[2_222]?.id ?? 0, PAGE);
      expect(rows.map(({ id }) => id)).toEqual(all.slice(2_223, 2_223 + PAGE).map(({ id }) => id));
    });

    it('continues after rows that are deleted during the reading, and omits rows that move to another partner', async () => {
      const { database } = opened;
      const before = await readAll(mailboxes().search(allRowsOf(own), {}));
      const moved = before[0]?.domainId ?? 0;
      const deleted = before.slice(150, 1_950);
      const rows = await readAll(mailboxes().search(allRowsOf(own), {}), 0, undefined, async (read) => {
        if (read !== 200) return;
        await database.write('DELETE FROM alias WHERE domain_id > 0');
        await database.write(`DELETE FROM mailbox WHERE id IN (${deleted.map(({ id }) => id).join(', ')})`);
        await database.write('UPDATE domain SET partner_id = ? WHERE id = ?', [rival, moved]);
      });
      const gone = new Set(deleted.slice(50).map(({ id }) => id));
      const seenBefore = new Set(before.slice(0, 200).map(({ id }) => id));
      expect(rows.map(({ id }) => id)).toEqual(
        before
          .filter(({ id, domainId }) => seenBefore.has(id) || (!gone.has(id) && domainId !== moved))
          .map(({ id }) => id),
      );
    });
  });
});
