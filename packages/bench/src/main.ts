import { availableParallelism, cpus, loadavg } from 'node:os';
import { bulk } from './benches/bulk.js';
import { creates } from './benches/creates.js';
import { events } from './benches/events.js';
import { finding } from './benches/finding.js';
import { growth } from './benches/growth.js';
import { increments } from './benches/increments.js';
import { list } from './benches/list.js';
import { looks } from './benches/looks.js';
import { mail } from './benches/mail.js';
import { policy } from './benches/policy.js';
import { purge } from './benches/purge.js';
import { readers } from './benches/readers.js';
import { reads } from './benches/reads.js';
import { reset } from './benches/reset.js';
import { restore } from './benches/restore.js';
import { screens } from './benches/screens.js';
import { sessions } from './benches/sessions.js';
import { start } from './benches/start.js';
import { usage } from './benches/usage.js';
import { webhook } from './benches/webhook.js';
import { Report } from './report.js';
import { DATABASE_KINDS, type DatabaseKind, endAll } from './service.js';

/** All benchmarks, by their names for `npm run bench -- <name>…`. */
const benches: Record<string, (kind: DatabaseKind, report: Report) => Promise<void>> = {
  mail,
  start,
  reads,
  sessions,
  creates,
  bulk,
  increments,
  looks,
  policy,
  webhook,
  events,
  reset,
  purge,
  restore,
  list,
  readers,
  growth,
  finding,
  screens,
  usage,
};

const chosen = process.argv.slice(2);
const report = new Report();
console.log(
  `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, ${new Date().toISOString().slice(0, 10)}`,
);
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  for (const kind of DATABASE_KINDS) {
    try {
      await bench(kind, report);
    } catch (error) {
      console.error(error);
      report.note(`${name}, ${kind}`, String(error), 'runs to its end', false);
      process.exitCode = 1;
      await endAll();
    }
  }
}
console.log(`\n${report.table()}`);
