import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Config } from '@mailstead/adapters/config';
import { DemoRows } from '@mailstead/adapters/database/demo/demo-rows';
import { Database } from '@mailstead/adapters/database/driver/database';
import { DemoMark } from '@mailstead/adapters/database/installation/demo-mark';
import type { InventedOutside } from '@mailstead/adapters/demo/invented-outside';
import { Clock, DAY_MS } from '@mailstead/core/clock';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { PasswordHasher } from '@mailstead/core/mailboxes/password-hasher';
import { needs } from '@mailstead/core/needs';
import { RandomSource } from '@mailstead/core/random-source';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { INVENTED } from './invented.js';
import { manyPartners, WHOLE_DEMO } from './many.js';
import { Past } from './past.js';
import { BYTES_PER_MESSAGE } from './sent-on.js';
import { Story } from './story.js';
import { StoryMail } from './story-mail.js';
import { plotOf } from './story-states.js';

/** Older than every audit row that is kept. */
const MANY_AGE_DAYS = 20;

/** The DNS and the relay of the demo. */
export const OUTSIDE: InventedOutside = {
  lacks: new Map(INVENTED.flatMap(({ domains }) => domains.map((domain) => [domain.name, plotOf(domain).lacks ?? []]))),
  fates: new Map(
    INVENTED.flatMap(({ domains }) =>
      domains.flatMap((domain) => {
        const { fate } = plotOf(domain);
        return fate === undefined ? [] : [[domain.name, fate] as const];
      }),
    ),
  ),
};

/** The file in the data folder with the keys of the partners with a story, which only the owner reads. */
export function partnerKeysFile(dataDir: string): string {
  return join(resolve(dataDir), 'partner-keys');
}

/** Fills the new database of a demo: some partners through the use cases, and many with rows. */
@needs(UnitOfWork, DemoMark, DomainRepository, PasswordHasher, RandomSource, Database, Clock, Config)
export class FillDemo {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly mark: DemoMark,
    private readonly domains: DomainRepository,
    private readonly passwords: PasswordHasher,
    private readonly random: RandomSource,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Readonly<Config>,
  ) {}

  /**
   * Does nothing when it was done. A demo that was killed meanwhile goes on with what is missing.
   *
   * @throws Error when the database has data, but no mark
   */
  async execute(size = WHOLE_DEMO): Promise<void> {
    const state = await this.mark.read();
    if (state === 'finished') return;
    const now = this.clock.now();
    // One password that nobody knows, because hashing is slow.
    const passwordHash = await this.passwords.hash('all', this.random.secret(), new AbortController().signal);
    if (state === null) await this.begin();
    const past = new Past(this.config, this.database, OUTSIDE);
    const story = new Story(past, now, await this.tokens(), passwordHash);
    await past.happen([...story.happenings(), ...new StoryMail(past, now).happenings()]);
    // Last, so that in lists in the order of creation the partners with a story are first.
    await this.unitOfWork.run(async () => {
      const createdBefore = new Date(now.getTime() - (this.config.auditDays + MANY_AGE_DAYS) * DAY_MS);
      const options = { now, createdBefore, passwordHash, bytesPerMessage: BYTES_PER_MESSAGE };
      await past.get(DemoRows).add(manyPartners(now, size), options);
      await this.mark.write('finished');
    });
  }

  /** Writes the keys, and the mark. */
  private async begin(): Promise<void> {
    const [first] = await this.domains.page('all', {}, { after: 0, limit: 1 });
    if (first !== undefined) throw new Error(`The database in ${resolve(this.config.dataDir)} is not a demo's.`);
    const lines = INVENTED.map(({ ref }) => `${ref} ms_${this.random.secret()}\n`);
    await writeFile(partnerKeysFile(this.config.dataDir), lines.join(''), { mode: 0o600 });
    await this.mark.write('unfinished');
  }

  /** Of the keys, by the references of their partners. */
  private async tokens(): Promise<Map<string, string>> {
    const text = await readFile(partnerKeysFile(this.config.dataDir), 'utf8');
    return new Map(
      text
        .trim()
        .split('\n')
        .map((line) => {
          const [ref = '', token = ''] = line.split(' ');
          return [ref, token];
        }),
    );
  }
}
