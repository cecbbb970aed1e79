import { senderLoginsContract } from '@mailstead/core/testing/sender-logins-contract';
import { TypeormAliasRepository } from '../aliases/alias-repository.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';
import { SqlSenderLogins } from './sender-logins.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;

  afterAll(() => opened.close());

  senderLoginsContract(async () => {
    opened = await openTestDatabase(kind);
    const { database } = opened;
    return {
      ...outboundPorts(database),
      aliases: new TypeormAliasRepository(database),
      senderLogins: new SqlSenderLogins(database),
    };
  });

  if (kind === 'sqlite') return;

  it('the rule is the same as in the view that Postfix reads', async () => {
    const { database } = opened;
    const rows = await database.read<{ address: string; login: string }>(
      'SELECT address, login FROM mta_sender_logins ORDER BY address, login',
    );
    const everything = await database.read<{ address: string }>(
      'SELECT email AS address FROM mailbox UNION SELECT address FROM alias',
    );
    const logins = await new SqlSenderLogins(database).ofAddresses(everything.map(({ address }) => address));
    const pairs = [...logins].flatMap(([address, names]) => [...names].map((login) => ({ address, login })));
    expect(pairs.length).toBeGreaterThan(5);
    const inOrder = (list: { address: string; login: string }[]) =>
      list.map(({ address, login }) => `${address} ${login}`).toSorted();
    expect(inOrder(pairs)).toEqual(inOrder(rows));
  });
});
