import type { DomainName } from '../domains/domain-name.js';
import { conclude, couldNotCheck, type DnsCheck, type DnsQuestion, unquoted } from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
import type { DnsAnswer, DnsResolver } from './dns-resolver.js';
import { beginningOf } from './policy-fields.js';

/** A walk asks about the domain, then about names of at most seven labels: eight questions (RFC 9989 section 4.10). */
const MAX_LABELS_ABOVE = 7;
/**
 * `dmarc-version`: the first tag, whose value is case-sensitive and nothing else, with blanks around `=` and `;`
 * (RFC 9989 sections 4.7 and 4.8).
 */
const VERSION = /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;
/** A record that was meant as one and begins otherwise: `v=dmarc1`, `v=DMARC10`, `DMARC1`. */
const LOOKALIKE = /^[\s"'\\]*(?:v\s*=\s*)?dmarc|;\s*v\s*=\s*dmarc/i;
const POLICIES = ['none', 'quarantine', 'reject'];
/** Tags of RFC 7489 that receivers ignore now. */
const HISTORIC_TAGS = ['pct', 'rf', 'ri'];

/** What is published at one name of the walk. */
interface Step {
  name: string;
  answer: DnsAnswer<string>;
  /** Null with no record, and with several, which receivers ignore. */
  record: string | null;
}

/**
 * Checks DMARC. A domain without a record of its own uses that of its organizational domain, which is found by walking
 * up the tree, not by the public suffix list (RFC 9989 section 4.10).
 */
export async function checkDmarc(dns: DnsResolver, domain: DomainName): Promise<DnsCheck> {
  const walk = await Promise.all(namesOfWalk(domain).map((name) => readStep(dns, name)));
  const [own] = walk;
  const question: DnsQuestion = {
    record: 'dmarc',
    type: 'TXT',
    name: `_dmarc.${domain}`,
    expected: ['v=DMARC1; p=none'],
    required: false,
  };
  if (own === undefined) return conclude(question, 'missing', finding('dmarc_missing', { name: question.name }));
  if (own.answer.outcome === 'error') return couldNotCheck(question, own.answer.reason);
  const values = own.answer.outcome === 'found' ? own.answer.values : [];
  const found = values.filter((value) => VERSION.test(value));
  if (found.length > 1)
    return conclude(question, 'mismatch', finding('advice_duplicate', { count: String(found.length) }), { found });
  if (own.record !== null) return judge(question, own.record);
  const quoted = values.filter((value) => VERSION.test(unquoted(value)));
  if (quoted.length > 0) return conclude(question, 'mismatch', finding('advice_quoted'), { found: quoted });
  return checkWithoutOwn(question, domain, walk, values);
}

/** @param values the TXT records at the name, none of which is a DMARC record */
function checkWithoutOwn(question: DnsQuestion, domain: DomainName, walk: Step[], values: string[]): DnsCheck {
  const lookalikes = values.filter((value) => LOOKALIKE.test(value));
  const other = lookalikes
    .slice(0, 1)
    .map((value) => finding('dmarc_other_version', { beginning: beginningOf(value) }));
  const applied = appliedStep(domain, walk);
  if (applied !== null && applied.record !== null) {
    const parent = finding('dmarc_inherited', { parent: applied.name });
    const { status, warnings } = judge(question, applied.record);
    const found = [applied.record];
    if (status === 'ok') return conclude(question, 'ok', parent, { found, warnings: [...other, ...warnings] });
  }
  const failed = walk.find(({ answer }) => answer.outcome === 'error');
  if (failed?.answer.outcome === 'error') return couldNotCheck(question, failed.answer.reason);
  const absent = finding('dmarc_missing', { name: question.name });
  return conclude(question, 'missing', other[0] ?? absent, { found: lookalikes });
}

/** The domain, then each name above it, from the one with seven labels on. */
function namesOfWalk(domain: DomainName): string[] {
  const labels = domain.split('.');
  const above = labels.slice(1).slice(-MAX_LABELS_ABOVE);
  return [domain, ...above.map((_, index) => above.slice(index).join('.'))];
}

async function readStep(dns: DnsResolver, name: string): Promise<Step> {
  const answer = await dns.txt(`_dmarc.${name}`);
  const records = answer.outcome === 'found' ? answer.values.filter((value) => VERSION.test(value)) : [];
  return { name, answer, record: records.length === 1 ? (records[0] ?? null) : null };
}

/**
 * The record that applies to a domain without one: of its organizational domain, else of the public suffix above it. A
 * record with `psd=n` is of an organizational domain, one with `psd=y` of a public suffix; without them the record of
 * the fewest labels decides.
 */
function appliedStep(domain: DomainName, walk: readonly Step[]): Step | null {
  const published = walk.filter(({ record }) => record !== null);
  const ending = published.find(({ name, record }) => {
    const psd = tagsOf(record ?? '').get('psd');
    return psd === 'n' || (psd === 'y' && name !== domain);
  });
  if (ending === undefined) return published.at(-1) ?? null;
  if (tagsOf(ending.record ?? '').get('psd') === 'n') return ending;
  const below = domain
    .split('.')
    .slice(-(ending.name.split('.').length + 1))
    .join('.');
  return published.find(({ name }) => name === below) ?? ending;
}

/** A record whose `p` is missing counts as `p=none`. */
function judge(question: DnsQuestion, record: string): DnsCheck {
  const tags = tagsOf(record);
  const policies = ['p', 'sp', 'np'].map((tag) => tags.get(tag)).filter((policy) => policy !== undefined);
  const found = [record];
  if (!policies.every((policy) => POLICIES.includes(policy)))
    return conclude(question, 'mismatch', finding('dmarc_incomplete'), { found });
  const warnings = warningsOf(tags);
  if (!tags.has('p')) return conclude(question, 'ok', finding('dmarc_no_policy'), { found, warnings });
  return conclude(question, 'ok', finding('advice_ok'), { found, warnings });
}

function warningsOf(tags: ReadonlyMap<string, string>): DnsFinding[] {
  const historic = HISTORIC_TAGS.filter((tag) => tags.has(tag));
  return historic.length === 0 ? [] : [finding('dmarc_historic', { tags: historic.join(', ') })];
}

/** In lower case. Of a tag that is there twice, the first. */
function tagsOf(record: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of record.split(';')) {
    const [name = '', value = ''] = part.split('=', 2).map((text) => text.trim().toLowerCase());
    if (name !== '' && !tags.has(name)) tags.set(name, value);
  }
  return tags;
}
