import type { DnsAnswer, DnsResolver, MxRecord } from '../dns-resolver.js';
import { isSpf, parseSpf, type SpfRecord } from './spf-record.js';

/** What a name has in place of an SPF record, or the one that it has. */
export type FoundSpf =
  | { outcome: 'found'; record: SpfRecord }
  | { outcome: 'missing' | 'several' }
  | { outcome: 'error'; reason: string };

/** Of one check. A stranger writes the records; one evaluation asks at most 122 questions that are not ahead. */
const MAX_QUESTIONS = 200;
/** What may be asked ahead, before it is known whether the answer is needed. */
const MAX_AHEAD = 50;
const EXHAUSTED = { outcome: 'error', reason: `More than ${MAX_QUESTIONS} DNS questions are needed` } as const;
/** The names that can be looked up everywhere. */
const HOST = /^[a-z0-9._-]+$/;

/** The look-ups of one check of SPF: each question is asked once, and their number is limited. */
export class SpfLookups {
  private readonly texts = new Map<string, Promise<DnsAnswer<string>>>();
  private readonly hosts = new Map<string, Promise<DnsAnswer<MxRecord>>>();
  private readonly records = new Map<string, Promise<FoundSpf>>();
  private asked = 0;

  constructor(private readonly dns: DnsResolver) {}

  /** Whether a question was not asked any more, so that its outcome is `error`. */
  get isExhausted(): boolean {
    return this.asked > MAX_QUESTIONS;
  }

  txt(name: string): Promise<DnsAnswer<string>> {
    return this.once(this.texts, 'TXT', name, () => this.dns.txt(name));
  }

  addresses(family: 4 | 6, name: string): Promise<DnsAnswer<string>> {
    return this.once(this.texts, String(family), name, () => this.dns.addressesOf(family, name));
  }

  ptr(name: string): Promise<DnsAnswer<string>> {
    return this.once(this.texts, 'PTR', name, () => this.dns.ptr(name));
  }

  mx(name: string): Promise<DnsAnswer<MxRecord>> {
    return this.once(this.hosts, 'MX', name, () => this.dns.mx(name));
  }

  /** The SPF record of a name (RFC 7208 section 4.5). */
  spf(name: string): Promise<FoundSpf> {
    const known = this.records.get(name);
    if (known !== undefined) return known;
    const found = this.txt(name).then(foundSpf);
    this.records.set(name, found);
    return found;
  }

  /** Asks now what is probably needed later, unless too much was asked already. */
  ahead(ask: () => Promise<unknown>): void {
    if (this.asked < MAX_AHEAD) void ask();
  }

  private once<T>(
    answers: Map<string, Promise<DnsAnswer<T>>>,
    type: string,
    name: string,
    ask: () => Promise<DnsAnswer<T>>,
  ): Promise<DnsAnswer<T>> {
    const question = `${type} ${name}`;
    const known = answers.get(question);
    if (known !== undefined) return known;
    this.asked += 1;
    const answer = this.isExhausted ? Promise.resolve(EXHAUSTED) : ask().then((given) => certain(name, given));
    answers.set(question, answer);
    return answer;
  }
}

/** A name like `http://mail.example.com` is none that anybody has, and some resolvers do not ask for it. */
function certain<T>(name: string, answer: DnsAnswer<T>): DnsAnswer<T> {
  return answer.outcome === 'error' && !HOST.test(name) ? { outcome: 'missing' } : answer;
}

function foundSpf(answer: DnsAnswer<string>): FoundSpf {
  if (answer.outcome !== 'found') return answer;
  const [record, ...others] = answer.values.filter(isSpf);
  if (record === undefined) return { outcome: 'missing' };
  return others.length > 0 ? { outcome: 'several' } : { outcome: 'found', record: parseSpf(record) };
}
