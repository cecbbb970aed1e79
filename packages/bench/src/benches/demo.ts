import { CryptoRandomSource } from '@mailstead/adapters/crypto/crypto-random-source';
import { DemoRows, type ManyPartner } from '@mailstead/adapters/database/demo/demo-rows';
import { insertRows } from '@mailstead/adapters/database/demo/insert-rows';
import type { Database } from '@mailstead/adapters/database/driver/database';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { SqlUnitOfWork } from '@mailstead/adapters/database/driver/sql-unit-of-work';
import { SandboxRelayProvider } from '@mailstead/adapters/sandbox-relay/sandbox-relay-provider';
import { SystemClock } from '@mailstead/adapters/system-clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { median } from '../load.js';
import type { Report } from '../report.js';
import { type DatabaseKind, PASSWORD_HASH, startDemo, startService } from '../service.js';

const PARTNERS = 300;
const DOMAINS_OF_EACH = 10;
const DAYS = 30;
const ROUNDS = 3;
const MOST_TIMES = 5;
/** An empty start takes a good second. */
const MOST_STARTS = 8;

/** The rows of a demo, compared with as many rows of a bare table, and the start of a demo. */
export async function demo(kind: DatabaseKind, report: Report): Promise<void> {
  const rounds: { rows: number; ms: number; floorMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const service = await startService(kind);
    await service.stop();
    const database = await openDatabase({ url: service.databaseUrl, dataDir: service.dataDir, poolSize: 1 });
    rounds.push(await fill(database));
    await database.close();
  }
  const times = median(rounds.map(({ ms, floorMs }) => ms / floorMs));
  report.note(
    `the rows of 3,000 domains of a demo, ${kind}`,
    `${(median(rounds.map(({ ms }) => ms)) / 1_000).toFixed(1)} s for ${rounds[0]?.rows.toLocaleString('en-GB')} rows, × ${times.toFixed(1)} of as many rows in a bare table`,
    `≤ × ${MOST_TIMES}`,
    times <= MOST_TIMES,
  );
  if (kind === 'sqlite') await start(report);
}

/** A demo has the embedded database. */
async function start(report: Report): Promise<void> {
  const times: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const empty = await startService('sqlite');
    await empty.stop();
    const filled = await startDemo();
    await filled.stop();
    whole.push(filled.startedInMs);
    times.push(filled.startedInMs / empty.startedInMs);
  }
  report.note(
    'the first start of a demo, sqlite',
    `${(median(whole) / 1_000).toFixed(1)} s, × ${median(times).toFixed(1)} of a start with an empty database`,
    `≤ × ${MOST_STARTS}`,
    median(times) <= MOST_STARTS,
  );
}

async function fill(database: Database): Promise<{ rows: number; ms: number; floorMs: number }> {
  const unitOfWork = new SqlUnitOfWork(database);
  const clock = new SystemClock();
  const demoRows = new DemoRows(
    database,
    new CryptoRandomSource(),
    new SandboxRelayProvider({ verifyAfterSeconds: 0 }, clock),
  );
  const now = clock.now();
  const options = { now, createdBefore: now, passwordHash: PASSWORD_HASH, bytesPerMessage: 20_000 };
  const started = performance.now();
  const rows = await unitOfWork.run(() => demoRows.add(partners(), options));
  const ms = performance.now() - started;
  await database.write(
    'CREATE TABLE bare_row (id integer PRIMARY KEY, word varchar(64) NOT NULL, number integer NOT NULL)',
  );
  const bare = Array.from({ length: rows }, (_, index) => [index + 1, `word-${index}.example`, index]);
  const floorStarted = performance.now();
  await unitOfWork.run(() => insertRows(database, 'bare_row', ['id', 'word', 'number'], bare));
  return { rows, ms, floorMs: performance.now() - floorStarted };
}

function partners(): ManyPartner[] {
  return Array.from({ length: PARTNERS }, (_, partner) => ({
    ref: `partner-${partner}`,
    name: `Partner ${partner}`,
    domains: Array.from({ length: DOMAINS_OF_EACH }, (__, domain) => ({
      name: `domain-${partner}-${domain}.example` as DomainName,
      tier: 'standard',
      mailboxes: ['office', 'info', 'orders'],
      aliases: ['contact', 'sales'],
      sent: Array.from({ length: DAYS }, (___, day) => 1 + ((partner + domain + day) % 50)),
    })),
  }));
}
