import { Clock } from '@mailstead/core/clock';
import { ShutdownCheck } from '@mailstead/core/health-check';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { Container } from 'inversify';
import type { Config } from '../config.js';
import { Database } from '../database/driver/database.js';
import { ClockCheck, DatabaseCheck, DatabaseWriteCheck } from '../database/health/database-checks.js';
import { DatabaseWriters } from '../database/health/database-writers.js';
import { SeveralWritersCheck } from '../database/health/several-writers-check.js';
import { WriteProbe } from '../database/health/write-probe.js';
import { processLabel } from '../process-label.js';
import { constant, provideSelf } from '../provide.js';

/** Binds the health checks of the process and of the database. */
export function bindHealth(container: Container, config: Readonly<Config>, name: 'api' | 'worker'): void {
  const writer = constant({ process: processLabel(name), poolSize: config.databasePoolSize });
  provideSelf(container, ShutdownCheck);
  provideSelf(container, WriteProbe, Database, UnitOfWork);
  provideSelf(container, DatabaseCheck, Database);
  provideSelf(container, DatabaseWriteCheck, WriteProbe);
  provideSelf(container, ClockCheck, Database, Clock);
  provideSelf(container, DatabaseWriters, Database, UnitOfWork, Notifier, Clock, writer);
  provideSelf(container, SeveralWritersCheck, DatabaseWriters);
}
