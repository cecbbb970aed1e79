import { correctDerived } from '../derived/correct-derived.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';

describe('the views of the mail servers', () => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    await opened.database.write("INSERT INTO partner (ref, domain_count, last_created_at) VALUES ('acme', 0, 0)");
    await domain('open.example', {});
    await domain('pending.example', { inbound: 'pending' });
    await domain('frozen.example', { suspension_causes: 'billing' });
    await domain('blocked.example', { outbound_status: 'blocked' });
    await domain('unproven.example', {}, 'pending');
    await domain('abused.example', { suspension_causes: 'abuse' });
    await domain('child.abused.example', { parent_id: await idOf('abused.example') }, 'pending');
    await domain('child.open.example', { parent_id: await idOf('open.example') }, 'pending');
    await mailbox('alice@open.example');
    await mailbox('off@open.example', { active: 0 });
    await mailbox('frank@frozen.example');
    await mailbox('pia@pending.example');
    await alias('info@open.example', 'alice@open.example');
    await alias('mute@open.example', 'off@open.example');
    await alias('far@open.example', 'frank@frozen.example');
    await alias('@open.example', 'alice@open.example');
    await alias('x@pending.example', 'alice@open.example');
  });
  afterAll(() => opened.close());

  /** The rows are written with SQL, without the repositories that keep `mta_domain`. */
  const refresh = () => correctDerived(opened.database);
  const insert = (table: string, row: Record<string, string | number | null>) =>
    opened.database.write(
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
        .map(() => '?')
        .join(', ')})`,
      Object.values(row),
    );
  const idOf = async (name: string) =>
    Number((await opened.database.read('SELECT id FROM domain WHERE name = ?', [name]))[0]?.id);
  const rows = (sql: string) => opened.database.read<Record<string, unknown>>(sql);
  const column = async (sql: string) => (await rows(sql)).map((row) => Object.values(row)[0]);

  async function domain(
    name: string,
    fields: Record<string, string | number | null>,
    status = 'verified',
  ): Promise<void> {
    const { insertId } = await insert('domain', {
      name,
      partner_id: 1,
      created_at: 0,
      retention_days: 0,
      retention_days_before: 0,
      transfer_monthly_mb: 0,
      suspension_causes: '',
      outbound_status: 'active',
      wildcard_mode: 'none',
      inbound: 'open',
      mailbox_count: 0,
      alias_count: 0,
      ...fields,
    });
    await insert('verification', {
      domain_id: insertId,
      status,
      dkim_status: '',
      check_attempt: 0,
      ownership_token: 't',
      ownership_required: 0,
    });
    await refresh();
  }

  async function mailbox(email: string, fields: Record<string, string | number> = {}): Promise<void> {
    const [localPart = '', name = ''] = email.split('@');
    const home = Buffer.from(email).toString('hex').padEnd(32, '0').slice(0, 32);
    await insert('mailbox', {
      domain_id: await idOf(name),
      email,
      local_part: localPart,
      password_hash: '$2b$x',
      quota_mb: 5,
      outbound_daily_limit: 0,
      active: 1,
      home,
      created_at: 0,
      ...fields,
    });
  }

  async function alias(address: string, destination: string): Promise<void> {
    const found = await opened.database.read<{ id: number }>('SELECT id FROM mailbox WHERE email = ?', [destination]);
    const mailboxId = found[0]?.id ?? null;
    await insert('alias', {
      domain_id: await idOf(address.split('@')[1] ?? ''),
      address,
      destination,
      destination_mailbox_id: mailboxId,
      created_at: 0,
    });
  }

  it('list suspended domains, but not pending ones', async () => {
    expect(await column('SELECT domain FROM mta_domains ORDER BY domain')).toEqual([
      'abused.example',
      'blocked.example',
      'child.abused.example',
      'child.open.example',
      'frozen.example',
      'open.example',
      'unproven.example',
    ]);
    expect(await column('SELECT domain FROM mta_domains WHERE suspended = 1 ORDER BY domain')).toEqual([
      'abused.example',
      'child.abused.example',
      'frozen.example',
    ]);
  });

  it('mark the domains whose queued mail is held: suspended, blocked or not allowed to send, also because of their parent', async () => {
    expect(await column('SELECT domain FROM mta_domains WHERE outbound_held = 1 ORDER BY domain')).toEqual([
      'abused.example',
      'blocked.example',
      'child.abused.example',
      'frozen.example',
      'unproven.example',
    ]);
  });

  it('list disabled mailboxes for delivery, and no mailbox of a pending domain', async () => {
    expect(await rows('SELECT address, active, suspended FROM mta_mailboxes ORDER BY address')).toEqual([
      expect.objectContaining({ address: 'alice@open.example', active: 1, suspended: 0 }),
      expect.objectContaining({ address: 'frank@frozen.example', active: 1, suspended: 1 }),
      expect.objectContaining({ address: 'off@open.example', active: 0, suspended: 0 }),
    ]);
    expect(await column('SELECT address FROM mta_aliases ORDER BY address')).toEqual([
      '@open.example',
      'far@open.example',
      'info@open.example',
      'mute@open.example',
    ]);
  });

  it('let a login send as itself, its aliases and its catch-all, but not as a disabled mailbox or a foreign alias', async () => {
    expect(await rows('SELECT address, login FROM mta_sender_logins ORDER BY address, login')).toEqual(
      [
        ['@open.example', 'alice@open.example'],
        ['alice@open.example', 'alice@open.example'],
        ['far@open.example', 'far@open.example'],
        ['frank@frozen.example', 'frank@frozen.example'],
        ['info@open.example', 'alice@open.example'],
        ['mute@open.example', 'mute@open.example'],
        ['off@open.example', 'off@open.example'],
      ].map(([address, login]) => expect.objectContaining({ address, login })),
    );
  });

  it('give Dovecot the hash, the flags and the random home', async () => {
    expect(await rows("SELECT * FROM mda_users WHERE user = 'ALICE@open.example'")).toEqual([
      {
        user: 'alice@open.example',
        domain: 'open.example',
        local_part: 'alice',
        password_hash: '$2b$x',
        quota_mb: 5,
        suspended: 0,
        active: 1,
        home: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ]);
  });

  it('suspend the domains of a partner in the stage `all`, and only hold their outbound mail in the stage `changes`', async () => {
    const [partner] = await rows("SELECT id FROM partner WHERE ref = 'acme'");
    await domain('theirs.example', { partner_id: Number(partner?.id) });
    await mailbox('thea@theirs.example');
    const setStage = async (stage: string | null) => {
      await opened.database.write('UPDATE partner SET stage = ? WHERE id = ?', [stage, Number(partner?.id)]);
      await refresh();
    };
    const flags = async () => [
      ...(await rows("SELECT suspended, outbound_held FROM mta_domains WHERE domain = 'theirs.example'")),
      ...(await column("SELECT suspended FROM mta_mailboxes WHERE address = 'thea@theirs.example'")),
      ...(await column("SELECT suspended FROM mda_users WHERE user = 'thea@theirs.example'")),
    ];
    const unaffected = async () =>
      rows("SELECT suspended, outbound_held FROM mta_domains WHERE domain = 'open.example'");
    expect(await flags()).toEqual([{ suspended: 0, outbound_held: 0 }, 0, 0]);
    await setStage('changes');
    expect(await flags()).toEqual([{ suspended: 0, outbound_held: 1 }, 0, 0]);
    await setStage('all');
    expect(await flags()).toEqual([{ suspended: 1, outbound_held: 1 }, 1, 1]);
    expect(await unaffected()).toEqual([{ suspended: 0, outbound_held: 0 }]);
    await setStage(null);
    expect(await flags()).toEqual([{ suspended: 0, outbound_held: 0 }, 0, 0]);
  });

  it('cap inbound mail only when the scope is `both` and the month has reached the cap', async () => {
    const id = await idOf('open.example');
    const month = new Date().toISOString().slice(0, 7);
    await opened.database.write('UPDATE domain SET transfer_monthly_mb = 1 WHERE id = ?', [id]);
    await refresh();
    await insert('outbound_counter', {
      domain_id: id,
      day: `${month}-01`,
      day_epoch: 0,
      sent_today: 0,
      month,
      month_epoch: 0,
      period_start: 0,
      sent_month: 0,
      bytes_month: 1_048_576,
      bounces_month: 0,
      complaints_month: 0,
    });
    const capped = () => column('SELECT domain FROM mta_domains WHERE transfer_inbound_capped = 1');
    expect(await capped()).toEqual([]);
    await insert('installation', { name: 'transfer_cap_scope', value: 'both' });
    expect(await capped()).toEqual(['open.example']);
    await opened.database.write('UPDATE outbound_epoch SET month_epoch = 1');
    expect(await capped()).toEqual([]);
  });

  it("list an alias with an outside destination while mail is forwarded, until the destination's domain is open here", async () => {
    await alias('out@open.example', 'friend@later.example');
    const listed = () => column("SELECT destination FROM mta_aliases WHERE address = 'out@open.example'");
    expect(await listed()).toEqual([]);
    await insert('installation', { name: 'forwarding', value: 'on' });
    await domain('later.example', { inbound: 'pending' });
    expect(await listed()).toEqual(['friend@later.example']);
    await opened.database.write("UPDATE domain SET inbound = 'open' WHERE name = 'later.example'", [], []);
    await refresh();
    expect(await listed()).toEqual([]);
    await mailbox('friend@later.example');
    expect(await listed()).toEqual(['friend@later.example']);
    await opened.database.write("UPDATE installation SET value = 'off' WHERE name = 'forwarding'");
    expect(await listed()).toEqual(['friend@later.example']);
  });

  it('never list an alias to a mailbox of a pending domain, also while mail is forwarded', async () => {
    await alias('lure@open.example', 'pia@pending.example');
    await opened.database.write("UPDATE installation SET value = 'on' WHERE name = 'forwarding'");
    expect(await column("SELECT destination FROM mta_aliases WHERE address = 'lure@open.example'")).toEqual([]);
  });

  it.each([
    "SELECT domain FROM mta_domains WHERE domain = 'open.example'",
    "SELECT domain FROM mta_domain_state WHERE domain = 'open.example' AND outbound_held = 0",
    "SELECT address FROM mta_alias_names WHERE address = 'info@open.example'",
    "SELECT address FROM mta_mailboxes WHERE address = 'alice@open.example'",
    "SELECT destination FROM mta_aliases WHERE address = 'info@open.example'",
    "SELECT login FROM mta_sender_logins WHERE address = 'info@open.example'",
    "SELECT relayhost FROM mta_relay WHERE domain = 'open.example'",
    "SELECT user FROM mda_users WHERE user = 'alice@open.example'",
  ])('find %s with indexes only', async (sql) => {
    const plan = await rows(`EXPLAIN ${sql}`);
    expect(
      plan.filter(
        ({ type, table }) =>
          (type === 'ALL' || type === 'index') && table !== null && !(table as string).startsWith('<'),
      ),
    ).toEqual([]);
  });
});
