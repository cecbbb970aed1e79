import type { Row } from '@mailstead/adapters/database/driver/database';
import type { DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER } from './api-fixture.js';
import { HASH, type NameSteps, startNameSteps } from './name-steps.js';

const SETTINGS = { ALLOW_EXTERNAL_FORWARD: 'true', RESERVED_NAMES: 'reserved.example', CLIENT_MAX_QUOTA_MB: '2000' };

/** Starts the API with two partners and outside destinations, and the steps of tests that restore. */
export async function startRestorationSteps(kind: DatabaseKind) {
  const names = await startNameSteps(kind, SETTINGS);
  if (kind === 'mariadb') {
    await names.api.database.write("INSERT INTO installation (name, value) VALUES ('forwarding', 'on')");
  }
  return { ...names, ...stepsOf(names) };
}

export type RestorationSteps = Awaited<ReturnType<typeof startRestorationSteps>>;

export function rowWithout(row: Row, ...columns: string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)));
}

function stepsOf({ api, acme, aName }: NameSteps) {
  const rows = (sql: string, ...parameters: (string | number)[]) => api.database.read(sql, parameters);
  const listed = async (token: string, domain: string): Promise<{ id: number; kind: string; name: string }[]> =>
    (await api.as(token).get(`/deleted?domain=${domain}`).expect(200)).body;
  const alias = (token: string, address: string, destination: string) =>
    api.as(token).post('/aliases/', { address, destination }).expect(201);

  /** The id of the newest deletion of a name that can be restored. */
  async function deletedId(token: string, name: string): Promise<number> {
    const domain = name.slice(name.indexOf('@') + 1);
    const found = (await listed(token, domain)).filter((each) => each.name === name).at(-1);
    if (found === undefined) throw new Error(`${name} cannot be restored`);
    return found.id;
  }

  async function createAll(path: string, items: object[]): Promise<void> {
    const { body } = await api.as(acme).post(path, { items }).expect(200);
    expect(body).toEqual(items.map(() => expect.objectContaining({ status: 201 })));
  }

  /** Creates a domain of acme with two mailboxes and a second domain; aliases deliver both ways. */
  async function twoDomains(): Promise<{ gone: string; stays: string }> {
    const [gone, stays] = [aName(), aName()];
    await createAll('/domains/bulk', [{ name: gone }, { name: stays }]);
    await createAll('/users/bulk', [
      { email: `a@${gone}`, password_hash: HASH, name: 'Ä', quota_mb: 7, outbound_daily_limit: 3 },
      { email: `b@${gone}`, password_hash: HASH },
      { email: `c@${stays}`, password_hash: HASH },
    ]);
    await createAll('/aliases/bulk', [
      { address: `@${gone}`, destination: `a@${gone}` },
      { address: `x@${gone}`, destination: `c@${stays}` },
      { address: `y@${stays}`, destination: `b@${gone}` },
    ]);
    return { gone, stays };
  }

  return {
    rows,
    listed,
    alias,
    deletedId,
    twoDomains,
    asMaster: () => api.as(MASTER),
    restore: (token: string, id: number) => api.as(token).post(`/deleted/${id}/restore`),
    deleteMailbox: (token: string, email: string) => api.as(token).delete(`/users/${email}`).expect(204),
    mailboxRow: async (email: string): Promise<Row> =>
      (await rows('SELECT * FROM mailbox WHERE email = ?', email))[0] ?? {},
  };
}
