import type { Dialect, DialectName } from '../driver/dialect.js';
import { auditRequestUid } from './audit-request-uid.js';
import { billingRef } from './billing-ref.js';
import { bouncesAndLimits } from './bounces-and-limits.js';
import { mysqlDatabaseWriter, sqliteDatabaseWriter } from './database-writer.js';
import { dnsRecords } from './dns-records.js';
import { domainAttention } from './domain-attention.js';
import { eventPositions } from './event-positions.js';
import { finding } from './finding.js';
import { heartbeats } from './heartbeats.js';
import { jobPartner } from './job-partner.js';
import { keySuccessors } from './key-successors.js';
import { mysqlMtaDomain } from './mta-domain.js';
import { mysqlInitial } from './mysql-initial.js';
import { mysqlViews } from './mysql-views.js';
import { mysqlViewsDestinations } from './mysql-views-destinations.js';
import { outboundCountedIds } from './outbound-counted-ids.js';
import { outboundForwarded } from './outbound-forwarded.js';
import { outboundPartnerDays } from './outbound-partner-days.js';
import { outboundSentElsewhere } from './outbound-sent-elsewhere.js';
import { ownKeys } from './own-keys.js';
import { partnerSuspensions } from './partner-suspensions.js';
import { purgeMark } from './purge-mark.js';
import { relayConfiguration } from './relay-configuration.js';
import { relayEventAttempts } from './relay-event-attempts.js';
import { restoredRows } from './restored-rows.js';
import { seeds } from './seeds.js';
import { sessions } from './sessions.js';
import { sqliteInitial } from './sqlite-initial.js';
import { type MigrationClass, type Statement, steps } from './step.js';
import { mysqlTombstones, sqliteTombstones } from './tombstones.js';
import { usage } from './usage.js';
import { waitingDomains } from './waiting-domains.js';
import { writeProbe } from './write-probe.js';

/**
 * The groups of migrations by their first millisecond. Append new groups with a later millisecond; never change an old
 * one.
 */
const GROUPS: Record<DialectName, [firstMillisecond: number, statements: Statement[]][]> = {
  mysql: [
    [1772323200000, mysqlInitial],
    [1772323201000, seeds],
    [1772323202000, mysqlViews],
    [1772323210000, mysqlViewsDestinations],
    [1772323211000, outboundForwarded('mysql')],
    [1772323212000, mysqlTombstones],
    [1772323212500, writeProbe('mysql')],
    [1772323213000, mysqlDatabaseWriter],
    [1772323214000, relayEventAttempts('mysql')],
    [1772323215000, dnsRecords('mysql')],
    [1772323216000, auditRequestUid('mysql')],
    [1772323218000, outboundSentElsewhere('mysql')],
    [1772323218500, outboundCountedIds('mysql')],
    [1772323219000, waitingDomains('mysql')],
    [1772323219500, purgeMark('mysql')],
    [1772323220000, heartbeats('mysql')],
    [1772323230000, jobPartner('mysql')],
    [1772323241000, sessions('mysql')],
    [1772323240000, ownKeys('mysql')],
    [1772323242000, eventPositions('mysql')],
    [1772323244000, bouncesAndLimits('mysql')],
    [1772323243000, finding('mysql')],
    [1772323243500, domainAttention('mysql')],
    [1772323247000, partnerSuspensions('mysql')],
    [1772323245000, restoredRows('mysql')],
    [1772323248000, billingRef('mysql')],
    [1772323248000, usage('mysql')],
    [1772323250000, mysqlMtaDomain],
    [1772323260000, relayConfiguration('mysql')],
    [1772323270000, outboundPartnerDays('mysql')],
    [1772323310000, keySuccessors('mysql')],
  ],
  sqlite: [
    [1772323200000, sqliteInitial],
    [1772323201000, seeds],
    [1772323211000, outboundForwarded('sqlite')],
    [1772323212000, sqliteTombstones],
    [1772323212500, writeProbe('sqlite')],
    [1772323213000, sqliteDatabaseWriter],
    [1772323214000, relayEventAttempts('sqlite')],
    [1772323215000, dnsRecords('sqlite')],
    [1772323216000, auditRequestUid('sqlite')],
    [1772323218000, outboundSentElsewhere('sqlite')],
    [1772323218500, outboundCountedIds('sqlite')],
    [1772323219000, waitingDomains('sqlite')],
    [1772323219500, purgeMark('sqlite')],
    [1772323220000, heartbeats('sqlite')],
    [1772323230000, jobPartner('sqlite')],
    [1772323241000, sessions('sqlite')],
    [1772323240000, ownKeys('sqlite')],
    [1772323242000, eventPositions('sqlite')],
    [1772323244000, bouncesAndLimits('sqlite')],
    [1772323243000, finding('sqlite')],
    [1772323243500, domainAttention('sqlite')],
    [1772323247000, partnerSuspensions('sqlite')],
    [1772323245000, restoredRows('sqlite')],
    [1772323248000, billingRef('sqlite')],
    [1772323248000, usage('sqlite')],
    [1772323260000, relayConfiguration('sqlite')],
    [1772323270000, outboundPartnerDays('sqlite')],
    [1772323310000, keySuccessors('sqlite')],
  ],
};

/** @returns all migrations of a database, oldest first */
export function migrations(dialect: Dialect): MigrationClass[] {
  return GROUPS[dialect.name].flatMap(([firstMillisecond, statements]) => steps(statements, firstMillisecond));
}
