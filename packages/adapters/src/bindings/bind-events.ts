import { AuditLog } from '@mailstead/core/audit/audit-log';
import { EventFeed } from '@mailstead/core/events/event-feed';
import { EventPositions } from '@mailstead/core/events/event-positions';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { Container } from 'inversify';
import { TypeormAuditLog } from '../database/audit-log.js';
import { Database } from '../database/driver/database.js';
import { AppendedEvents } from '../database/events/appended-events.js';
import { TypeormEventFeed } from '../database/events/event-feed.js';
import { TypeormEventPositions } from '../database/events/event-positions.js';
import { EventPositioner } from '../events/event-positioner.js';
import { provide, provideSelf } from '../provide.js';

/** Binds the audit log, whose rows are the events, and their feed. */
export function bindEvents(container: Container): void {
  provideSelf(container, AppendedEvents);
  provide(container, AuditLog, TypeormAuditLog, Database, AppendedEvents);
  provide(container, EventPositions, TypeormEventPositions, Database, UnitOfWork);
  provide(container, EventFeed, TypeormEventFeed, Database, UnitOfWork);
  provideSelf(container, EventPositioner, EventPositions, AppendedEvents);
}
