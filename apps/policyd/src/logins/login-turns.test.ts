import { LOGIN_BOUNDS, type Login, type LoginBounds, LoginTurns } from './login-turns.js';

const OPEN = new AbortController().signal;
const SMALL: LoginBounds = {
  running: { mailbox: 1, domain: 2, client: 3 },
  waiting: { mailbox: 2, domain: 3, client: 4 },
  waitingInAll: 5,
  trusted: { domain: 6, inAll: 8 },
  waitMs: 60_000,
  leaseMs: 60_000,
};

describe('the turns of password checks', () => {
  let turns = new LoginTurns(SMALL);
  let made = 0;

  afterEach(() => turns.close());

  function open(bounds: Partial<LoginBounds> = {}): void {
    turns.close();
    turns = new LoginTurns({ ...SMALL, ...bounds });
  }
  function login(mailbox: string, client: string | null = '192.0.2.1'): Login {
    made += 1;
    return { id: `login ${made}`, mailbox, domain: mailbox.slice(mailbox.indexOf('@') + 1), client };
  }
  /** Begins a login that must not wait. */
  async function begun(mailbox: string, client?: string | null): Promise<Login> {
    const made = login(mailbox, client);
    expect(await turns.begin(made, OPEN)).toBe(true);
    return made;
  }

  it('let one mailbox, domain and client run as many at once as their bounds say, and others at once', async () => {
    open();
    await begun('a@one.test', '192.0.2.1');
    void turns.begin(login('a@one.test', '192.0.2.2'), OPEN);
    expect([turns.running, turns.waiting]).toEqual([1, 1]);
    await begun('b@one.test', '192.0.2.2');
    void turns.begin(login('c@one.test', '192.0.2.3'), OPEN);
    expect([turns.running, turns.waiting]).toEqual([2, 2]);
    await begun('a@two.test', '192.0.2.1');
    await begun('a@three.test', '192.0.2.1');
    void turns.begin(login('a@four.test', '192.0.2.1'), OPEN);
    expect([turns.running, turns.waiting]).toEqual([4, 3]);
    await begun('a@four.test', '192.0.2.9');
  });

  it('begin waiting logins in their order, each when one of its own has ended', async () => {
    open();
    const first = await begun('a@one.test');
    const other = await begun('b@two.test');
    const order: string[] = [];
    const second = login('a@one.test');
    const third = login('a@one.test');
    const waits = [second, third].map(async (each) => {
      await turns.begin(each, OPEN);
      order.push(each.id);
      turns.end(each.id);
    });
    turns.end(other.id);
    expect(turns.waiting).toBe(2);
    turns.end(first.id);
    await Promise.all(waits);
    expect(order).toEqual([second.id, third.id]);
    expect([turns.running, turns.waiting]).toEqual([0, 0]);
  });

  it('refuse what would wait beyond the bounds of a mailbox, a domain, a client or all', async () => {
    const mayWait = (mailbox: string, client: string) => {
      const before = turns.waiting;
      void turns.begin(login(mailbox, client), OPEN);
      return turns.waiting > before;
    };
    open();
    await begun('a@one.test', 'x');
    await begun('b@one.test', 'x');
    expect([mayWait('a@one.test', 'p'), mayWait('a@one.test', 'q'), mayWait('a@one.test', 'r')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([mayWait('c@one.test', 's'), mayWait('d@one.test', 't')]).toEqual([true, false]);
    await begun('a@two.test', 'x');
    expect([mayWait('a@three.test', 'x'), mayWait('a@four.test', 'x'), mayWait('a@five.test', 'x')]).toEqual([
      true,
      true,
      false,
    ]);
    open({ waitingInAll: 9 });
    for (const mailbox of ['a@one.test', 'a@two.test', 'a@three.test']) await begun(mailbox, 'x');
    expect(['d', 'e', 'f', 'g', 'h'].map((name) => mayWait(`a@${name}.test`, 'x'))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('refuse a login that waited too long, and forget one that nobody waits for', async () => {
    open({ waitMs: 1 });
    await begun('a@one.test');
    expect(await turns.begin(login('a@one.test'), OPEN)).toBe(false);
    open();
    await begun('a@one.test');
    const gone = new AbortController();
    const waiting = turns.begin(login('a@one.test'), gone.signal);
    gone.abort();
    expect(await waiting).toBe(false);
    expect(await turns.begin(login('a@one.test'), gone.signal)).toBe(false);
    expect([turns.running, turns.waiting]).toEqual([1, 0]);
  });

  it('free the place of a login whose end is never reported, or whose name is used again', async () => {
    open({ leaseMs: 1 });
    await begun('a@one.test');
    expect(await turns.begin(login('a@one.test'), OPEN)).toBe(true);
    open();
    const lost = await begun('a@one.test');
    expect(await turns.begin(lost, OPEN)).toBe(true);
    turns.end('never begun');
    expect(turns.running).toBe(1);
  });

  describe('of trusted hosts', () => {
    /** Asks for all at the same moment. @returns what becomes of each. */
    function beginAll(mailboxes: readonly string[], client: string | null = null): Promise<boolean>[] {
      return mailboxes.map((mailbox) => turns.begin(login(mailbox, client), new AbortController().signal));
    }
    const mailboxesOf = (domain: string, number: number) =>
      Array.from({ length: number }, (_, index) => `m${index}@${domain}.test`);
    /** Ends each login as soon as it began, in the order of their ids. */
    async function fatesOf(begins: readonly Promise<boolean>[], first: number): Promise<boolean[]> {
      return await Promise.all(
        begins.map(async (begin, index) => {
          const mayBegin = await begin;
          if (mayBegin) turns.end(`login ${first + index}`);
          return mayBegin;
        }),
      );
    }

    it.each([
      ['one domain', mailboxesOf('one', 60)],
      [
        '20 domains',
        Array.from({ length: 60 }, (_, index) => `m@${index % 20}.test`).map((name, index) => `${index}${name}`),
      ],
      ['60 domains', Array.from({ length: 60 }, (_, index) => `m@${index}.test`)],
    ])('begin all when 60 of %s come at the same moment, also when none ends', async (_, mailboxes) => {
      open({ ...LOGIN_BOUNDS, waitMs: 1 });
      expect(await Promise.all(beginAll(mailboxes))).toEqual(Array(60).fill(true));
      open({ ...LOGIN_BOUNDS, waitMs: 60_000 });
      const first = made + 1;
      expect(await fatesOf(beginAll(mailboxes), first)).toEqual(Array(60).fill(true));
      expect([turns.running, turns.waiting]).toEqual([0, 0]);
    });

    it('begin all of 60 beside strangers who fill the places of their domain, and all places', async () => {
      open({ ...LOGIN_BOUNDS, waitMs: 60_000 });
      for (const client of ['x', 'y', 'z']) void beginAll(mailboxesOf(client === 'x' ? 'one' : client, 60), client);
      expect(turns.waiting).toBe(LOGIN_BOUNDS.waitingInAll);
      expect(await Promise.all(beginAll(mailboxesOf('one', 60)))).toEqual(Array(60).fill(true));
    });

    it('wait for each other as those of one client do, but for the first of each domain', async () => {
      open({ running: { mailbox: 1, domain: 2, client: 3 } });
      void beginAll(mailboxesOf('one', 3));
      expect([turns.running, turns.waiting]).toEqual([2, 1]);
      void beginAll(['a@two.test', 'b@two.test', 'a@three.test', 'a@four.test']);
      expect([turns.running, turns.waiting]).toEqual([5, 2]);
    });

    it('leave a stranger the bounds and the places of his own address', async () => {
      open();
      void beginAll(mailboxesOf('one', 6));
      await begun('a@two.test', 'x');
      await begun('a@three.test', 'x');
      await begun('a@four.test', 'x');
      expect(turns.waiting).toBe(3);
      void turns.begin(login('a@five.test', 'x'), OPEN);
      expect(turns.waiting).toBe(4);
      await begun('a@five.test', 'y');
      expect(await turns.begin(login('b@one.test', 'z'), OPEN)).toBe(false);
    });

    it('are refused above the bounds of a domain and of all, and never the first of a domain', async () => {
      open({ waiting: { mailbox: 9, domain: 9, client: 9 }, waitingInAll: 9 });
      void beginAll(mailboxesOf('one', 6));
      expect(await turns.begin(login('more@one.test', null), OPEN)).toBe(false);
      void beginAll(mailboxesOf('two', 2));
      expect(await turns.begin(login('more@two.test', null), OPEN)).toBe(false);
      await begun('a@three.test', null);
      // What began without a turn counts as well as what waits.
      open({ waiting: { mailbox: 0, domain: 0, client: 0 } });
      expect(await Promise.all(beginAll(mailboxesOf('one', 7)))).toEqual([...Array(6).fill(true), false]);
    });

    it('keep the bound of the mailbox: no more of it run at once, and those that waited for it are refused', async () => {
      open({ waitMs: 1 });
      const fates = await Promise.all(beginAll(Array(4).fill('a@one.test')));
      expect(fates).toEqual([true, false, false, false]);
      open({ waitMs: 60_000 });
      const [first] = beginAll(Array(3).fill('a@one.test'));
      expect(await first).toBe(true);
      expect([turns.running, turns.waiting]).toEqual([1, 2]);
      expect(await turns.begin(login('a@one.test', null), OPEN)).toBe(false);
    });
  });

  it('never give a mailbox, a domain or a client all of Dovecot’s 30 processes, nor all of its 100 connections', () => {
    const { running, waiting, waitingInAll } = LOGIN_BOUNDS;
    for (const key of ['mailbox', 'domain', 'client'] as const) {
      expect(running[key]).toBeLessThan(30 / 2);
      expect(waiting[key]).toBeLessThanOrEqual(waitingInAll / 2);
    }
    expect(waitingInAll).toBeLessThan(100);
    expect(LOGIN_BOUNDS.trusted.domain).toBeLessThanOrEqual(LOGIN_BOUNDS.trusted.inAll / 2);
  });
});
