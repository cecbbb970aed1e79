import { Clock, DatabaseClock } from '@mailstead/core/clock';
import { ShutdownCheck } from '@mailstead/core/health-check';
import { JobGate } from '@mailstead/core/jobs/job-gate';
import { Meters } from '@mailstead/core/meters';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { Container } from 'inversify';
import type { Config } from '../config.js';
import { SqlDatabaseClock } from '../database/database-clock.js';
import { Database } from '../database/driver/database.js';
import { ClockCheck } from '../database/health/clock-check.js';
import { DatabaseCheck, DatabaseWriteCheck } from '../database/health/database-checks.js';
import { DatabaseWriters } from '../database/health/database-writers.js';
import { EmbeddedClock } from '../database/health/embedded-clock.js';
import { SeveralWritersCheck } from '../database/health/several-writers-check.js';
import { WriteProbe } from '../database/health/write-probe.js';
import { ClockGate } from '../jobs/clock-gate.js';
import { JobLog } from '../jobs/job-log.js';
import { processLabel } from '../process-label.js';
import { constant, provide, provideSelf } from '../provide.js';

/** Binds the health checks of the process and of the database. */
export function bindHealth(container: Container, config: Readonly<Config>, name: 'api' | 'worker'): void {
  const writer = constant({ process: processLabel(name), poolSize: config.databasePoolSize });
  provideSelf(container, ShutdownCheck);
  provideSelf(container, WriteProbe, Database, UnitOfWork);
  provideSelf(container, DatabaseCheck, Database);
  provideSelf(container, DatabaseWriteCheck, WriteProbe);
  provide(container, DatabaseClock, SqlDatabaseClock, Database, Clock);
  const monotonic = constant(() => performance.now());
  provideSelf(container, EmbeddedClock, Database, Clock, monotonic);
  provideSelf(container, ClockCheck, Database, Clock, DatabaseClock, EmbeddedClock);
  provide(container, JobGate, ClockGate, ClockCheck, JobLog, Meters);
  provideSelf(container, DatabaseWriters, Database, UnitOfWork, Notifier, Clock, writer);
  provideSelf(container, SeveralWritersCheck, DatabaseWriters);
}
