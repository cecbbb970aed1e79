import { ScratchMaildir } from '@mailstead/adapters/maildir/testing/scratch-maildir';
import type { TestApi } from './api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

/** Steps of tests that delete, restore and erase. */
export class DeletionSteps {
  private made = 0;

  constructor(
    private readonly api: TestApi,
    private readonly mail: ScratchMaildir,
  ) {}

  /** Creates a domain with one mailbox that has some messages. */
  async mailboxWithMail(token: string, messages: number): Promise<{ name: string; email: string; home: string }> {
    this.made += 1;
    const name = `undo-${this.made}.example`;
    await this.api.as(token).post('/domains/', { name }).expect(201);
    const email = await this.mailboxIn(token, name, 'a');
    const home = await this.homeOf(email);
    for (let index = 0; index < messages; index += 1) await this.mail.save({ email, home }, '', 10);
    return { name, email, home };
  }

  async mailboxIn(token: string, name: string, localPart: string): Promise<string> {
    const email = `${localPart}@${name}`;
    await this.api.as(token).post('/users/', { email, password_hash: HASH }).expect(201);
    return email;
  }

  async homeOf(email: string): Promise<string> {
    const [row] = await this.api.database.read('SELECT home FROM mailbox WHERE email = ?', [email]);
    return String(row?.home);
  }

  deleteMailbox(token: string, email: string) {
    return this.api.as(token).delete(`/users/${email}`).expect(204);
  }

  async listed(token: string, domain: string): Promise<{ id: number; kind: string; name: string }[]> {
    return (await this.api.as(token).get(`/deleted?domain=${domain}`).expect(200)).body;
  }

  /** The newest deletion of the name that can be restored. */
  async idOf(token: string, name: string): Promise<number> {
    const found = (await this.listed(token, name.slice(name.indexOf('@') + 1))).filter((each) => each.name === name);
    const last = found.at(-1);
    if (last === undefined) throw new Error(`${name} cannot be restored`);
    return last.id;
  }

  restore(token: string, id: number) {
    return this.api.as(token).post(`/deleted/${id}/restore`);
  }

  erase(token: string, id: number) {
    return this.api.as(token).post(`/deleted/${id}/erase`);
  }
}
