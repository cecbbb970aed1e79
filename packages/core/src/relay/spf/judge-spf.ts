import { type DnsCheckStatus, listed } from '../dns-check.js';
import { type DnsFinding, finding } from '../dns-findings.js';
import { literalName } from './domain-spec.js';
import { type DecidingTerm, evaluateSpf, type SpfEvaluation } from './evaluate-spf.js';
import type { IpAddress } from './ip-address.js';
import type { RelayAddresses } from './relay-addresses.js';
import type { SpfLookups } from './spf-lookups.js';
import { type SpfRecord, type SpfTerm, shownTerm } from './spf-record.js';
import { type SpfWalk, walkSpf } from './walk-spf.js';

/** So many addresses are evaluated at once, so that a slow name server delays the check and not each address. */
const AT_ONCE = 8;
/** Receivers may stop with an error after two look-ups without an answer (RFC 7208 section 4.6.4). */
const MAX_VOIDS = 2;

/** What a check of SPF says. */
export interface SpfVerdict {
  status: DnsCheckStatus;
  result: DnsFinding;
  warnings: DnsFinding[];
}

/** The record of a domain, and what it should lead to. */
export interface JudgedSpf {
  domain: string;
  record: SpfRecord;
  /** The host of `SPF_INCLUDE`. */
  include: string;
  addresses: Promise<RelayAddresses>;
}

interface Walked extends JudgedSpf {
  walk: SpfWalk;
}

interface Allowance {
  ip: IpAddress;
  evaluation: SpfEvaluation;
}

/**
 * Decides by `check_host()` (RFC 7208 section 4) for addresses of the relay, all of which must pass. When the relay's
 * own record names no address, the include must be reached before anything stops a receiver.
 */
export async function judgeSpf(lookups: SpfLookups, judged: JudgedSpf): Promise<SpfVerdict> {
  const [walk, allowances] = await Promise.all([
    walkSpf(lookups, judged.domain, judged.include),
    evaluateAddresses(lookups, judged),
  ]);
  return allowances.length === 0
    ? judgeByWalk({ ...judged, walk }, (await judged.addresses).failedLookup)
    : judgeAllowances({ ...judged, walk }, allowances);
}

/** Without `SPF_INCLUDE`, only the form of the record can be checked. */
export async function judgeForm(lookups: SpfLookups, domain: string): Promise<SpfVerdict> {
  const { problems, allowAll } = await walkSpf(lookups, domain, null);
  const status = problems.length > 0 ? 'mismatch' : 'ok';
  return { status, result: finding('spf_include_unset'), warnings: [...problems, ...allowAll] };
}

function judgeAllowances(judged: Walked, allowances: Allowance[]): SpfVerdict {
  const { walk, include } = judged;
  const evaluations = allowances.map(({ evaluation }) => evaluation);
  const broken = evaluations.find((evaluation) => evaluation.result === 'permerror');
  if (broken !== undefined) return stopped(judged, broken.problem);
  const isSenders = evaluations.some(({ senderTerms }) => senderTerms.length > 0);
  if (isSenders || evaluations.every(({ result }) => result === 'pass')) return allowed(judged, evaluations);
  const unread = evaluations.find((evaluation) => evaluation.result === 'temperror');
  const refused = allowances.filter(({ evaluation: { result } }) => result !== 'pass' && result !== 'temperror');
  if (refused.length === 0 && unread !== undefined) return unreadVerdict(unread.reason);
  const warnings = [...walk.problems, ...walk.allowAll];
  if (refused.length === allowances.length) return { status: 'mismatch', result: explain(judged, refused), warnings };
  const addresses = listed(refused.map(({ ip }) => ip.text));
  return { status: 'mismatch', result: finding('spf_addresses_refused', { addresses, include }), warnings };
}

/** The first address by itself: an error of the record stops all of them, and its questions are not counted twice. */
async function evaluateAddresses(lookups: SpfLookups, { domain, include, addresses }: JudgedSpf): Promise<Allowance[]> {
  const evaluate = async (ip: IpAddress): Promise<Allowance> => {
    const client = { ip, localPart: null, senderDomain: domain, helo: null };
    return { ip, evaluation: await evaluateSpf(lookups, domain, client, include) };
  };
  const [first, ...others] = (await addresses).samples;
  if (first === undefined) return [];
  const done = [await evaluate(first)];
  for (let next = 0; next < others.length && !hasError(done[0]); next += AT_ONCE) {
    const some = await Promise.all(others.slice(next, next + AT_ONCE).map(evaluate));
    // Those that were not evaluated to their end say nothing.
    if (lookups.isExhausted) return [...done, ...some.filter((each) => each.evaluation.result !== 'temperror')];
    done.push(...some);
  }
  return done;
}

function hasError(allowance: Allowance | undefined): boolean {
  return allowance?.evaluation.result === 'permerror';
}

/** @param unread why the relay's own record could not be read; null when it could */
function judgeByWalk(judged: Walked, unread: string | null): SpfVerdict {
  const { walk } = judged;
  const warnings = [...walk.problems, ...walk.allowAll];
  const [problem] = walk.problems;
  if (problem !== undefined && !walk.isReached) return stopped(judged, problem);
  if (walk.isReached && !walk.hasFailedBefore) return { status: 'ok', result: finding('spf_ok'), warnings };
  const failedLookup = walk.failedLookup ?? unread;
  if (failedLookup !== null) return unreadVerdict(failedLookup);
  return { status: 'mismatch', result: explain(judged, []), warnings };
}

function allowed({ domain, include, walk }: Walked, evaluations: SpfEvaluation[]): SpfVerdict {
  const warnings = evaluations.flatMap(({ senderTerms, namelessTerms }) => [...senderTerms, ...namelessTerms]);
  if (!walk.isReached && evaluations.some((evaluation) => isByAddress(domain, evaluation)))
    warnings.push(finding('spf_flattened', { include }));
  if (evaluations.some(({ voids }) => voids > MAX_VOIDS))
    warnings.push(finding('spf_void_lookups', { limit: String(MAX_VOIDS) }));
  return { status: 'ok', result: finding('spf_ok'), warnings: [...warnings, ...walk.problems, ...walk.allowAll] };
}

function isByAddress(domain: string, evaluation: SpfEvaluation): boolean {
  const decidedBy = evaluation.result === 'pass' ? evaluation.decidedBy : null;
  return decidedBy !== null && decidedBy.name === domain && decidedBy.term.network !== null;
}

/** A receiver stops at an error. What the record lacks besides is said too. */
function stopped({ domain, record, include, walk }: Walked, problem: DnsFinding): SpfVerdict {
  if (problem.code === 'spf_included_missing' && problem.params.name === `${include}.${domain}`)
    return { status: 'mismatch', result: finding('spf_include_doubled', { include }), warnings: [] };
  const isNamed = [...record.terms, ...record.unread].some((term) => targetOf(term) === include);
  const isMissing = !walk.isReached && !isNamed && record.redirect === null;
  const warnings = isMissing ? [finding('spf_include_missing', { include })] : [];
  return { status: 'mismatch', result: problem, warnings };
}

function unreadVerdict(reason: string): SpfVerdict {
  return { status: 'error', result: finding('spf_unread', { reason }), warnings: [] };
}

/** @param refused the addresses, when none passes */
function explain({ record, include }: Walked, refused: Allowance[]): DnsFinding {
  const { terms, unread } = record;
  const included = [...terms, ...unread].find((term) => targetOf(term) === include);
  if (included !== undefined && unread.includes(included)) return finding('spf_include_after_all', { include });
  if (included !== undefined && included.qualifier !== '+')
    return finding('spf_include_qualified', { include, qualifier: included.qualifier });
  const [deciding] = refused.flatMap(({ evaluation }) => refusingTerm(evaluation) ?? []);
  if (deciding === undefined) return finding('spf_include_missing', { include });
  return finding('spf_refused_by', { name: deciding.name, term: shownTerm(deciding.term.text), include });
}

/** The term that refuses an address by itself; null when that is `all`, or the end of the record. */
function refusingTerm(evaluation: SpfEvaluation): DecidingTerm | null {
  if (!('decidedBy' in evaluation)) return null;
  return evaluation.decidedBy?.term.name === 'all' ? null : evaluation.decidedBy;
}

/** The name that a term includes, lower case; null for other terms, and for a name with macros. */
function targetOf({ name, target }: SpfTerm): string | null {
  return name === 'include' && target !== null ? literalName(target) : null;
}
