import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const textOf = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const rowsOf = (text: string) => text.split('\n').filter((line) => /^\|(?! ---)/.test(line));
const filesIn = (text: string) =>
  [...text.matchAll(/`((?:apps|packages|scripts)\/[^`]+\.(?:ts|mjs|cjs))`/g)].map(([, path = '']) => path);

describe('docs/threat-model.md', () => {
  const page = textOf('docs/threat-model.md');
  const parts = page.split(/^## /m).slice(1);

  it('has a part for each attacker, with what is accepted', () => {
    expect(parts.map((part) => part.split('\n', 1)[0])).toEqual([
      'A partner with an API key',
      'A customer with a link',
      'The owner of a mailbox',
      "A stranger on the API's port",
      'A stranger on port 25',
      'A thief of an operator token',
      'A forger of relay events',
      'A reader of the database or of a backup',
    ]);
    for (const part of parts) expect(part).toMatch(/^\*Accepted:\* \S/m);
  });

  it('names the file of a test in each row, and each exists', () => {
    const rows = parts.flatMap((part) => rowsOf(part).slice(1));
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => !/\| `(apps|packages)\/[^`]+\.test\.ts` \|$/.test(row))).toEqual([]);
    expect(filesIn(page).filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
  });
});

describe('docs/supported-versions.md', () => {
  const page = textOf('docs/supported-versions.md');

  it('says of each version what tests it, or that it is untried', () => {
    const rows = rowsOf(page).filter((row) => !row.endsWith('| tested by |'));
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter((row) => !row.includes('untried') && filesIn(row).length === 0)).toEqual([]);
    expect(filesIn(page).filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
  });

  it('names the version of Node that the packages need and the image has', () => {
    const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } };
    expect(page).toContain(`| ${engines.node.replace('>=', '')} and later 20 |`);
    const [, inImage = ''] = /^FROM node:(\d+)-/m.exec(textOf('Dockerfile')) ?? [];
    expect(page).toContain(`| ${inImage} (in the image)`);
  });
});

/** Tables without data of people: numbers, times, states and names of our own machines, and rows kept for others. */
const WITHOUT_PEOPLE = `
  api_key_domain database_writer deleted_domain deleted_verification dns_look dns_look_state
  domain_attention domain_deletion event_gap event_position installation job_run migration mta_domain
  mta_relay_host outbound_counted_id outbound_counter outbound_epoch outbound_history
  outbound_increment outbound_partner_day outbound_tier process_heartbeat purge_mark relay_call
  relay_effect relay_state relay_tenant relay_tenant_identity trail_gap trail_host usage_counted
  verification webhook_feed write_probe`
  .trim()
  .split(/\s+/);

describe('docs/personal-data.md', () => {
  const tables = ['sqlite', 'mysql'].flatMap((dialect) =>
    [...textOf(`packages/adapters/schema/${dialect}.sql`).matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?["`](\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  );
  const named = rowsOf(textOf('docs/personal-data.md')).flatMap((row) => {
    const [, , place = ''] = row.split('|');
    return [...place.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name);
  });

  it('names only tables that exist', () => {
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !tables.includes(name))).toEqual([]);
  });

  it('names each table, but for those without data of people', () => {
    // The page says of it where it comes from; it has a table for each day on SQLite.
    const known = new Set([...named, ...WITHOUT_PEOPLE, 'trail']);
    expect([...new Set(tables)].filter((name) => !known.has(name))).toEqual([]);
    expect(WITHOUT_PEOPLE.filter((name) => named.includes(name) || !tables.includes(name))).toEqual([]);
  });
});
