import { until } from '@mailstead/core/testing/until';
import { isOvertaken, type Work } from '../work.js';
import { CHANGED, changesOf, type Load, statusOf } from './load.js';
import type { WholeCluster } from './whole-cluster.js';

const IDS_A_REQUEST = 200;

/** Looks up everything that was acknowledged to the load, in the database and through the API. */
export async function findAll(cluster: WholeCluster, load: Load): Promise<void> {
  await repeatIncrements(cluster, load);
  for (const each of load.counted) {
    const [row] = await cluster.query<{ counted: string; ids: string }>(
      `SELECT (SELECT COALESCE(SUM(sent_month), 0) FROM outbound_counter WHERE domain_id = d.id) AS counted,
              (SELECT COUNT(*) FROM outbound_counted_id WHERE domain_id = d.id) AS ids
         FROM domain d WHERE d.name = ?`,
      [each.domain],
    );
    const sent = { acknowledged: each.acknowledged.length, unanswered: each.unanswered };
    each.work.compareCounter(sent, Number(row?.counted), Number(row?.ids));
  }
  await findCreated(cluster, load.mailboxes, load.created.mailboxes, 'SELECT email AS name FROM mailbox');
  await findCreated(cluster, load.keys, load.created.keys, "SELECT name FROM api_key WHERE name LIKE 'key-%'");
  await findVerified(cluster, load);
  await findLastValues(cluster, load);
  await findAudited(cluster, load);
}

/** Sends every acknowledged id again: one that was lost would be counted now, and so be doubled in the counter. */
async function repeatIncrements(cluster: WholeCluster, load: Load): Promise<void> {
  const client = load.client();
  const senders = load.counted.filter(({ work }) => work === load.increments);
  for (const { domain, acknowledged } of senders) {
    const count = async () => {
      const sum = 'SELECT COALESCE(SUM(c.sent_month), 0) AS sent FROM outbound_counter c JOIN domain d';
      const [row] = await cluster.query<{ sent: string }>(`${sum} ON d.id = c.domain_id WHERE d.name = ?`, [domain]);
      return Number(row?.sent);
    };
    const before = await count();
    for (let start = 0; start < acknowledged.length; start += IDS_A_REQUEST) {
      const items = acknowledged.slice(start, start + IDS_A_REQUEST).map((id) => ({ domain, id }));
      await client.POST('/outbound/increments', { body: { items } });
    }
    const lost = (await count()) - before;
    load.increments.lost += lost;
    load.increments.found -= lost;
  }
}

async function findCreated(cluster: WholeCluster, work: Work, created: string[], text: string): Promise<void> {
  const counts = new Map<string, number>();
  for (const { name } of await cluster.query<{ name: string }>(text)) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of created) {
    if (counts.has(name)) work.found += 1;
    else work.lost += 1;
  }
  for (const count of counts.values()) work.doubled += count - 1;
}

/** A domain was acknowledged when it was created; it is found when its job ran. */
async function findVerified(cluster: WholeCluster, { created, jobs }: Load): Promise<void> {
  const verified = async () => {
    const rows = await cluster.query<{ name: string }>(
      "SELECT d.name FROM domain d JOIN verification v ON v.domain_id = d.id WHERE v.status = 'verified'",
    );
    const names = new Set(rows.map(({ name }) => name));
    return created.domains.filter((name) => names.has(name)).length;
  };
  await until('all domains to be verified', async () => (await verified()) === created.domains.length).catch(
    () => undefined,
  );
  jobs.found = await verified();
  jobs.acknowledged = created.domains.length;
  jobs.lost = jobs.acknowledged - jobs.found;
}

/** The last values are those of the last change, which an earlier request may have made once more. */
async function findLastValues(cluster: WholeCluster, load: Load): Promise<void> {
  const { changes, last } = load;
  const client = load.client();
  const mailbox = await client.GET('/users/{email}', { params: { path: { email: CHANGED.email } } });
  const domain = await client.GET('/domains/{domain_name}', { params: { path: { domain_name: CHANGED.domain } } });
  const [quotas, suspensions] = [await changesOf(cluster, true), await changesOf(cluster, false)];
  const isLast = <Value>(own: Value, history: readonly Value[]) => history.at(-1) === own || isOvertaken(history, own);
  if (last.quota !== 0 && !isLast(last.quota, quotas)) changes.lost += 1;
  if (mailbox.data?.quota_mb !== quotas.at(-1)) changes.lost += 1;
  if (!isLast(last.isSuspended, suspensions)) changes.lost += 1;
  if (domain.data?.status !== statusOf(suspensions.at(-1) === true)) changes.lost += 1;
}

/** A creation is one entry of the audit log. */
async function findAudited(cluster: WholeCluster, { mailboxes, jobs, created }: Load): Promise<void> {
  const rows = await cluster.query<{ subject: string; entries: string }>(
    "SELECT subject, COUNT(*) AS entries FROM audit_log WHERE action IN ('mailbox.create', 'domain.create') GROUP BY subject",
  );
  const entries = new Map(rows.map((row) => [row.subject, Number(row.entries)]));
  for (const email of created.mailboxes) mailboxes.doubled += Math.max(0, (entries.get(email) ?? 0) - 1);
  for (const name of created.domains) jobs.doubled += Math.max(0, (entries.get(name) ?? 0) - 1);
}
