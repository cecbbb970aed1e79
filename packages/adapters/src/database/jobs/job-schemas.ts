import type { EntitySchema } from 'typeorm';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/** The tables of jobs and of the runs of schedules. */
export function jobSchemas(dialect: Dialect): EntitySchema<object>[] {
  const columns = new Columns(dialect);
  return [
    rowTable('JobRow', 'job', {
      columns: {
        id: columns.id(),
        name: columns.exact(64),
        payload: columns.json(),
        // Only one waiting job can have the key. Null: no limit.
        uniqueKey: columns.exact(160, { name: 'unique_key', nullable: true }),
        // waiting | dead
        state: columns.exact(8),
        runAt: columns.time({ name: 'run_at' }),
        // The owner of the claim. After `leased_until` the job can be claimed again.
        leasedBy: columns.exact(64, { name: 'leased_by', nullable: true }),
        leasedUntil: columns.time({ name: 'leased_until', nullable: true }),
        attempts: columns.integer(),
        reason: columns.text(500, { nullable: true }),
        requestId: columns.exact(128, { name: 'request_id', nullable: true }),
        // The trace in which the job was added (W3C Trace Context).
        traceId: columns.exact(32, { name: 'trace_id', nullable: true }),
        createdAt: columns.time({ name: 'created_at' }),
        // The partner of the job's domain; 0 for all other jobs. In some queues the partners take turns.
        partnerId: columns.ref({ name: 'partner_id', default: 0 }),
      },
      uniques: [{ name: 'uq_job_unique_key', columns: ['uniqueKey'] }],
      indices: [
        { name: 'ix_job_turn', columns: ['state', 'runAt', 'id', 'partnerId'] },
        { name: 'ix_job_name', columns: ['name', 'state'] },
      ],
    }),
    // One row for each period of a schedule. The process that inserts the row runs the schedule.
    rowTable('JobRunRow', 'job_run', {
      columns: {
        name: columns.exact(64, { primary: true }),
        period: columns.exact(32, { primary: true }),
        // running | done | failed
        outcome: columns.exact(8),
        startedAt: columns.time({ name: 'started_at' }),
        endedAt: columns.time({ name: 'ended_at', nullable: true }),
        attempts: columns.integer(),
        leasedUntil: columns.time({ name: 'leased_until', nullable: true }),
        reason: columns.text(500, { nullable: true }),
        counts: columns.json({ nullable: true }),
        // The position of a resumable run.
        cursor: columns.big({ name: 'resume_after' }),
      },
      indices: [
        { name: 'ix_job_run_outcome', columns: ['outcome', 'name'] },
        { name: 'ix_job_run_started', columns: ['startedAt'] },
      ],
    }),
  ];
}
