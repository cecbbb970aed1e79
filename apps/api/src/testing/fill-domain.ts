import type { Database } from '@mailstead/adapters/database/driver/database';

const ROWS_PER_INSERT = 1_000;

/** Adds mailboxes to a domain by SQL, and to another domain an alias for each of them. The counts are set too. */
export async function fillDomain(database: Database, name: string, elsewhere: string, count: number): Promise<void> {
  const [domain, other] = await Promise.all(
    [name, elsewhere].map(async (each) => {
      const [row] = await database.read('SELECT id, partner_id FROM domain WHERE name = ?', [each]);
      return { id: Number(row?.id), partnerId: Number(row?.partner_id) };
    }),
  );
  if (domain === undefined || other === undefined) throw new Error('Both domains must exist');
  const first = domain.id * 1_000_000;
  for (let start = 0; start < count; start += ROWS_PER_INSERT) {
    const ids = Array.from({ length: Math.min(ROWS_PER_INSERT, count - start) }, (_, index) => first + start + index);
    await database.write(
      `INSERT INTO mailbox (id, domain_id, partner_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
       VALUES ${ids.map((id) => `(${id}, ${domain.id}, ${domain.partnerId}, 'm${id}@${name}', 'm${id}', '$2b$10$hash', 1, 0, 1, '${id.toString(16).padStart(32, '0')}', 0)`).join(', ')}`,
    );
    await database.write(
      `INSERT INTO alias (domain_id, partner_id, address, destination, destination_mailbox_id, created_at)
       VALUES ${ids.map((id) => `(${other.id}, ${other.partnerId}, 'a${id}@${elsewhere}', 'm${id}@${name}', ${id}, 0)`).join(', ')}`,
    );
  }
  await database.write('UPDATE domain SET mailbox_count = ? WHERE id = ?', [count, domain.id]);
  await database.write('UPDATE domain SET alias_count = ? WHERE id = ?', [count, other.id]);
}
