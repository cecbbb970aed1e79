import type { DomainName } from '../../domains/domain-name.js';
import { ScriptedDns } from '../../testing/scripted-dns.js';
import { checkSpf } from '../check-spf.js';
import type { DnsAnswer, MxRecord } from '../dns-resolver.js';

const DOMAIN = 'd.example' as DomainName;
const OURS = 'spf.relay.example';
/** More than are evaluated. */
const NETWORKS = Array.from({ length: 64 }, (_, index) => `ip4:192.0.2.${index * 4}/30`).join(' ');
const MOST_QUESTIONS = 200;

/** A zone of a stranger, where each name has a record that leads to other names. */
class HostileZone extends ScriptedDns {
  readonly questions: string[] = [];

  constructor(
    private readonly termOf: (name: string, index: number) => string,
    private readonly outcome: 'many' | 'none' | 'failed',
  ) {
    super();
  }

  override txt(name: string): Promise<DnsAnswer<string>> {
    if (name === OURS) return this.answer('TXT', name, [`v=spf1 ${NETWORKS} -all`]);
    const terms = Array.from({ length: 12 }, (_, index) => this.termOf(name, index));
    return this.answer('TXT', name, [`v=spf1 ${terms.join(' ')} all`]);
  }

  override mx(name: string): Promise<DnsAnswer<MxRecord>> {
    const hosts = Array.from({ length: 10 }, (_, priority) => ({ exchange: `${priority}.mx.${name}`, priority }));
    return this.answer('MX', name, this.outcome === 'many' ? hosts : []);
  }

  override addressesOf(family: 4 | 6, name: string): Promise<DnsAnswer<string>> {
    return this.answer(`A${family}`, name, this.outcome === 'many' ? ['203.0.113.1'] : []);
  }

  override ptr(name: string): Promise<DnsAnswer<string>> {
    const names = Array.from({ length: 20 }, (_, index) => `${index}.${name}`);
    return this.answer('PTR', name, this.outcome === 'many' ? names : []);
  }

  private answer<Value>(type: string, name: string, values: Value[]): Promise<DnsAnswer<Value>> {
    this.questions.push(`${type} ${name}`);
    if (this.outcome === 'failed' && type !== 'TXT') return Promise.resolve({ outcome: 'error', reason: 'No answer' });
    return Promise.resolve(values.length === 0 ? { outcome: 'missing' } : { outcome: 'found', values });
  }
}

describe('the check of SPF', () => {
  const shapes: Record<string, (name: string, index: number) => string> = {
    includes: (name, index) => `include:${index}.${name}`,
    'includes by macros': (name, index) => `include:%{i}.${index}.${name}`,
    exchanges: (name, index) => `mx:${index}.${name}`,
    'exchanges by macros': (name, index) => `mx:%{i}.${index}.${name}`,
    'hosts by macros': (name, index) => `a:%{i}.${index}.${name}`,
    'names of addresses': (name, index) => `exists:%{p}.${index}.${name}`,
    'includes before exchanges': (name, index) => `${index < 3 ? 'include' : 'mx'}:${index}.${name}`,
  };

  test.each(Object.entries(shapes))(
    'asks 200 questions at most, each once, whatever is published: %s',
    async (_, termOf) => {
      for (const outcome of ['many', 'none', 'failed'] as const) {
        const dns = new HostileZone(termOf, outcome);
        const { params } = await checkSpf(dns, DOMAIN, OURS);
        // The first address is evaluated to its end.
        expect(params.reason ?? 'No answer').toBe('No answer');
        expect(dns.questions.length).toBeLessThanOrEqual(MOST_QUESTIONS);
        expect(new Set(dns.questions).size).toBe(dns.questions.length);
      }
    },
  );

  test('decides by the addresses that it could evaluate with these questions', async () => {
    const dns = new HostileZone(
      (name, index) => (index < 10 ? `exists:%{i}.${index}.${name}` : 'ip4:203.0.113.1'),
      'none',
    );
    const { status, warnings } = await checkSpf(dns, DOMAIN, OURS);
    expect(dns.questions).toHaveLength(MOST_QUESTIONS);
    expect(status).toBe('ok');
    expect(warnings.map(({ code }) => code)).toEqual(['spf_void_lookups', 'spf_allows_all']);
  });

  test('asks what one record names at once', async () => {
    const asked: string[] = [];
    class SilentDns extends ScriptedDns {
      override txt(name: string): Promise<DnsAnswer<string>> {
        return name === DOMAIN || name === OURS ? super.txt(name) : this.never(`TXT ${name}`);
      }
      override mx(name: string): Promise<never> {
        return this.never(`MX ${name}`);
      }
      override addressesOf(family: 4 | 6, name: string): Promise<never> {
        return this.never(`A${family} ${name}`);
      }
      private never(question: string): Promise<never> {
        asked.push(question);
        return new Promise(() => {});
      }
    }
    const dns = new SilentDns().set('TXT', OURS, 'v=spf1 ip4:192.0.2.1 -all');
    dns.set('TXT', DOMAIN, `v=spf1 a mx include:a.example include:b.example include:${OURS} a:c.example -all`);
    void checkSpf(dns, DOMAIN, OURS);
    await new Promise((resolve) => setImmediate(resolve));
    // What stands behind our include is probably not needed.
    expect(asked.toSorted()).toEqual([`A4 ${DOMAIN}`, `MX ${DOMAIN}`, 'TXT a.example', 'TXT b.example']);
  });
});
